/** Over so long the two clocks do not part by a tenth of a millisecond, and sound that was interrupted is soon in time again. */
const WINDOW_MS = 1500;

/**
 * When a frame of a sound card was there, on the clock of the page. Blocks come late by what the page was busy with, never
 * early: the promptest of the last seconds tells how the two clocks stand to each other.
 */
export class FrameClock {
  readonly #sampleRate: number;
  readonly #seen: { readonly atMs: number; readonly lagMs: number }[] = [];

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** A block that ends before frame `end` has come. @returns ms of the page at which frame `frame` was there */
  see(end: number, frame: number, nowMs: number): number {
    this.#seen.push({ atMs: nowMs, lagMs: nowMs - this.#ms(end) });
    while (nowMs - this.#seen[0]!.atMs > WINDOW_MS) this.#seen.shift();
    return this.#ms(frame) + Math.min(...this.#seen.map(({ lagMs }) => lagMs));
  }

  /** The frame that is there at a moment of the page; undefined before any was seen. */
  frameAt(nowMs: number): number | undefined {
    const lagMs = Math.min(...this.#seen.map((each) => each.lagMs));
    return this.#seen.length === 0 ? undefined : ((nowMs - lagMs) / 1000) * this.#sampleRate;
  }

  #ms(frame: number): number {
    return (frame / this.#sampleRate) * 1000;
  }
}
