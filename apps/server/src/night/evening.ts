import type { MusicDuringTalks } from "@followspot/contract";
import { duringTalk } from "../songs/queue/talk-music.ts";

/** Scheduled talk. */
export interface EveningTalk {
  readonly id: string;
  readonly title: string;
  readonly speaker: string;
  /** Start, ms since 1970; undefined for a talk without a time. */
  readonly at: number | undefined;
}

export interface EveningSong {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  /** Duration of its audio. */
  readonly seconds: number;
}

export interface EveningPlaylist {
  readonly id: string;
  readonly name: string;
  /** Negative: seconds of cross-fade. */
  readonly gapSeconds: number;
  /** Playable songs in order. */
  readonly songs: readonly EveningSong[];
}

export interface EveningPlan {
  readonly title: string;
  /** ms since 1970 */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly talks: readonly EveningTalk[];
  readonly talkMs: number;
  readonly musicDuringTalks: MusicDuringTalks;
  readonly playlists: readonly EveningPlaylist[];
}

export interface Moment {
  readonly at: number;
  readonly kind: "start" | "song" | "pause" | "quiet" | "talk" | "resume" | "full_volume" | "music_end" | "end";
  readonly title: string;
  readonly by: string;
  readonly seconds: number;
  readonly songId: string;
  readonly gapSeconds: number;
}

export interface Evening {
  readonly moments: readonly Moment[];
  /** End of the last song; undefined if the event ends first or there are no songs. */
  readonly musicEndsAt: number | undefined;
  /** Time of the event without talks, and how much of it has music, ms. */
  readonly freeMs: number;
  readonly musicMs: number;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Simulates the schedule of an evening: the playlists in sequence from the start of the event until its end. During talks
 * the music pauses, is quiet or continues, by the rule of the show queue. Pure.
 */
export function walkEvening(plan: EveningPlan): Evening {
  const { title, startsAt, endsAt, talks, talkMs, playlists } = plan;
  const none = { title: "", by: "", seconds: 0, songId: "", gapSeconds: 0 };
  const given = talks.filter((talk): talk is EveningTalk & { readonly at: number } =>
    isWithin(talk.at, startsAt, endsAt),
  );
  const withTalk = joined(given.map(({ at }) => ({ from: at, to: Math.min(endsAt, at + talkMs) })));
  const state = duringTalk({ mode: "playing", for_talk: null, talk_screen: null }, "", plan.musicDuringTalks);
  const blocks = state.mode === "paused" ? withTalk : [];
  const moments: Moment[] = [
    { ...none, at: startsAt, kind: "start", title, seconds: (endsAt - startsAt) / 1000 },
    ...given.map((talk) => ({ ...none, at: talk.at, kind: "talk" as const, title: talk.title, by: talk.speaker, seconds: talkMs / 1000 })), // prettier-ignore
    { ...none, at: endsAt, kind: "end", title },
  ];
  const music = songsInOrder(playlists);
  /** Position in the music, on a clock that pauses during talks, ms. */
  let heardMs = 0;
  const clockOf = (ms: number) => atClock(startsAt, blocks, ms);
  for (const { song, gapSeconds } of music) {
    const from = Math.max(0, heardMs + gapSeconds * 1000);
    const at = clockOf(from);
    if (at >= endsAt) break;
    const { id: songId, seconds } = song;
    moments.push({ at, kind: "song", title: song.title, by: song.artist, seconds, songId, gapSeconds });
    heardMs = from + seconds * 1000;
  }
  const blockedMs = blocks.reduce((sum, { from, to }) => sum + to - from, 0);
  const freeMs = endsAt - startsAt - blockedMs;
  const musicMs = Math.min(heardMs, freeMs);
  const musicEndsAt = heardMs > 0 && heardMs < freeMs ? clockOf(heardMs) : undefined;
  const change = { paused: ["pause", "resume"], quiet: ["quiet", "full_volume"] } as const;
  for (const { from, to } of state.for_talk ? withTalk : []) {
    if (musicBefore(startsAt, blocks, from) >= musicMs) continue;
    const [begin, end] = change[state.for_talk!];
    moments.push({ ...none, at: from, kind: begin });
    if (to < endsAt && musicBefore(startsAt, blocks, to) < musicMs) moments.push({ ...none, at: to, kind: end });
  }
  if (musicEndsAt !== undefined) moments.push({ ...none, at: musicEndsAt, kind: "music_end" });
  const rank = (kind: Moment["kind"]) => ORDER.indexOf(kind);
  return {
    moments: moments.toSorted((a, b) => a.at - b.at || rank(a.kind) - rank(b.kind)),
    musicEndsAt,
    freeMs,
    musicMs,
  };
}

/** Order of simultaneous moments: an ending precedes a beginning. */
const ORDER: readonly Moment["kind"][] = [
  "start",
  "pause",
  "quiet",
  "talk",
  "resume",
  "full_volume",
  "song",
  "music_end",
  "end",
];

/**
 * Returns the songs with the gap before each, in seconds. As in the queue, a cross-fade takes at most half of a short
 * song.
 */
function songsInOrder(playlists: readonly EveningPlaylist[]) {
  let before: EveningSong | undefined;
  return playlists.flatMap(({ songs, gapSeconds }) =>
    songs.map((song) => {
      const gap = before === undefined ? 0 : Math.max(gapSeconds, -before.seconds / 2);
      before = song;
      return { song, gapSeconds: gap };
    }),
  );
}

const isWithin = (at: number | undefined, from: number, to: number): boolean =>
  at !== undefined && at >= from && at < to;

/** Merges overlapping talks into one stretch without music. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && stretch.from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) };
    else all.push(stretch);
  }
  return all;
}

/** Returns the time at which this much music has been played. */
function atClock(startsAt: number, blocks: readonly Stretch[], heardMs: number): number {
  let at = startsAt + heardMs;
  for (const { from, to } of blocks) {
    if (at < from) break;
    at += to - from;
  }
  return at;
}

/** Returns the time without talks before a moment, ms. */
function musicBefore(startsAt: number, blocks: readonly Stretch[], at: number): number {
  const blocked = blocks.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0);
  return at - startsAt - blocked;
}
