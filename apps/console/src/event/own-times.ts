import { typedMoment } from "../lib/field-time.ts";
import { dateTime } from "../lib/formatting.ts";
import { isElsewhereAt, ownZone, zoneName } from "../lib/time-zone.ts";
import { eventStrings } from "./event.strings.ts";

/** What the reader's own clock shows at times of a form; undefined where it shows the same. */
export function ownTimes(typed: readonly string[], zone: string): string | undefined {
  const moments = typed.map((time) => typedMoment(time, zone)).filter((at) => !Number.isNaN(at.getTime()));
  if (!isElsewhereAt(zone, moments)) return undefined;
  return eventStrings.ownTimes(moments.map((at) => `${dateTime(at)} ${zoneName(at, ownZone())}`).join(" – "));
}
