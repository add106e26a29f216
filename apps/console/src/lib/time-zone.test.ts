import { afterEach, expect, test, vi } from "vitest";
import { isElsewhereAt, ownZone, zoneName, zoneNames } from "./time-zone.ts";

afterEach(() => vi.unstubAllEnvs());

const winter = new Date("2026-01-05T12:00:00Z");
const summer = new Date("2026-07-05T12:00:00Z");

test("names a zone by its common abbreviation for the season, or by its UTC offset if it has none", () => {
  expect([zoneName(winter, "Europe/Berlin"), zoneName(summer, "Europe/Berlin")]).toEqual(["CET", "CEST"]);
  expect([zoneName(winter, "America/New_York"), zoneName(summer, "America/New_York")]).toEqual(["EST", "EDT"]);
  expect(zoneName(winter, "Asia/Tokyo")).toBe("GMT+9");
});

test("a zone counts as different if its clocks show another time, whatever its name", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(isElsewhereAt("Europe/Paris", [winter, summer])).toBe(false);
  expect(isElsewhereAt("America/New_York", [winter])).toBe(true);
  // Phoenix has no daylight saving time, Denver has: they differ only in summer.
  vi.stubEnv("TZ", "America/Denver");
  expect([isElsewhereAt("America/Phoenix", [winter]), isElsewhereAt("America/Phoenix", [winter, summer])]).toEqual([
    false,
    true,
  ]);
  expect(isElsewhereAt("", [winter])).toBe(false);
});

test("offers each zone once, with the browser's and the selected zone first", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const names = zoneNames([ownZone(), "Europe/Berlin", ""]);
  expect(names.slice(0, 2)).toEqual(["Asia/Tokyo", "Europe/Berlin"]);
  expect(names.filter((name) => name === "Asia/Tokyo" || name === "")).toEqual(["Asia/Tokyo"]);
});
