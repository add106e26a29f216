import { hueDistance, oklchOfHex } from "../color.ts";

/** A previous song of the evening, as it was lit. */
export interface LitSong {
  /** Its palette as #rrggbb, base first. */
  readonly palette: readonly string[];
  readonly scheme?: string | undefined;
}

export interface EveningSoFar {
  /** Previous songs, newest first. */
  readonly before: readonly LitSong[];
  /** Share of the evening that is over when this song starts, 0..1. */
  readonly progress: number;
  /** Seed of the whole evening. It draws the one pattern that the last peaks of all songs share. */
  readonly seed: number;
}

/** Number of songs for which a hue is not repeated. */
const REMEMBERED = 3;
/** Hues closer than this look the same, degrees. */
const SAME_HUE = 40;
/** Weight of a hue that one of the last songs had. */
const STALE = 0.03;
/** Progress of the evening before which the strongest effects are held back. */
const SECOND_HALF = 0.5;

/** Constraints that the evening puts on its next song. */
export class Evening {
  readonly #hues: readonly number[];
  readonly lastScheme: string | undefined;
  /** Whether strobe, blinding white and the top of the brightness range are held back for the second half. */
  readonly holdsBack: boolean;

  readonly seed: number;

  constructor({ before, progress, seed }: EveningSoFar) {
    this.seed = seed;
    this.#hues = before.slice(0, REMEMBERED).flatMap(({ palette }) => (palette[0] ? [oklchOfHex(palette[0]).h] : []));
    this.lastScheme = before[0]?.scheme;
    this.holdsBack = progress < SECOND_HALF;
  }

  /** Returns the weight of a base hue: low if one of the last three songs had it. */
  freshness(hue: number): number {
    return this.#hues.some((seen) => hueDistance(seen, hue) < SAME_HUE) ? STALE : 1;
  }
}
