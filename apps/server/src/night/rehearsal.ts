import type { MusicDuringTalks, SongStep } from "@followspot/contract";
import { walkEvening, type EveningPlan, type EveningTalk, type Moment } from "./evening.ts";
import { count, named, retriesOf, to, type PreflightSong } from "./preflight.ts";
import type { SongLight } from "./rehearse-light.ts";

/** Song of a playlist, playable or not. */
export interface RehearsedSong extends PreflightSong {
  readonly artist: string;
  readonly seconds: number;
  readonly hasSound: boolean;
  /** Warnings of its processing other than doubtful audio. */
  readonly warnings: readonly string[];
}

export interface RehearsedPlaylist {
  readonly id: string;
  readonly name: string;
  readonly gapSeconds: number;
  readonly songs: readonly RehearsedSong[];
}

export interface RehearsalFacts {
  readonly title: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly zone: string;
  readonly talks: readonly EveningTalk[];
  readonly talkMinutes: number;
  readonly musicDuringTalks: MusicDuringTalks;
  readonly playlists: readonly RehearsedPlaylist[];
  /** Enabled fixtures that emit light, by ID. */
  readonly lamps: ReadonlyMap<number, string>;
  readonly light: readonly SongLight[];
  /** Number of songs whose light was not computed within the time limit. */
  readonly unlit: number;
}

export interface Finding {
  readonly id: string;
  readonly state: "warning" | "fault";
  readonly title: string;
  readonly says: string;
  readonly path?: string;
  readonly action?: string;
  readonly at?: number;
  readonly retries?: readonly { readonly songId: string; readonly step: SongStep }[];
}

export interface Rehearsal {
  readonly moments: readonly Moment[];
  readonly findings: readonly Finding[];
}

const MINUTE = 60_000;
/** Silence before the end of the event that counts as intended, ms. */
const QUIET_END_MS = 10 * MINUTE;
/** Share of limited frames above which a song is reported. */
const MOST_LIMITED = 0.1;

/** Whether a song can be played in an evening. */
export const isPlayable = ({ state, hasSound }: RehearsedSong): boolean => state === "ready" && hasSound;

export function eveningOf(facts: RehearsalFacts): EveningPlan {
  const { title, startsAt, endsAt, talks, talkMinutes, musicDuringTalks, playlists } = facts;
  const playable = playlists.map((playlist) => ({ ...playlist, songs: playlist.songs.filter(isPlayable) }));
  return { title, startsAt, endsAt, talks, talkMs: talkMinutes * MINUTE, musicDuringTalks, playlists: playable };
}

/** Returns the schedule of an evening and its findings, faults first. Pure. */
export function rehearse(facts: RehearsalFacts): Rehearsal {
  const evening = walkEvening(eveningOf(facts));
  const found = [
    ...times(facts),
    ...talks(facts),
    ...songs(facts),
    ...transitions(facts),
    ...music(facts, evening),
    ...flashes(facts),
    ...lamps(facts),
  ];
  const isFault = ({ state }: Finding) => state === "fault";
  return { moments: evening.moments, findings: [...found.filter(isFault), ...found.filter((each) => !isFault(each))] };
}

function times({ startsAt, endsAt, zone }: RehearsalFacts): readonly Finding[] {
  const [before, after] = [offsetOf(startsAt, zone), offsetOf(endsAt, zone)];
  if (before === after) return [];
  const way = after > before ? "forward" : "back";
  const hours = ((endsAt - startsAt) / 3_600_000).toFixed(1).replace(/\.0$/, "");
  return [
    {
      id: "times",
      state: "warning",
      title: "Clock",
      says: `The clocks go ${way} in this night (${zone}). From ${timeIn(startsAt, zone)} to ${timeIn(endsAt, zone)} it lasts ${hours} hours; look whether that is meant.`,
      ...to("/events", "Events"),
    },
  ];
}

function talks({ talks: all, startsAt, endsAt, talkMinutes, zone }: RehearsalFacts): readonly Finding[] {
  const title = "Talks";
  const open = to("/events", "Events");
  const found: Finding[] = [];
  const timeless = all.filter(({ at }) => at === undefined);
  if (timeless.length > 0)
    found.push({ id: "talks", state: "warning", title, says: `${named(timeless)}: no time is set, so it has no place in the evening. Give it one.`, ...open }); // prettier-ignore
  const timed = all.filter((talk): talk is EveningTalk & { readonly at: number } => talk.at !== undefined).toSorted((a, b) => a.at - b.at); // prettier-ignore
  for (const talk of timed.filter(({ at }) => at < startsAt || at >= endsAt))
    found.push({
      id: "talks",
      state: "fault",
      title,
      says: `${named([talk])} begins ${talk.at < startsAt ? "before the event does" : "when the event is over"}, ${dayAndTime(talk.at, zone)}. Move the talk or the event.`,
      ...open,
      at: talk.at,
    });
  for (const [i, talk] of timed.entries()) {
    const next = timed[i + 1];
    if (!next || next.at - talk.at >= talkMinutes * MINUTE) continue;
    const apart = Math.round((next.at - talk.at) / MINUTE);
    found.push({
      id: "talks",
      state: apart === 0 ? "fault" : "warning",
      title,
      says:
        apart === 0
          ? `${named([talk, next])} begin at the same time, ${timeIn(talk.at, zone)}. Move one of them.`
          : `${named([next])} begins ${count(apart, "minute", "minutes")} after ${named([talk])}, and a talk is taken to last ${talkMinutes}. Move one of them, or rehearse with shorter talks.`,
      ...open,
      at: next.at,
    });
  }
  return found;
}

function songs({ playlists }: RehearsalFacts): readonly Finding[] {
  const all = [...new Map(playlists.flatMap((playlist) => playlist.songs).map((song) => [song.id, song])).values()];
  const found: Finding[] = [];
  const add = (finding: Finding, broken: readonly RehearsedSong[]) => broken.length > 0 && found.push(finding);
  const open = to("/music", "Music");
  const failed = all.filter(({ state }) => state === "failed");
  add(
    {
      id: "songs",
      state: "fault",
      title: "Songs",
      says: `${count(failed.length, "song has", "songs have")} no show and will be left out: ${named(failed)}. ${failed[0]?.problem ?? ""}`.trim(), // prettier-ignore
      ...open,
      retries: retriesOf(failed),
    },
    failed,
  );
  const waiting = all.filter(({ state }) => state === "at work");
  add(
    {
      id: "songs",
      state: "warning",
      title: "Songs",
      says: `${count(waiting.length, "song is", "songs are")} not ready yet: ${named(waiting)}. Wait, or take ${waiting.length === 1 ? "it" : "them"} off the playlist.`,
      ...open,
    },
    waiting,
  );
  const silent = all.filter(({ state, hasSound }) => state === "ready" && !hasSound);
  add(
    {
      id: "sound",
      state: "fault",
      title: "Sound files",
      says: `The file of sound is missing: ${named(silent)}. Light would play without sound. Download it again.`,
      ...open,
      retries: silent.map(({ id }) => ({ songId: id, step: "download" })),
    },
    silent,
  );
  const doubtful = all.filter(({ isDoubtful }) => isDoubtful);
  add(
    {
      id: "hearing",
      state: "warning",
      title: "Sound of the songs",
      says: `The sound of ${named(doubtful)} is silent, broken or distorted. Listen to it, and get a better copy where you hear it.`,
      ...open,
    },
    doubtful,
  );
  const old = all.filter(({ isOfOtherRig }) => isOfOtherRig);
  add(
    {
      id: "plans",
      state: "warning",
      title: "Shows and rig",
      says: `The rig has groups that ${count(old.length, "show knows", "shows know")} nothing of: ${named(old)}. Plan them again.`,
      ...open,
      retries: old.map(({ id }) => ({ songId: id, step: "lighting" })),
    },
    old,
  );
  const warned = all.filter(({ state, isDoubtful, warnings }) => state === "ready" && !isDoubtful && warnings.length > 0); // prettier-ignore
  add(
    {
      id: "plans",
      state: "warning",
      title: "Warnings of songs",
      says: `${count(warned.length, "song has", "songs have")} a warning: ${named(warned)}. Music says which; look at the show once before the night.`,
      ...open,
    },
    warned,
  );
  return found;
}

function transitions({ playlists }: RehearsalFacts): readonly Finding[] {
  return playlists.flatMap(({ name, gapSeconds, songs: all }): readonly Finding[] => {
    const short = all.filter((song) => isPlayable(song) && -gapSeconds > song.seconds / 2);
    if (short.length === 0) return [];
    return [
      {
        id: "transitions",
        state: "warning",
        title: "Cross-fades",
        says: `The cross-fade of "${name}" (${-gapSeconds} s) is longer than half of ${named(short)}; it is cut to half there. Make it shorter, or take the song off.`,
        ...to("/music/playlists", "Playlists"),
      },
    ];
  });
}

function music(
  { playlists, endsAt, zone }: RehearsalFacts,
  { musicEndsAt, freeMs }: ReturnType<typeof walkEvening>,
): readonly Finding[] {
  const title = "Music";
  const open = to("/music/playlists", "Playlists");
  if (playlists.length === 0)
    return [{ id: "music", state: "warning", title, says: "There is no playlist: the evening has no music. Make one.", ...open }]; // prettier-ignore
  const found: Finding[] = [];
  for (const { name, songs: all } of playlists) {
    if (all.length === 0)
      found.push({ id: "music", state: "warning", title, says: `"${name}" has no songs. Add some.`, ...open });
    else if (!all.some(isPlayable))
      found.push({ id: "music", state: "fault", title, says: `No song of "${name}" can be played: nothing would be heard or seen. Mend its songs, or choose another playlist.`, ...open }); // prettier-ignore
  }
  if (musicEndsAt !== undefined && freeMs > 0 && endsAt - musicEndsAt > QUIET_END_MS)
    found.push({
      id: "music",
      state: "warning",
      title,
      says: `The last song is over at ${timeIn(musicEndsAt, zone)}, and the event at ${timeIn(endsAt, zone)}: ${lasting(endsAt - musicEndsAt)} without music. Add songs, or let the playlist repeat.`,
      ...open,
      at: musicEndsAt,
    });
  return found;
}

function flashes({ light, unlit }: RehearsalFacts): readonly Finding[] {
  const found: Finding[] = [];
  const open = to("/music", "Music");
  const title = "Flashes";
  const over = light.filter(({ mostFlashes, allowedFlashes }) => mostFlashes > allowedFlashes);
  if (over.length > 0)
    found.push({
      id: "flashes",
      state: "fault",
      title,
      says: `${named(over)} would flash more often than the limit allows on this rig (${Math.max(...over.map(({ mostFlashes }) => mostFlashes))} a second, ${over[0]!.allowedFlashes} are allowed). Plan it again.`,
      ...open,
      retries: over.map(({ songId }) => ({ songId, step: "lighting" })),
    });
  const held = light.filter(({ limitedShare }) => limitedShare > MOST_LIMITED);
  if (held.length > 0)
    found.push({
      id: "flashes",
      state: "warning",
      title,
      says: `The flash limit holds back a good part of ${named(held)} on this rig: it looks duller than it was planned. Plan it again.`,
      ...open,
      retries: held.map(({ songId }) => ({ songId, step: "lighting" })),
    });
  const unread = light.filter(({ problem }) => problem !== "");
  if (unread.length > 0)
    found.push({
      id: "plans",
      state: "fault",
      title: "Shows",
      says: `The show of ${named(unread)} cannot be read. Plan it again.`,
      ...open,
      retries: unread.map(({ songId }) => ({ songId, step: "lighting" })),
    });
  if (unlit > 0)
    found.push({ id: "plans", state: "warning", title: "Light", says: `The light of ${count(unlit, "song", "songs")} was not looked at: it took too long. Rehearse fewer playlists at once.` }); // prettier-ignore
  return found;
}

function lamps({ light, lamps: all }: RehearsalFacts): readonly Finding[] {
  const looked = light.filter(({ problem }) => problem === "");
  if (looked.length === 0) return [];
  const lit = new Set(looked.flatMap(({ litLamps }) => litLamps));
  const dark = new Set(looked.flatMap(({ darkLamps }) => darkLamps));
  const found: Finding[] = [];
  const namesOf = (ids: readonly number[]) => named(ids.map((id) => ({ title: all.get(id) || `Light ${id}` })));
  const never = [...all.keys()].filter((id) => !lit.has(id));
  if (never.length > 0)
    found.push({
      id: "lamps",
      state: "warning",
      title: "Lamps",
      says: `Never lit in the whole evening: ${namesOf(never)}. Put ${never.length === 1 ? "it" : "them"} into a group the shows use, and plan the songs again.`,
      ...to("/lights", "Lights"),
    });
  const always = [...all.keys()].filter((id) => lit.has(id) && !dark.has(id));
  if (always.length > 0)
    found.push({
      id: "lamps",
      state: "warning",
      title: "Lamps",
      says: `Never dark in any song: ${namesOf(always)}. Look whether that is meant; contrast comes from darkness.`,
      ...to("/lights", "Lights"),
    });
  return found;
}

/** Formats a time as in the console: 10:40 PM */
function timeIn(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hour: "numeric", minute: "2-digit" });
  return format.format(at).replaceAll("\u202f", " ");
}

/** Formats a date and time: on Oct 25 at 2:30 AM */
function dayAndTime(at: number, zone: string): string {
  const day = new Intl.DateTimeFormat("en-US", { timeZone: zone, month: "short", day: "numeric" }).format(at);
  return `on ${day} at ${timeIn(at, zone)}`;
}

/** Returns the offset of a time zone from UTC, minutes. */
function offsetOf(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(at);
  const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Formats a duration: "2 h 20 min" */
function lasting(ms: number): string {
  const minutes = Math.round(ms / MINUTE);
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(" ");
}
