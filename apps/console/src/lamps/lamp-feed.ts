import { applySentLamps, type SentLamps } from "@followspot/contract";
import type { PreviewClock } from "../stage-3d/preview-clock.ts";

/**
 * Latest DMX values of the fixtures, with subscribers that draw them. New values are drawn on the next animation frame.
 */
export class LampFeed implements PreviewClock {
  /** Slots by universe, updated in place. */
  readonly universes = new Map<number, Uint8Array>();
  readonly #draws = new Set<(seconds: number, wasSought: boolean) => void>();
  #frame = 0;

  readonly hear = (sent: SentLamps): void => {
    applySentLamps(this.universes, sent);
    if (sent.isWhole || sent.stretches.length > 0) this.redraw();
  };

  readonly onFrame = (draw: (seconds: number, wasSought: boolean) => void): (() => void) => {
    this.#draws.add(draw);
    this.redraw();
    return () => {
      this.#draws.delete(draw);
      if (this.#draws.size > 0) return;
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    };
  };

  readonly redraw = (): void => {
    this.#frame ||= requestAnimationFrame((now) => {
      this.#frame = 0;
      for (const draw of this.#draws) draw(now / 1000, false);
    });
  };
}
