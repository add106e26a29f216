/** First version that has the options for a JavaScript runtime, which the site has required since then. */
const KNOWS_RUNTIMES = "2025.11.12";
const DAY_MS = 24 * 3600 * 1000;

/** 2026.10.26, or with the time of a nightly build 2026.10.26.232826. */
const VERSION = /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?:\.(\d{1,6}))?$/;

export const isVersion = (text: string): boolean => VERSION.test(text);

/** Orders versions from old to new. Text that is not a version comes first. */
export function compareVersions(one: string, other: string): number {
  const ofOther = numbersOf(other);
  return (
    numbersOf(one)
      .map((part, i) => part - ofOther[i]!)
      .find((difference) => difference !== 0) ?? 0
  );
}

function numbersOf(version: string): readonly [number, number, number, number] {
  const [, year = 0, month = 0, day = 0, time = 0] = VERSION.exec(version) ?? [];
  return [Number(year), Number(month), Number(day), Number(time)];
}

export const newestFirst = (one: string, other: string): number => compareVersions(other, one);

export const knowsRuntimes = (version: string): boolean => compareVersions(version, KNOWS_RUNTIMES) >= 0;

/** Returns the date in a version, as YYYY-MM-DD; "" for text that is not a version. */
export function releaseDay(version: string): string {
  const [year, month, day] = numbersOf(version);
  return year > 0 ? `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}` : "";
}

/**
 * Returns whole days since the date in a version; 0 for text that is not a version.
 * @param now ms
 */
export function ageInDays(version: string, now: number): number {
  const released = Date.parse(releaseDay(version));
  return Number.isNaN(released) ? 0 : Math.max(0, Math.floor((now - released) / DAY_MS));
}
