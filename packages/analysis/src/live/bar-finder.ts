import { clamp } from "../basics/maths.ts";

/** Beats a bar may have, and how much each is expected, nats. */
const METRES = [
  { beats: 4, prior: 0 },
  { beats: 3, prior: -3 },
] as const;
/** What was heard counts this much less with each beat: about a dozen bars. */
const MEMORY = 0.98;
/** Probability of a downbeat of any beat, without listening. */
const USUAL = 0.25;
const SURE = 0.95;

/** Where bars begin: of each way to count, how well the network's downbeats fit it, the past fading. */
export class BarFinder {
  readonly #ways = METRES.flatMap(({ beats, prior }) =>
    Array.from({ length: beats }, (_, downbeat) => ({ beats, downbeat, prior, fit: 0 })),
  );

  /** @param beat number of a beat @param downbeat how much it sounds like the first of a bar, 0..1 */
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
