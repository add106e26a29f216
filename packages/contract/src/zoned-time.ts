/**
 * What a clock on the wall shows: "2026-05-01T20:00:00", without saying where. The zone is a name of the IANA list, such as
 * "Europe/Berlin"; empty means the zone of the machine that runs this.
 */
export type WallTime = string;

const SECONDS_OF_DAY = 86_400;

export function isTimeZone(zone: string): boolean {
  // Offsets such as "+02:00" are zones to some engines: they know no daylight time.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function wallTimeOf(at: Date, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts["year"]!.padStart(4, "0")}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}:${parts["second"]}`;
}

/**
 * The moment when a clock shows this. Of an hour that comes twice it is the first; one that is left out is counted on from
 * before, so that 2:30 is 3:30 in the night when clocks jump from 2:00 to 3:00.
 */
export function momentOfWallTime(wall: WallTime, zone: string): Date {
  const asUtc = secondsOf(wall);
  const at = (offset: number) => new Date((asUtc - offset) * 1000);
  const before = at(offsetAt(at(SECONDS_OF_DAY), zone));
  const after = at(offsetAt(at(-SECONDS_OF_DAY), zone));
  const isIt = (moment: Date) => secondsOf(wallTimeOf(moment, zone)) === asUtc;
  return isIt(before) || !isIt(after) ? before : after;
}

/** The moment as much later than `at` as `to` is later than `from` by their clocks on the wall. */
export function movedAlong(
  at: Date,
  { from, to, zone }: { readonly from: Date; readonly to: Date; readonly zone: string },
): Date {
  const shift = secondsOf(wallTimeOf(to, zone)) - secondsOf(wallTimeOf(from, zone));
  return momentOfWallTime(wallPlus(wallTimeOf(at, zone), shift), zone);
}

export const wallPlus = (wall: WallTime, seconds: number): WallTime =>
  new Date((secondsOf(wall) + seconds) * 1000).toISOString().slice(0, 19);

/** Seconds that the clocks of a zone are ahead of UTC. */
const offsetAt = (at: Date, zone: string): number => secondsOf(wallTimeOf(at, zone)) - Math.floor(at.getTime() / 1000);

const secondsOf = (wall: WallTime): number => Date.parse(`${wall}Z`) / 1000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  // A reader's own zone may change while a page is open.
  const known = zone === "" ? undefined : formats.get(zone);
  if (known) return known;
  const two = "2-digit";
  const format = new Intl.DateTimeFormat("en-US", {
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    ...(zone !== "" && { timeZone: zone }),
  });
  if (zone !== "") formats.set(zone, format);
  return format;
}
