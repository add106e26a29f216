import type { FrameRing } from "./frame-ring.ts";

/** Time without a frame after which the renderer counts as lost and strobes go off, ms. */
const LOST_MS = 500;
const HOLD_MS = 10_000;
const FADE_MS = 5_000;

/**
 * Look that is sent when no new frames arrive: it holds the last one without strobes, then fades to the default look.
 */
export class SafeLook {
  readonly #ring: FrameRing;
  readonly #frame: Uint8Array;
  readonly #held: Uint8Array;
  #lastFrameMs = 0;
  #isLost = false;

  /** @param frame outgoing frame, rewritten in place */
  constructor(ring: FrameRing, frame: Uint8Array) {
    this.#ring = ring;
    this.#frame = frame;
    this.#held = new Uint8Array(frame.length);
  }

  /** Resets the timeout when a good frame arrives. */
  restart(nowMs: number): void {
    this.#lastFrameMs = nowMs;
    this.#isLost = false;
  }

  /** Returns whether the renderer is lost and the frame now holds the safe look. */
  apply(nowMs: number): boolean {
    const since = nowMs - this.#lastFrameMs;
    if (since <= LOST_MS) return false;
    const { strobes, house } = this.#ring;
    if (!this.#isLost) {
      this.#isLost = true;
      for (let i = 0; i < this.#held.length; i++) this.#held[i] = strobes[i] ? 0 : this.#frame[i]!;
    }
    const mix = Math.min(1, Math.max(0, (since - LOST_MS - HOLD_MS) / FADE_MS));
    for (let i = 0; i < this.#held.length; i++) {
      this.#frame[i] = Math.round(this.#held[i]! + (house[i]! - this.#held[i]!) * mix);
    }
    return true;
  }
}
