import { clamp } from "../basics/maths.ts";

/** Possible beats per bar, each with its prior, nats. */
const METRES = [
  { beats: 4, prior: 0 },
  { beats: 3, prior: -3 },
] as const;
/** Decay of the evidence per beat: about a dozen bars. */
const MEMORY = 0.98;
/** Prior probability that a beat is a downbeat. */
const USUAL = 0.25;
const SURE = 0.95;

/**
 * Finds where bars begin: scores each way to count by how well the network's downbeats fit it, with decaying memory.
 */
export class BarFinder {
  readonly #ways = METRES.flatMap(({ beats, prior }) =>
    Array.from({ length: beats }, (_, downbeat) => ({ beats, downbeat, prior, fit: 0 })),
  );

  /** @param beat number of a beat @param downbeat probability that it is the first of a bar, 0..1 */
  push(beat: number, downbeat: number): void {
    const p = clamp(downbeat, 1 - SURE, SURE);
    for (const way of this.#ways) {
      const isFirst = (beat - way.downbeat) % way.beats === 0;
      way.fit = way.fit * MEMORY + (isFirst ? Math.log(p / USUAL) : Math.log((1 - p) / (1 - USUAL)));
    }
  }

  get best(): { readonly beats: number; readonly downbeat: number } {
    return this.#ways.reduce((best, way) => (way.fit + way.prior > best.fit + best.prior ? way : best));
  }
}
