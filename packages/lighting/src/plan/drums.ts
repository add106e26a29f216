import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import type { BeatClock } from "../beat-clock.ts";

type Strokes = NonNullable<LightingPlan["strokes"]>;
export type Drum = keyof Strokes;

/** Strokes farther from every eighth than this are fills and ghost notes: lit, they would only look late. */
const GRID_SECONDS = 0.06;
/** Nearer strokes of one drum would ask for more flashes than are allowed. */
const APART_SECONDS = 0.36;
/** Strokes per beat from which a drum is a rhythm, and below which kicks are not simply the beat. */
const RHYTHM = { kick: { least: 0.3, most: 0.85 }, snare: { least: 0.2, most: 0.75 } } as const;

/** What of a song's drums can be lit: strokes on eighths, none too near to the one before. */
export function strokesToLight({ drums }: SongAnalysis, clock: BeatClock): Strokes {
  return { kick: lit(drums?.kick ?? [], clock), snare: lit(drums?.snare ?? [], clock) };
}

function lit(times: readonly number[], clock: BeatClock): number[] {
  const kept: number[] = [];
  for (const t of times) {
    const eighth = clock.timeAt(Math.round(2 * clock.beatAt(t)) / 2);
    if (Math.abs(t - eighth) <= GRID_SECONDS && eighth - (kept.at(-1) ?? Number.NEGATIVE_INFINITY) >= APART_SECONDS)
      kept.push(Math.round(Math.max(0, eighth) * 10_000) / 10_000);
  }
  return kept;
}

/** Drums whose rhythm says more than the beat does between two times, seconds. */
export function tellingDrums(strokes: Strokes, from: number, to: number, beats: number): readonly Drum[] {
  return (["kick", "snare"] as const).filter((drum) => {
    const perBeat = strokes[drum].filter((t) => t >= from && t < to).length / Math.max(1, beats);
    return perBeat >= RHYTHM[drum].least && perBeat <= RHYTHM[drum].most;
  });
}
