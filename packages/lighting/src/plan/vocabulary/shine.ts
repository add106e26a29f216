import { fullBrightness, linearOfHex, luminance, oklabOfLinear } from "../../color.ts";

/** What a lamp of these colours must do to look as bright as wanted. */
export interface Shine {
  /** Perceptual level, 0..1. */
  readonly level: number;
  /** White mixed in, 0..1. */
  readonly white: number;
}

/**
 * Lamps are dimmed by their level, but a full blue is darker than a half amber: levels follow from the brightness that
 * is to be seen. Where the pure colour is not enough, white is mixed in, as far as the moment allows.
 * @param brightness 0..1, square root of relative luminance
 * @param mostWhite 0..1
 */
export function shine(colors: readonly string[], brightness: number, mostWhite: number): Shine {
  const wanted = Math.min(1, Math.max(0, brightness)) ** 2;
  const full = colors.reduce((sum, hex) => sum + luminanceOf(hex), 0) / Math.max(1, colors.length);
  if (wanted <= full) return { level: Math.sqrt(wanted / Math.max(1e-6, full)), white: 0 };
  const tinted = Math.min(mostWhite, ...colors.map(mostTinted));
  const white = Math.min(tinted, (wanted - full) / Math.max(1e-6, 1 - full));
  const reached = full + (1 - full) * white;
  return { level: Math.min(1, Math.sqrt(wanted / reached)), white };
}

/** OKLab chroma below which a colour is seen as white. */
const LEAST_CHROMA = 0.055;
const WHITE_STEP = 0.05;
const tintLimits = new Map<string, number>();

/** How much white a colour takes before it is none: 1 for white itself. */
function mostTinted(hex: string): number {
  let most = tintLimits.get(hex);
  if (most === undefined) {
    const { r, g, b } = fullBrightness(linearOfHex(hex));
    const chroma = (white: number) => {
      const mixed = oklabOfLinear({ r: r + (1 - r) * white, g: g + (1 - g) * white, b: b + (1 - b) * white });
      return Math.hypot(mixed.a, mixed.b);
    };
    most = chroma(0) < LEAST_CHROMA ? 1 : 0;
    while (most < 1 && chroma(most + WHITE_STEP) >= LEAST_CHROMA) most += WHITE_STEP;
    tintLimits.set(hex, most);
  }
  return most;
}

/** Relative luminance of a colour as a lamp shows it at full, 0..1. */
export function luminanceOf(hex: string): number {
  const { r, g, b } = fullBrightness(linearOfHex(hex));
  return luminance(r, g, b);
}
