import { expect, test, vi } from "vitest";
import { momentOf, toFieldTime, typedInWords } from "./field-time.ts";

test("formats a time for a date field, with seconds", () => {
  expect(toFieldTime(new Date(2025, 0, 5, 15, 30))).toBe("2025-01-05T15:30");
  expect(toFieldTime(new Date(2025, 0, 5, 15, 30, 7))).toBe("2025-01-05T15:30:07");
  expect(toFieldTime(undefined)).toBe("");
});

test("an unedited field keeps its time in an hour that occurs twice", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const second = new Date("2026-10-25T01:30:00Z"); // The second 2:30 of that night.
  expect(momentOf(toFieldTime(second), second)).toEqual(second);
  expect(momentOf("2026-10-25T04:00", second)).toEqual(new Date("2026-10-25T03:00:00Z"));
  vi.unstubAllEnvs();
});

test("reads and shows times in another time zone", () => {
  const evening = new Date("2026-05-01T11:00:00Z");
  expect(toFieldTime(evening, "Asia/Tokyo")).toBe("2026-05-01T20:00");
  expect(momentOf("2026-05-01T20:00", undefined, "Asia/Tokyo")).toEqual(evening);
  expect(momentOf("", undefined, "Asia/Tokyo").getTime()).toBeNaN();
});

test("formats the content of a date field as words, also in an hour that the browser's time zone skips", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(typedInWords("2026-03-29T02:30")).toBe("Mar 29, 2026, 2:30 AM");
  vi.unstubAllEnvs();
});
