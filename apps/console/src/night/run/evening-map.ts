import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { RehearsalMoment, RehearseNightResponse } from "@followspot/contract/night";

/** A time of the evening that has one song, from its start or from where it paused. Times are ms since 1970. */
interface Stretch {
  readonly song: RehearsalMoment;
  readonly from: number;
  /** The next song begins, or the music pauses or is over: at most the gap after the song. */
  readonly to: number;
  /** Where the song is at `from`, seconds. */
  readonly position: number;
}

export interface EveningMap {
  /** ms since 1970 */
  readonly from: number;
  readonly to: number;
  readonly moments: readonly RehearsalMoment[];
  readonly stretches: readonly Stretch[];
}

/** What an evening has at a moment. */
export interface EveningPlace {
  /** Song at this time; undefined while no music plays. */
  readonly song: RehearsalMoment | undefined;
  /** Seconds of the song; the gap after it is its end. */
  readonly position: number;
  /** The talk that is given; of two at once the later. */
  readonly talk: RehearsalMoment | undefined;
  readonly next: RehearsalMoment | undefined;
}

export const momentMs = ({ at }: RehearsalMoment): number => (at ? timestampMs(at) : 0);

/** Builds a map from time to songs and talks of a rehearsed evening. */
export function mapEvening({ moments, startsAt, endsAt }: RehearseNightResponse): EveningMap {
  const stretches: Stretch[] = [];
  let song: RehearsalMoment | undefined;
  let since = 0;
  let position = 0;
  const close = (at: number): void => {
    if (song && at > since) stretches.push({ song, from: since, to: at, position });
    position += (at - since) / 1000;
    since = at;
  };
  let isPaused = false;
  for (const moment of moments) {
    const at = momentMs(moment);
    if (moment.kind === "song") {
      if (!isPaused) close(at);
      [song, since, position] = [moment, at, 0];
    } else if (moment.kind === "pause") {
      close(at);
      isPaused = true;
    } else if (moment.kind === "resume") {
      since = at;
      isPaused = false;
    } else if (moment.kind === "music_end" || moment.kind === "end") {
      if (!isPaused) close(at);
      song = undefined;
    }
  }
  return { from: startsAt ? timestampMs(startsAt) : 0, to: endsAt ? timestampMs(endsAt) : 0, moments, stretches };
}

/** Returns the song, song position, talk and next moment at a time, ms since 1970. */
export function placeAt({ moments, stretches }: EveningMap, ms: number): EveningPlace {
  const stretch = stretches.findLast(({ from, to }) => from <= ms && ms < to);
  const isGiven = (moment: RehearsalMoment) =>
    moment.kind === "talk" && momentMs(moment) <= ms && ms < momentMs(moment) + moment.seconds * 1000;
  return {
    song: stretch?.song,
    position: stretch ? Math.min(stretch.song.seconds, stretch.position + (ms - stretch.from) / 1000) : 0,
    talk: moments.findLast(isGiven),
    next: moments.find((moment) => momentMs(moment) > ms),
  };
}
