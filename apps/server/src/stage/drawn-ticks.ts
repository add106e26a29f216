import type { LiveLight } from "@followspot/lighting";
import type { StageScene } from "./desk/desk-scene.ts";

/** What was recorded does not follow sound, and is not looked into. */
type Scene = StageScene | { readonly kind: "recorded" };

/** Differences that cannot be seen: less than half a step of a byte, and half a thousandth of a second of the plan. */
const LEAST_LIGHT = 1 / 512;
const LEAST_SECONDS = 0.0005;

/** What the ticks that are drawn and not sent were drawn from, so that only those are drawn again whose light has changed. */
export class DrawnTicks {
  #drawn: { readonly tick: number; readonly scene: Scene }[] = [];

  /** Ticks before `next` are sent. */
  note(tick: number, scene: Scene, next: number): void {
    this.#drawn = this.#drawn.filter((drawn) => drawn.tick >= next && drawn.tick < tick);
    this.#drawn.push({ tick, scene });
  }

  /** The first tick from `from` on that would be drawn otherwise by now; undefined when all may stay. */
  firstChanged(from: number, sceneOf: (tick: number) => Scene): number | undefined {
    return this.#drawn.find(({ tick, scene }) => tick >= from && !isSame(scene, sceneOf(tick)))?.tick;
  }
}

/** What is heard changes the live light alone; for everything else the stage is told. */
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
