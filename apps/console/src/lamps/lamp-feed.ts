import { applySentLamps, type SentLamps } from "@followspot/contract";
import type { PreviewClock } from "../stage-3d/preview-clock.ts";

/** What is known of the bytes that lamps get, and who draws them: whenever some come, on the next frame of the screen. */
export class LampFeed implements PreviewClock {
  /** Slots of each universe; written into as they come. */
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
