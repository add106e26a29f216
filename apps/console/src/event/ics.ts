import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import type { Event } from "@followspot/contract/event";

/** Talk as it appears in a calendar file. */
export interface IcsTalk {
  readonly title: string;
  /** Empty for a talk without a speaker. */
  readonly speaker: string;
  /** "8:30 PM"; empty for a talk that is not scheduled. */
  readonly time: string;
}

/**
 * Converts events to an iCalendar file (RFC 5545). The UID of an event is stable, so that a calendar that imports a
 * newer file updates the event.
 * @param talksOf talks of an event, in their order
 */
export function icsOf(events: readonly Event[], talksOf: (event: Event) => readonly IcsTalk[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Followspot//Events//EN",
    "CALSCALE:GREGORIAN",
    ...events.flatMap((event) => linesOf(event, talksOf(event))),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function linesOf(event: Event, talks: readonly IcsTalk[]): readonly string[] {
  const { id, title, startsAt, endsAt, location, address, lat, lng, createdAt, updatedAt, deletedAt } = event;
  const changed = deletedAt ?? updatedAt ?? createdAt;
  // A calendar cannot show an event without a start.
  if (!startsAt || !changed) return [];
  const place = [location, address].filter(Boolean).join(", ");
  return [
    "BEGIN:VEVENT",
    `UID:${id}@followspot`,
    `DTSTAMP:${utc(changed)}`,
    ...(createdAt ? [`CREATED:${utc(createdAt)}`] : []),
    `LAST-MODIFIED:${utc(changed)}`,
    `DTSTART:${utc(startsAt)}`,
    ...(endsAt ? [`DTEND:${utc(endsAt)}`] : []),
    `SUMMARY:${escaped(title)}`,
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    ...(lat === 0 && lng === 0 ? [] : [`GEO:${lat.toFixed(6)};${lng.toFixed(6)}`]),
    `STATUS:${deletedAt ? "CANCELLED" : "CONFIRMED"}`,
    ...(talks.length > 0 ? [`DESCRIPTION:${escaped(talks.map(talkLine).join("\n"))}`] : []),
    "END:VEVENT",
  ];
}

const talkLine = ({ time, title, speaker }: IcsTalk) =>
  [[time, title].filter(Boolean).join(" "), speaker].filter(Boolean).join(" – ");

/** Formats a time as "20260501T200000Z". */
const utc = (at: Timestamp): string =>
  timestampDate(at)
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, "");

/** Escapes text. Line breaks of any kind become \n; other control characters are removed. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll(/\r\n|\r|\n|\u2028|\u2029/g, "\\n")
    // eslint-disable-next-line no-control-regex -- these are meant
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");

const LINE_OCTETS = 75;
const utf8 = new TextEncoder();

/** Folds a line at 75 octets, including the leading space of continuation lines; no character is split. */
function folded(line: string): string {
  const rows: string[] = [];
  let row = "";
  let octets = 0;
  for (const character of line) {
    const size = utf8.encode(character).length;
    if (octets + size > LINE_OCTETS) {
      rows.push(row);
      row = " ";
      octets = 1;
    }
    row += character;
    octets += size;
  }
  return [...rows, row].join("\r\n");
}
