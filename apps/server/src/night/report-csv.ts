import type { PlayedSongRow } from "../songs/queue/played-songs.store.ts";

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
const HEAD = ["title", "artist", "started", "seconds played", "full duration", "playlist"];

/**
 * Formats the played songs as CSV (RFC 4180), as collecting societies require.
 *
 * @param zone IANA time zone of the start times
 */
export function reportCsv(songs: readonly PlayedSongRow[], zone: string): string {
  const rows = songs.map((song) => [
    unarmed(song.title),
    unarmed(song.artist),
    localIso(song.started_at, zone),
    String(Math.round(song.heard_seconds)),
    String(Math.round(song.seconds)),
    unarmed(song.playlist),
  ]);
  return BYTE_ORDER_MARK + [HEAD, ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

/** Formats a time such as 2026-10-25T02:30:00+01:00; the offset distinguishes the repeated hour at the end of DST. */
export function localIso(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "longOffset",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  const offset = part("timeZoneName").replace("GMT", "").replace("\u2212", "-") || "+00:00";
  const date = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  return `${date}T${part("hour")}:${part("minute")}:${part("second")}${offset}`;
}

/** Time zone of this machine. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether a text names a time zone. */
export function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Disarms text that a spreadsheet would run as a formula: a leading apostrophe makes it text. */
const unarmed = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
