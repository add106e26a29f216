import { setTimeout as pause } from "node:timers/promises";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { RehearseNightResponseSchema, type RehearsalMoment } from "@followspot/contract/night";
import type { CallApi } from "../platform/http/call-api.ts";

export interface RehearseOptions {
  readonly eventId: string;
  readonly playlistIds: readonly string[];
  readonly talkMinutes: number;
  /** Playback speed as a multiple of real time; 0 prints everything at once. */
  readonly speed: number;
}

const WORDS: Readonly<Record<string, string>> = {
  start: "the event begins",
  song: "song",
  pause: "the music pauses",
  quiet: "the music is quiet",
  talk: "talk",
  resume: "the music goes on",
  full_volume: "the music is at full volume again",
  music_end: "the last song is over",
  end: "the event is over",
};

/**
 * Prints the findings of a rehearsal, then the moments of the evening. @param call API calls as a Director @throws
 * ApiError
 */
export async function rehearseVerb(
  call: CallApi,
  options: RehearseOptions,
  print: (line: string) => void,
): Promise<void> {
  const { speed, ...request } = options;
  const body = await call<JsonValue>("night.v1.NightService/RehearseNight", request);
  const { eventTitle, moments, findings, songsRendered, zone } = fromJson(RehearseNightResponseSchema, body);
  print(`${eventTitle}: ${findings.length === 0 ? "nothing would go wrong" : `${findings.length} things would go wrong`}; light of ${songsRendered} songs checked`); // prettier-ignore
  for (const { state, title, says } of findings) print(`${state.padEnd(8)} ${title}. ${says}`);
  print("");
  let before: Date | undefined;
  for (const moment of moments) {
    const at = moment.at ? timestampDate(moment.at) : new Date(0);
    if (speed > 0 && before) await pause((at.getTime() - before.getTime()) / speed);
    before = at;
    print(lineOf(at, zone, moment));
  }
}

/** Formats a moment: 8:10:00 PM  song  One, Mira (3:20) */
function lineOf(at: Date, timeZone: string, { kind, title, by, seconds }: RehearsalMoment): string {
  const lasts = kind === "song" || kind === "talk" ? ` (${minutes(seconds)})` : "";
  const what = [title, by].filter((part) => part !== "").join(", ");
  const time = at.toLocaleTimeString("en-US", { timeZone }).replaceAll("\u202f", " ");
  return `${time.padStart(11)}  ${[WORDS[kind] ?? kind, what].filter((part) => part !== "").join("  ")}${lasts}`;
}

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
