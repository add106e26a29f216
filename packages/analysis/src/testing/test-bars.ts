import type { Bar } from "../pulse/bars.ts";
import { seeded } from "./test-sounds.ts";

/** Levels of a band or a club track for some bars, 0..1. */
export interface Passage {
  readonly bars: number;
  readonly energy: number;
  /** Power below 150 Hz; equal to the energy if omitted. */
  readonly bass?: number;
  readonly drums?: number;
  readonly voice?: number;
  readonly synths?: number;
  /** A snare roll and treble that rise toward its end. */
  readonly rises?: boolean;
  /** Passages of one tune have the same chords and timbres. */
  readonly tune: number;
}

const BAR_SECONDS = 2;
const NOISE = 0.02;

/** Returns the bars that analysis would find in these passages, one after the other. */
export function playPassages(passages: readonly Passage[]): Bar[] {
  const random = seeded(5);
  const noisy = (value: number) => Math.max(0, value + NOISE * (2 * random() - 1));
  const bars: Bar[] = [];
  for (const passage of passages) {
    const { energy, bass = energy, drums = energy, voice = 0, synths = 0, rises = false, tune } = passage;
    for (let n = 0; n < passage.bars; n++) {
      const rise = rises ? (n + 1) / passage.bars : 0;
      const start = bars.length * BAR_SECONDS;
      const timbre = seeded(100 + tune);
      const chord = (5 * tune + [0, 5, 7, 3][n % 4]!) % 12;
      bars.push({
        start,
        end: start + BAR_SECONDS,
        timbre: Float32Array.from({ length: 12 }, () => noisy(1.2 * energy + 0.5 * timbre())),
        chroma: Float32Array.from({ length: 12 }, (_, c) => ([0, 4, 7].includes((c - chord + 12) % 12) ? 1 / 3 : 0)),
        energy: noisy(energy),
        bass: noisy(bass),
        treble: noisy(0.8 * energy + 0.4 * rise),
        density: noisy(0.5 * energy + 0.4 * drums),
        players: {
          vocal: noisy(0.8 * voice),
          kick: noisy(0.16 * drums),
          snare: noisy(0.08 * drums + (rises && rise > 0.8 ? 0.4 : 0)),
          hat: noisy(0.2 * drums),
          drums: noisy(0.9 * drums),
          bass: noisy(0.9 * bass),
          piano: noisy(0.3 * (1 - synths)),
          organ: 0,
          guitar: noisy(0.6 * (1 - synths)),
          strings: 0,
          brass: 0,
          reed: 0,
          lead: noisy(0.5 * synths * energy),
          pad: noisy(0.5 * synths),
          mallet: 0,
        },
        boundary: n === 0 ? 0.7 : 0.03,
      });
    }
  }
  return bars;
}
