/** A talk as it is planned. */
export interface EveningTalk {
  readonly id: string;
  readonly title: string;
  readonly speaker: string;
  /** ms since 1970; undefined for a talk without a time. */
  readonly at: number | undefined;
}

export interface EveningSong {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  /** Length of its sound. */
  readonly seconds: number;
}

export interface EveningPlaylist {
  readonly id: string;
  readonly name: string;
  /** Below 0: seconds in which two songs are heard together. */
  readonly gapSeconds: number;
  /** Those that can be played, in their order. */
  readonly songs: readonly EveningSong[];
}

export interface EveningPlan {
  readonly title: string;
  /** ms since 1970 */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly talks: readonly EveningTalk[];
  readonly talkMs: number;
  readonly playlists: readonly EveningPlaylist[];
}

export interface Moment {
  readonly at: number;
  readonly kind: "start" | "song" | "pause" | "talk" | "resume" | "music_end" | "end";
  readonly title: string;
  readonly by: string;
  readonly seconds: number;
  readonly songId: string;
  readonly gapSeconds: number;
}

export interface Evening {
  readonly moments: readonly Moment[];
  /** When the last song is over; undefined where the event ends first, or none is played. */
  readonly musicEndsAt: number | undefined;
  /** Time between start and end in which no talk is given, and how much of it has music. ms */
  readonly freeMs: number;
  readonly musicMs: number;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * An evening as it is planned: the playlists one after the other from the event's start, paused while a talk is given, until the
 * event ends. Pure.
 */
export function walkEvening({ title, startsAt, endsAt, talks, talkMs, playlists }: EveningPlan): Evening {
  const none = { title: "", by: "", seconds: 0, songId: "", gapSeconds: 0 };
  const given = talks.filter((talk): talk is EveningTalk & { readonly at: number } =>
    isWithin(talk.at, startsAt, endsAt),
  );
  const blocks = joined(given.map(({ at }) => ({ from: at, to: Math.min(endsAt, at + talkMs) })));
  const moments: Moment[] = [
    { ...none, at: startsAt, kind: "start", title, seconds: (endsAt - startsAt) / 1000 },
    ...given.map((talk) => ({ ...none, at: talk.at, kind: "talk" as const, title: talk.title, by: talk.speaker, seconds: talkMs / 1000 })), // prettier-ignore
    { ...none, at: endsAt, kind: "end", title },
  ];
  const music = songsInOrder(playlists);
  /** Where the music is, on a clock that stands while talks are given. */
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
  for (const { from, to } of blocks) {
    if (from - startsAt < 0 || musicBefore(startsAt, blocks, from) >= musicMs) continue;
    moments.push({ ...none, at: from, kind: "pause" });
    if (to < endsAt) moments.push({ ...none, at: to, kind: "resume" });
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

/** At one time: what begins before what ends. */
const ORDER: readonly Moment["kind"][] = ["start", "pause", "talk", "resume", "song", "music_end", "end"];

/** Songs with the seconds from the end of the one before; a cross-fade takes half of a short song at most, as the queue does. */
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

/** Talks that overlap are one stretch without music. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && stretch.from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) };
    else all.push(stretch);
  }
  return all;
}

/** When so much music has been heard. */
function atClock(startsAt: number, blocks: readonly Stretch[], heardMs: number): number {
  let at = startsAt + heardMs;
  for (const { from, to } of blocks) {
    if (at < from) break;
    at += to - from;
  }
  return at;
}

/** How much of the time before a moment has no talk. */
function musicBefore(startsAt: number, blocks: readonly Stretch[], at: number): number {
  const blocked = blocks.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0);
  return at - startsAt - blocked;
}
