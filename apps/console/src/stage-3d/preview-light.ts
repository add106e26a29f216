/** Time constants of the low-pass between the lamps' light and the picture, in milliseconds; 0 passes it through. */
const TAU = { seek: 60, scrub: 400, calm: 500 } as const;
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
 */
export class PreviewSmoothing {
  readonly #isCalm: boolean;
  #seeks: number[] = [];

  constructor(isCalm: boolean) {
    this.#isCalm = isCalm;
  }

  seek(now: number): void {
    this.#seeks = [...this.#seeks.filter((at) => now - at < 1000), now];
  }

  /** Share of the way to the new light that this frame goes, 0..1. */
  share(now: number, frameMs: number): number {
    const tau = this.#tauAt(now);
    return tau === 0 ? 1 : 1 - Math.exp(-frameMs / tau);
  }

  /** Whether the picture still moves although the song does not. */
  isSettling(now: number): boolean {
    const last = this.#seeks.at(-1);
    return last !== undefined && now - last < 4 * this.#tauAt(now) + SEEK_BLEND_MS;
  }

  #tauAt(now: number): number {
    if (this.#isCalm) return TAU.calm;
    const recent = this.#seeks.filter((at) => now - at < 1000);
    if (recent.length >= SCRUB_SEEKS) return TAU.scrub;
    const last = recent.at(-1);
    return last !== undefined && now - last < SEEK_BLEND_MS ? TAU.seek : 0;
  }
}
