/** Time constants of the low-pass between the lamps' light and the picture, in milliseconds; 0 passes it through. */
const TAU = { feed: 30, seek: 60, scrub: 400, calm: 500 } as const;
/** A difference of linear light too small to see. */
const SETTLED = 1 / 1024;
/** How long a seek is blended. */
const SEEK_BLEND_MS = 300;
/** Seeks in one second from which on it is scrubbing. */
const SCRUB_SEEKS = 3;

/**
 * Decides how much the preview is smoothed, so that the screen itself stays at three flashes a second.
 *
 * While a song plays nothing is smoothed: the picture is compiled with the default limit of three flashes a second
 * whatever the venue allows, and at ½ speed there are fewer still. What the limiter cannot know is the hand: each seek
 * may jump from dark to bright. One seek is blended over 60 ms, several in a second over 400 ms, which leaves less than
 * a tenth of the swing at ten jumps a second. Reduced motion keeps a low-pass of half a second all the time.
 *
 * What lamps are sent is limited by the stage. It comes some twenty times a second, now earlier and now later: 30 ms over
 * it keep a picture of sixty frames from showing steps and jerks that no lamp has.
 */
export class PreviewSmoothing {
  readonly #isCalm: boolean;
  readonly #isFed: boolean;
  #seeks: number[] = [];
  /** Light as it was shown last, red, green and blue of every head. */
  #shown: Float32Array | undefined;

  /** @param isFed the light comes from a feed, in place of a show at song times */
  constructor(isCalm: boolean, isFed = false) {
    this.#isCalm = isCalm;
    this.#isFed = isFed;
  }

  seek(now: number): void {
    this.#seeks = [...this.#seeks.filter((at) => now - at < 1000), now];
  }

  /** Share of the way to the new light that this frame goes, 0..1. */
  share(now: number, frameMs: number): number {
    const tau = this.#tauAt(now);
    return tau === 0 ? 1 : 1 - Math.exp(-frameMs / tau);
  }

  /** Puts light as it is shown in the place of the lamps' own. @returns whether it is still on its way to that */
  smooth(colors: Float32Array, now: number, frameMs: number): boolean {
    const share = this.share(now, frameMs);
    const shown = (this.#shown ??= new Float32Array(colors.length));
    let isMoving = false;
    for (let i = 0; i < colors.length; i++) {
      const left = (colors[i]! - shown[i]!) * (1 - share);
      // The rest of the way is taken at once, or darkness would never be quite dark.
      if (Math.abs(left) > SETTLED) {
        isMoving = true;
        colors[i] = colors[i]! - left;
      }
      shown[i] = colors[i]!;
    }
    return isMoving;
  }

  #tauAt(now: number): number {
    if (this.#isCalm) return TAU.calm;
    const recent = this.#seeks.filter((at) => now - at < 1000);
    if (recent.length >= SCRUB_SEEKS) return TAU.scrub;
    const last = recent.at(-1);
    return last !== undefined && now - last < SEEK_BLEND_MS ? TAU.seek : this.#isFed ? TAU.feed : 0;
  }
}
