/** A planned talk. */
export interface PlannedTalk {
  readonly id: string;
  readonly title: string;
  readonly speaker: string;
  /** ms since 1970; undefined for a talk without a time */
  readonly startsAt: number | undefined;
}

/** A song of the show queue, in queue order from the current song. */
export interface QueuedSong {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  readonly seconds: number;
  /** Colors of its show, #rrggbb. */
  readonly colors: readonly string[];
}

export interface OrderLine {
  readonly key: string;
  /** ID of the talk or song. */
  readonly id: string;
  readonly kind: "talk" | "song";
  readonly title: string;
  /** Speaker or artist. */
  readonly by: string;
  /** Planned start of a talk or expected start of a song, ms since 1970. */
  readonly at: number | undefined;
  /** Actual or expected start of a talk if it differs from the plan, ms since 1970; otherwise undefined. */
  readonly really: number | undefined;
  readonly state: "over" | "due" | "now" | "next" | "later";
  /** Colors of a song's show, #rrggbb; empty for talks. */
  readonly colors: readonly string[];
  /** Played share of the current song, 0..1; undefined for other entries. */
  readonly heard: number | undefined;
}

export interface NightNow {
  readonly nowMs: number;
  readonly talks: readonly PlannedTalk[];
  /** The talk on the stage screen and its start if known; undefined if there is none. */
  readonly talkOnStage: { readonly id: string; readonly since: number | undefined } | undefined;
  readonly songs: readonly QueuedSong[];
  /** Position in the first song, s; negative before it begins. */
  readonly position: number;
  /** Gap between two songs, s; negative for a crossfade. */
  readonly gap: number;
  readonly isPlaying: boolean;
}

/** Length of a talk if the next one does not begin sooner, ms. */
const TALK_MS = 20 * 60_000;

/**
 * Merges talks and songs of a night by time; talks without a time come last. A talk is over if it was planned before
 * the talk on stage. If none is on stage, it is over at the end of its slot and due during the slot. The first entry that
 * is neither over nor due nor current is next. Later talks are expected late by as much as the talk on stage began late.
 */
export function runningOrder(night: NightNow): readonly OrderLine[] {
  const { nowMs, talks, talkOnStage, songs, position, gap, isPlaying } = night;
  const onStage = talks.find(({ id }) => id === talkOnStage?.id);
  const lateMs = latenessOf(onStage, talkOnStage?.since);
  const plain = { colors: [], heard: undefined };
  const boundary = onStage?.startsAt ?? nowMs;
  const due = onStage ? undefined : talkDue(talks, nowMs);
  type Line = Omit<OrderLine, "state"> & { isOver: boolean; isNow: boolean; isDue: boolean };
  const talkLines = talks.map(({ id, title, speaker, startsAt }): Line => ({
    ...plain,
    key: `talk ${id}`,
    id,
    kind: "talk",
    title,
    by: speaker,
    at: startsAt,
    really: startsAt !== undefined && startsAt >= boundary && lateMs > 0 ? startsAt + lateMs : undefined,
    isNow: id === onStage?.id,
    isDue: id === due?.id,
    isOver: startsAt !== undefined && startsAt < boundary && id !== onStage?.id && id !== due?.id,
  }));
  let from = nowMs - position * 1000;
  const songLines = songs.map(({ id, title, artist, seconds, colors }, i) => {
    const at = from;
    from += (seconds + gap) * 1000;
    return {
      key: `song ${id} ${i}`,
      id,
      kind: "song" as const,
      title,
      by: artist,
      at,
      really: undefined,
      isOver: false,
      isDue: false,
      isNow: i === 0 && isPlaying,
      colors,
      heard: i === 0 ? Math.min(1, Math.max(0, position / Math.max(1, seconds))) : undefined,
    };
  });
  const lines = [...talkLines, ...songLines].toSorted(
    (a, b) => (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY),
  );
  const next = lines.findIndex(({ isOver, isNow, isDue }) => !isOver && !isNow && !isDue);
  return lines.map(({ isOver, isNow, isDue, ...line }, i) => ({
    ...line,
    state: isNow ? "now" : isDue ? "due" : isOver ? "over" : i === next ? "next" : "later",
  }));
}

/** Returns the talk whose slot includes now: the last one that was to begin, unless it has ended. */
function talkDue(talks: readonly PlannedTalk[], nowMs: number): PlannedTalk | undefined {
  const begun = talks.filter(({ startsAt }) => startsAt !== undefined && startsAt <= nowMs);
  const last = begun.toSorted((a, b) => b.startsAt! - a.startsAt!)[0]; // the filter leaves talks with a start
  return last && nowMs < last.startsAt! + TALK_MS ? last : undefined;
}

/**
 * Returns by how many minutes the night is behind its plan, from the start of the talk on stage; 0 if it is on time or
 * that start is unknown.
 */
export function minutesBehind({ talks, talkOnStage }: Pick<NightNow, "talks" | "talkOnStage">): number {
  return Math.round(
    latenessOf(
      talks.find(({ id }) => id === talkOnStage?.id),
      talkOnStage?.since,
    ) / 60_000,
  );
}

/** Minimum delay that counts as late, ms. */
const LEAST_LATE_MS = 60_000;

/** Returns how late a talk began, ms; 0 if it was on time or its start is unknown. */
function latenessOf(talk: PlannedTalk | undefined, since: number | undefined): number {
  if (talk?.startsAt === undefined || since === undefined) return 0;
  const lateMs = since - talk.startsAt;
  return lateMs >= LEAST_LATE_MS ? lateMs : 0;
}
