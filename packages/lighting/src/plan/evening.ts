import { hueDistance, oklchOfHex } from "../color.ts";

/** A song of the evening as it was lit. */
export interface LitSong {
  /** Its palette, base first, #rrggbb. */
  readonly palette: readonly string[];
  readonly scheme?: string | undefined;
}

export interface EveningSoFar {
  /** Songs before this one, the latest first. */
  readonly before: readonly LitSong[];
  /** How much of the evening is over when this song starts, 0..1. */
  readonly progress: number;
  /** The same for the whole evening: draws the one pattern that every song's last peak shares. */
  readonly seed: number;
}

/** Songs a hue is not repeated for. */
const REMEMBERED = 3;
/** Hues nearer than this read as the same, degrees. */
const SAME_HUE = 40;
/** Weight of a hue that one of the last songs had. */
const STALE = 0.03;
/** Until then the strongest means are held back. */
const SECOND_HALF = 0.5;

/** What an evening asks of its next song. */
export class Evening {
  readonly #hues: readonly number[];
  readonly lastScheme: string | undefined;
  /** Strobe, blinding white and the very top of the range are for the second half. */
  readonly holdsBack: boolean;

  readonly seed: number;

  constructor({ before, progress, seed }: EveningSoFar) {
    this.seed = seed;
    this.#hues = before.slice(0, REMEMBERED).flatMap(({ palette }) => (palette[0] ? [oklchOfHex(palette[0]).h] : []));
    this.lastScheme = before[0]?.scheme;
    this.holdsBack = progress < SECOND_HALF;
  }

  /** Weight of a base hue: low when one of the last three songs had it. */
  freshness(hue: number): number {
    return this.#hues.some((seen) => hueDistance(seen, hue) < SAME_HUE) ? STALE : 1;
  }
}
