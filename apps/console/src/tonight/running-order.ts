/** A talk as it is planned. */
export interface PlannedTalk {
  readonly id: string;
  readonly title: string;
  readonly speaker: string;
  /** ms since 1970; undefined for a talk without a time */
  readonly startsAt: number | undefined;
}

/** A song of the show queue, the one that plays first. */
export interface QueuedSong {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  readonly seconds: number;
  /** #rrggbb of its show. */
  readonly colors: readonly string[];
}

export interface OrderLine {
  readonly key: string;
  readonly kind: "talk" | "song";
  readonly title: string;
  /** Speaker or artist. */
  readonly by: string;
  /** ms since 1970: of a talk as it is planned, of a song as it is expected. */
  readonly at: number | undefined;
  /** When a talk began, or is expected to, where that is not as planned; ms since 1970. */
  readonly really: number | undefined;
  readonly state: "over" | "now" | "next" | "later";
  /** #rrggbb of a song's show; none of talks. */
  readonly colors: readonly string[];
  /** Share of the song that plays that was heard, 0..1; undefined elsewhere. */
  readonly heard: number | undefined;
}

export interface NightNow {
  readonly nowMs: number;
  readonly talks: readonly PlannedTalk[];
  /** The talk on the stage screen, and when it began where that is known; undefined while there is none. */
  readonly talkOnStage: { readonly id: string; readonly since: number | undefined } | undefined;
  readonly songs: readonly QueuedSong[];
  /** Seconds of the first song that have been heard; below 0 before it begins. */
  readonly position: number;
  /** Seconds between two songs; below 0 both are heard. */
  readonly gap: number;
  readonly isPlaying: boolean;
}

/**
 * Talks and songs of a night on one line, by their times; talks without one come last. Over is a talk that was to begin before
 * the one on stage, or before now while none is; next is the first that is neither over nor on. By as much as the talk on stage
 * began late, those after it are expected late.
 */
export function runningOrder(night: NightNow): readonly OrderLine[] {
  const { nowMs, talks, talkOnStage, songs, position, gap, isPlaying } = night;
  const onStage = talks.find(({ id }) => id === talkOnStage?.id);
  const lateMs = latenessOf(onStage, talkOnStage?.since);
  const plain = { colors: [], heard: undefined };
  const boundary = onStage?.startsAt ?? nowMs;
  const talkLines = talks.map(
    ({ id, title, speaker, startsAt }): Omit<OrderLine, "state"> & { isOver: boolean; isNow: boolean } => ({
      ...plain,
      key: `talk ${id}`,
      kind: "talk",
      title,
      by: speaker,
      at: startsAt,
      really: startsAt !== undefined && startsAt >= boundary && lateMs > 0 ? startsAt + lateMs : undefined,
      isNow: id === onStage?.id,
      isOver: startsAt !== undefined && startsAt < boundary && id !== onStage?.id,
    }),
  );
  let from = nowMs - position * 1000;
  const songLines = songs.map(({ id, title, artist, seconds, colors }, i) => {
    const at = from;
    from += (seconds + gap) * 1000;
    return {
      key: `song ${id} ${i}`,
      kind: "song" as const,
      title,
      by: artist,
      at,
      really: undefined,
      isOver: false,
      isNow: i === 0 && isPlaying,
      colors,
      heard: i === 0 ? Math.min(1, Math.max(0, position / Math.max(1, seconds))) : undefined,
    };
  });
  const lines = [...talkLines, ...songLines].toSorted(
    (a, b) => (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY),
  );
  const next = lines.findIndex(({ isOver, isNow }) => !isOver && !isNow);
  return lines.map(({ isOver, isNow, ...line }, i) => ({
    ...line,
    state: isNow ? "now" : isOver ? "over" : i === next ? "next" : "later",
  }));
}

/** By how many minutes the night is behind its plan, as the talk on stage began; 0 while it is not, or while that is unknown. */
export function minutesBehind({ talks, talkOnStage }: Pick<NightNow, "talks" | "talkOnStage">): number {
  return Math.round(
    latenessOf(
      talks.find(({ id }) => id === talkOnStage?.id),
      talkOnStage?.since,
    ) / 60_000,
  );
}

/** Less is as planned. */
const LEAST_LATE_MS = 60_000;

/** By how much a talk began later than planned; 0 where it did not, or where that is unknown. */
function latenessOf(talk: PlannedTalk | undefined, since: number | undefined): number {
  if (talk?.startsAt === undefined || since === undefined) return 0;
  const lateMs = since - talk.startsAt;
  return lateMs >= LEAST_LATE_MS ? lateMs : 0;
}
