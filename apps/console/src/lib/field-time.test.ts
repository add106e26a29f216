import { expect, test, vi } from "vitest";
import { momentOf, toFieldTime, typedInWords } from "./field-time.ts";

test("shows a moment the way a date field wants it, seconds kept", () => {
  expect(toFieldTime(new Date(2025, 0, 5, 15, 30))).toBe("2025-01-05T15:30");
  expect(toFieldTime(new Date(2025, 0, 5, 15, 30, 7))).toBe("2025-01-05T15:30:07");
  expect(toFieldTime(undefined)).toBe("");
});

test("an hour that comes twice keeps its moment when its field was left as it was", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const second = new Date("2026-10-25T01:30:00Z"); // 2:30 for the second time
  expect(momentOf(toFieldTime(second), second)).toEqual(second);
  expect(momentOf("2026-10-25T04:00", second)).toEqual(new Date("2026-10-25T03:00:00Z"));
  vi.unstubAllEnvs();
});

test("reads and shows the clock of another zone", () => {
  const evening = new Date("2026-05-01T11:00:00Z");
  expect(toFieldTime(evening, "Asia/Tokyo")).toBe("2026-05-01T20:00");
  expect(momentOf("2026-05-01T20:00", undefined, "Asia/Tokyo")).toEqual(evening);
  expect(momentOf("", undefined, "Asia/Tokyo").getTime()).toBeNaN();
});

test("puts into words what stands in a field, also an hour that the reader's own clock leaves out", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(typedInWords("2026-03-29T02:30")).toBe("Mar 29, 2026, 2:30 AM");
  vi.unstubAllEnvs();
});
