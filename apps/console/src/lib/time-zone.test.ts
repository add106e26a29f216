import { afterEach, expect, test, vi } from "vitest";
import { isElsewhereAt, ownZone, zoneName, zoneNames } from "./time-zone.ts";

afterEach(() => vi.unstubAllEnvs());

const winter = new Date("2026-01-05T12:00:00Z");
const summer = new Date("2026-07-05T12:00:00Z");

test("calls a zone as people there do, by season, and by hours where it has no short name", () => {
  expect([zoneName(winter, "Europe/Berlin"), zoneName(summer, "Europe/Berlin")]).toEqual(["CET", "CEST"]);
  expect([zoneName(winter, "America/New_York"), zoneName(summer, "America/New_York")]).toEqual(["EST", "EDT"]);
  expect(zoneName(winter, "Asia/Tokyo")).toBe("GMT+9");
});

test("a zone is elsewhere when its clocks show something else, whatever it is called", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(isElsewhereAt("Europe/Paris", [winter, summer])).toBe(false);
  expect(isElsewhereAt("America/New_York", [winter])).toBe(true);
  // Phoenix has no daylight time, Denver has: they differ in summer alone.
  vi.stubEnv("TZ", "America/Denver");
  expect([isElsewhereAt("America/Phoenix", [winter]), isElsewhereAt("America/Phoenix", [winter, summer])]).toEqual([
    false,
    true,
  ]);
  expect(isElsewhereAt("", [winter])).toBe(false);
});

test("offers each zone once, the reader's own and the one that is set first", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const names = zoneNames([ownZone(), "Europe/Berlin", ""]);
  expect(names.slice(0, 2)).toEqual(["Asia/Tokyo", "Europe/Berlin"]);
  expect(names.filter((name) => name === "Asia/Tokyo" || name === "")).toEqual(["Asia/Tokyo"]);
});
