import type { LiveLight } from "@followspot/lighting";
import type { StageScene } from "./desk/desk-scene.ts";

/** A recording does not follow sound, so its content is irrelevant here. */
type Scene = StageScene | { readonly kind: "recorded" };

/** Invisible differences: less than half a step of a byte, and half a millisecond of the plan. */
const LEAST_LIGHT = 1 / 512;
const LEAST_SECONDS = 0.0005;

/**
 * Remembers the inputs of ticks that are rendered but not sent, so that only ticks whose light has changed are rendered
 * again.
 */
export class DrawnTicks {
  #drawn: { readonly tick: number; readonly scene: Scene }[] = [];

  /** Records the scene of a tick. Ticks before `next` are sent. */
  note(tick: number, scene: Scene, next: number): void {
    this.#drawn = this.#drawn.filter((drawn) => drawn.tick >= next && drawn.tick < tick);
    this.#drawn.push({ tick, scene });
  }

  /** Returns the first tick from `from` on that would be rendered differently by now; undefined if all may stay. */
  firstChanged(from: number, sceneOf: (tick: number) => Scene): number | undefined {
    return this.#drawn.find(({ tick, scene }) => tick >= from && !isSame(scene, sceneOf(tick)))?.tick;
  }
}

/** Compares only live light, the one part that sound changes; all other changes reach the stage as notifications. */
function isSame(a: Scene, b: Scene): boolean {
  if (a.kind !== "show" || b.kind !== "show" || !a.live || !b.live) return false;
  return Math.abs(a.houseMix - b.houseMix) < LEAST_LIGHT && isSameLight(a.live, b.live);
}

function isSameLight(a: LiveLight, b: LiveLight): boolean {
  const isSamePlace = Math.abs(a.position - b.position) < LEAST_SECONDS;
  const isSameFade =
    a.from === b.from ||
    (a.from !== undefined &&
      b.from !== undefined &&
      Math.abs(a.from.position - b.from.position) < LEAST_SECONDS &&
      Math.abs(a.from.share - b.from.share) < LEAST_LIGHT);
  const isSameLoudness =
    Math.abs(a.ride - b.ride) < LEAST_LIGHT &&
    Math.abs(a.bands.bass - b.bands.bass) < LEAST_LIGHT &&
    Math.abs(a.bands.mid - b.bands.mid) < LEAST_LIGHT &&
    Math.abs(a.bands.high - b.bands.high) < LEAST_LIGHT &&
    Math.abs(a.bands.energy - b.bands.energy) < LEAST_LIGHT;
  return isSamePlace && isSameFade && isSameLoudness;
}
