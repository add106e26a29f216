/**
 * Window over which the two clocks drift by less than 0.1 ms, and after which interrupted audio is in sync again, ms.
 */
const WINDOW_MS = 1500;

/**
 * Maps frames of a sound card to times on the clock of the page. Blocks arrive late if the page is busy, but never
 * early. The least delayed block of the window therefore gives the offset between the two clocks.
 */
export class FrameClock {
  readonly #sampleRate: number;
  readonly #seen: { readonly atMs: number; readonly lagMs: number }[] = [];

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /**
   * Records the arrival of a block that ends before frame `end`. @returns time of frame `frame` on the page's clock, ms
   */
  see(end: number, frame: number, nowMs: number): number {
    this.#seen.push({ atMs: nowMs, lagMs: nowMs - this.#ms(end) });
    while (nowMs - this.#seen[0]!.atMs > WINDOW_MS) this.#seen.shift();
    return this.#ms(frame) + Math.min(...this.#seen.map(({ lagMs }) => lagMs));
  }

  /** Returns the current frame at a time of the page; undefined before any block has arrived. */
  frameAt(nowMs: number): number | undefined {
    const lagMs = Math.min(...this.#seen.map((each) => each.lagMs));
    return this.#seen.length === 0 ? undefined : ((nowMs - lagMs) / 1000) * this.#sampleRate;
  }

  #ms(frame: number): number {
    return (frame / this.#sampleRate) * 1000;
  }
}
