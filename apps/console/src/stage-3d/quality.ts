/** How much of the picture is drawn. */
export interface Quality {
  readonly hasBloom: boolean;
  /** Haze is uneven and drifts. */
  readonly hasNoise: boolean;
  /** Pixels of the picture, and of the light in it, as a share of those of the screen in each direction. */
  readonly pixels: number;
  readonly lightPixels: number;
}

/** From all there is down to what a machine without a graphics card draws ten times a second. */
export const QUALITIES: readonly Quality[] = [
  { hasBloom: true, hasNoise: true, pixels: 1, lightPixels: 1 },
  { hasBloom: false, hasNoise: true, pixels: 1, lightPixels: 1 },
  { hasBloom: false, hasNoise: false, pixels: 1, lightPixels: 1 },
  { hasBloom: false, hasNoise: false, pixels: 1, lightPixels: 0.5 },
  { hasBloom: false, hasNoise: false, pixels: 0.66, lightPixels: 0.5 },
  { hasBloom: false, hasNoise: false, pixels: 0.5, lightPixels: 0.5 },
];

/** Pixels that a machine without a graphics card draws ten times a second. */
const SLOW_PIXELS = 180_000;

/** The step to begin with where a hand waits for the picture: without a graphics card as many pixels as it draws fast enough. */
export function firstStep(pixels: number, isFast: boolean): number {
  if (isFast) return 0;
  const plain = QUALITIES.findIndex(({ lightPixels }) => lightPixels < 1);
  const fit = QUALITIES.findIndex((each, step) => step >= plain && each.pixels ** 2 * pixels <= SLOW_PIXELS);
  return fit < 0 ? QUALITIES.length - 1 : fit;
}

/** Pictures of films have no hurry, but light in haze needs no more than half of the pixels. */
export const FILM_QUALITY: Quality = { hasBloom: true, hasNoise: true, pixels: 1, lightPixels: 0.5 };

/** Milliseconds from frame to frame: slower is too slow for the step, faster leaves room for the one above. */
const SLOW_MS = 45;
const FAST_MS = 22;
/** A frame like this says as much as so many slow ones. */
const CRAWLING_MS = 130;
const CRAWLING_COUNTS = 4;
/** Slow frames that are too many, and good ones in a row it takes to step up. */
const SLOW_FRAMES = 12;
const FAST_FRAMES = 180;
/** Longer than this is a pause of the song, unless it happens time after time. */
const PAUSE_MS = 1000;
const PAUSES = 2;

/** Chooses the step by the time frames take. A step that was too slow is tried again ever more seldom. */
export class QualityKeeper {
  #step: number;
  #slow = 0;
  #fast = 0;
  #pauses = 0;
  #patience = FAST_FRAMES;

  constructor(step = 0) {
    this.#step = step;
  }

  get step(): number {
    return this.#step;
  }

  /** @param frameMs since the frame before @returns whether the step is another one now */
  frame(frameMs: number): boolean {
    this.#pauses = frameMs > PAUSE_MS ? this.#pauses + 1 : 0;
    if (this.#pauses > 0 && this.#pauses <= PAUSES) return false;
    const counts = frameMs > CRAWLING_MS ? CRAWLING_COUNTS : 1;
    this.#slow = frameMs > SLOW_MS ? this.#slow + counts : Math.max(0, this.#slow - 1);
    this.#fast = frameMs < FAST_MS ? this.#fast + 1 : 0;
    if (this.#slow >= SLOW_FRAMES && this.#step + 1 < QUALITIES.length) return this.#to(this.#step + 1, true);
    if (this.#fast >= this.#patience && this.#step > 0) return this.#to(this.#step - 1, false);
    return false;
  }

  #to(step: number, wasSlow: boolean): true {
    this.#step = step;
    this.#slow = 0;
    this.#fast = 0;
    if (wasSlow) this.#patience = Math.min(60 * FAST_FRAMES, 2 * this.#patience);
    return true;
  }
}
