import { monotonicMs } from "./outputs/frame-ring.ts";

/** The main thread listens again after so much work. */
const SLICE_MS = 10;
/** Limits are worked out at once as far as this from where the show is: what is drawn ahead, and a second and a half around a limited moment, with room. */
const LEAD_SECONDS = 10;
/** Between two slices of the rest: a fiftieth of a core. */
const REST_MS = 490;

/**
 * Works out the flash limits of a plan while it plays. On the largest rigs a whole song takes half a minute of a core: what
 * plays next comes at once, the rest beside it. What is sent before its limits are there is held by the live limiter alone.
 */
export class PlanLimits {
  readonly #slices: Iterator<number>;
  readonly #positionNow: () => number | undefined;
  #reached = 0;
  #now: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;

  /**
   * @param slices      a few milliseconds of work each, telling the second of the plan they have come to
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
