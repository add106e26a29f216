import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clockNote, nearTimeIn, ownTimes, timeIn } from "./own-times.ts";

const evening = new Date("2026-05-01T18:00:00Z");
const late = new Date("2026-05-01T21:30:00Z");

beforeEach(() => void vi.stubEnv("TZ", "Europe/Berlin"));
afterEach(() => vi.unstubAllEnvs());

test("names the time zone of a time of day if the reader's own clock differs", () => {
  expect(timeIn(evening, "Asia/Tokyo")).toBe("3:00 AM GMT+9");
  expect(timeIn(evening, "America/New_York")).toBe("2:00 PM EDT");
  expect(timeIn(evening, "Europe/Vienna")).toMatch(/^\d+:00 [AP]M$/);
});

test("shows the date of a time that is not this evening", () => {
  const dayBefore = new Date("2026-04-30T19:00:00Z");
  expect(nearTimeIn(late, "Europe/Vienna", evening)).toMatch(/^\d+:30 [AP]M$/);
  expect(nearTimeIn(late, "Europe/Vienna", dayBefore)).toMatch(/^May 1, 2026, \d+:30 [AP]M$/);
  expect(nearTimeIn(evening, "Asia/Tokyo", dayBefore)).toBe("May 2, 2026, 3:00 AM GMT+9");
});

test("names the event's time zone while at least one of its times differs from the reader's", () => {
  expect(clockNote("America/New_York", [undefined, evening])).toBe(
    "Times of the event are by its own clock, America/New York.",
  );
  expect([clockNote("Europe/Vienna", [evening]), clockNote("", [evening])]).toEqual([undefined, undefined]);
});

test("shows the reader's own times for the times that are known", () => {
  expect(ownTimes([evening, new Date("")], "Asia/Tokyo")).toMatch(
    /^By your own clock: May 1, 2026, \d+:00 [AP]M CEST\.$/,
  );
  expect(ownTimes([evening, late], "Asia/Tokyo")).toContain(" – ");
  expect(ownTimes([new Date(""), undefined], "Asia/Tokyo")).toBeUndefined();
});
