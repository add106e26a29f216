import { monotonicMs } from "./outputs/frame-ring.ts";

/** Longest work before the main thread returns to its event loop, ms. */
const SLICE_MS = 10;
/**
 * How far beyond the playback position limits are computed at once, seconds: the ticks rendered ahead and 1.5 s around
 * a limited moment, with a margin.
 */
const LEAD_SECONDS = 10;
/** Pause between two slices of the rest, ms: 2 % of a core. */
const REST_MS = 490;

/**
 * Computes the flash limits of a plan while it plays. On the largest rigs a whole song takes half a minute of a core:
 * what plays next is computed at once, the rest in the background. Frames sent before their limits are known are
 * limited by the live limiter alone.
 */
export class PlanLimits {
  readonly #slices: Iterator<number>;
  readonly #positionNow: () => number | undefined;
  #reached = 0;
  #now: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;

  /**
   * @param slices      work in slices of a few milliseconds; each yields the second of the plan it has reached
   * @param positionNow seconds of the plan; undefined while it does not play
   */
  constructor(slices: Iterator<number>, positionNow: () => number | undefined) {
    this.#slices = slices;
    this.#positionNow = positionNow;
    this.#work();
  }

  stop(): void {
    clearImmediate(this.#now);
    clearTimeout(this.#later);
  }

  #work(): void {
    const until = monotonicMs() + SLICE_MS;
    do {
      const slice = this.#slices.next();
      if (slice.done) return;
      this.#reached = slice.value;
    } while (monotonicMs() < until);
    const wanted = (this.#positionNow() ?? Number.NEGATIVE_INFINITY) + LEAD_SECONDS;
    if (this.#reached < wanted) this.#now = setImmediate(() => this.#work());
    else this.#later = setTimeout(() => this.#work(), REST_MS);
  }
}
