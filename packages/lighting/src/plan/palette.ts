import type { SongAnalysis } from "@followspot/contract";
import { hueDistance, oklchOfHex, wrapHue } from "../color.ts";
import { hasHue, lampColor } from "../palettes/harmony.ts";
import { hashOf, randomStream } from "../random.ts";
import type { Evening } from "./evening.ts";
import { luminanceOf } from "./vocabulary/shine.ts";
import type { Mood } from "./mood.ts";

/** The colours of a show. A look uses at most two of them, and white. */
export interface ShowPalette {
  /** Leads most sections. */
  readonly base: string;
  /** Goes with the base; leads breaks and bridges. */
  readonly second: string;
  /** Leads choruses and drops. */
  readonly contrast: string;
  readonly white: string;
  /** How the hues lie to each other. */
  readonly scheme: Scheme;
  readonly reason: string;
}

/** Degrees from the base to the second and the contrast; the sign is drawn. */
const SCHEMES = {
  analogous: { second: 32, contrast: 68, weight: 1 },
  complementary: { second: 30, contrast: 180, weight: 1 },
  split: { second: 150, contrast: 210, weight: 0.8 },
  triad: { second: 120, contrast: 240, weight: 0.9 },
  square: { second: 90, contrast: 180, weight: 0.6 },
  duo: { second: 0, contrast: 105, weight: 0.8 },
} as const;
export type Scheme = keyof typeof SCHEMES | "given";

/**
 * Hues a show may be built on, degrees in OKLCH: the whole circle but for greens and yellow-greens, which nobody
 * looks well in; those lead only when they are chosen.
 */
const LEADS: readonly { readonly name: string; readonly hue: number }[] = [
  { name: "rose", hue: 10 },
  { name: "red", hue: 28 },
  { name: "orange", hue: 50 },
  { name: "amber", hue: 70 },
  { name: "gold", hue: 92 },
  { name: "turquoise", hue: 186 },
  { name: "cyan", hue: 210 },
  { name: "azure", hue: 242 },
  { name: "blue", hue: 264 },
  { name: "indigo", hue: 282 },
  { name: "violet", hue: 302 },
  { name: "magenta", hue: 328 },
  { name: "pink", hue: 350 },
];
const GREENS = { from: 108, to: 172 };
/** Where each corner of drive and valence is at home, degrees. */
const HOMES = { wildBright: 70, wildDark: 10, calmDark: 265, calmBright: 195 };
/** How sharply a home draws: at this distance a hue has a third of the weight. */
const HOME_WIDTH = 75;
/** Weight of a hue nowhere near home. */
const ANYWHERE = 0.3;

/** Colour of the top of the show, warmer than a lamp's bare white. */
const SHOW_WHITE = "#fff4e6";

/**
 * The colours of a show. Given ones (the cover's, or chosen by hand) win; the others follow from a seeded draw of a
 * hue, weighted by the mood and by what the evening has shown already, and of a scheme.
 * @param given base, second, contrast as #rrggbb; missing ones are found
 */
export function choosePalette(
  analysis: SongAnalysis,
  seed: number,
  mood: Mood,
  given: readonly string[] | undefined,
  evening?: Evening,
): ShowPalette {
  const random = randomStream(hashOf(analysis.song_id, "palette", seed));
  const sings = analysis.vocals.mean_presence > 0.2;
  const lead = drawLead(mood, evening, random);
  const scheme = drawScheme(evening, random);
  const side = random() < 0.5 ? -1 : 1;
  const [givenBase, givenSecond, givenContrast] = given ?? [];
  const hue = givenBase !== undefined && hasHue(givenBase) ? oklchOfHex(givenBase).h : lead.hue;
  const turned = (degrees: number) => wrapHue(hue + side * degrees);
  const { second, contrast } = SCHEMES[scheme];
  const accent = second === 0 ? hue : sings ? awayFromGreen(turned(second)) : turned(second);
  const [deep, bright] = byBrightness(lampColor(hue), lampColor(awayFromGreen(turned(contrast))));
  const isGiven = givenBase !== undefined;
  return {
    base: givenBase ?? deep,
    second: givenSecond ?? lampColor(accent),
    contrast: givenContrast ?? (isGiven ? lampColor(awayFromGreen(turned(contrast))) : bright),
    white: SHOW_WHITE,
    scheme: isGiven ? "given" : scheme,
    reason: isGiven
      ? `base ${givenBase} was given`
      : `${lead.name} by drive ${mood.drive.toFixed(2)} and mood ${mood.valence.toFixed(2)}, ${scheme} scheme`,
  };
}

/** Of two hues the deeper leads the verses, the brighter what they lead to: choruses shine without white. */
function byBrightness(a: string, b: string): readonly [deep: string, bright: string] {
  return luminanceOf(a) <= luminanceOf(b) ? [a, b] : [b, a];
}

function drawLead({ drive, valence }: Mood, evening: Evening | undefined, random: () => number) {
  const bright = (valence + 1) / 2;
  const homes = [
    [HOMES.wildBright, drive * bright],
    [HOMES.wildDark, drive * (1 - bright)],
    [HOMES.calmDark, (1 - drive) * (1 - bright)],
    [HOMES.calmBright, (1 - drive) * bright],
  ] as const;
  return draw(random, LEADS, ({ hue }) => {
    const home = homes.reduce(
      (sum, [at, share]) => sum + share * Math.exp(-((hueDistance(hue, at) / HOME_WIDTH) ** 2)),
      0,
    );
    return (ANYWHERE + home) * (evening?.freshness(hue) ?? 1);
  });
}

function drawScheme(evening: Evening | undefined, random: () => number): keyof typeof SCHEMES {
  const names = Object.keys(SCHEMES) as (keyof typeof SCHEMES)[];
  return draw(random, names, (name) => SCHEMES[name].weight * (evening?.lastScheme === name ? 0.15 : 1));
}

/** Greens do not lead and stay off faces: turned to the nearer edge of what is allowed. */
function awayFromGreen(hue: number): number {
  if (hue <= GREENS.from || hue >= GREENS.to) return hue;
  return hue - GREENS.from < GREENS.to - hue ? GREENS.from - 8 : GREENS.to + 10;
}

function draw<T>(random: () => number, options: readonly T[], weightOf: (option: T) => number): T {
  const weights = options.map((option) => Math.max(0, weightOf(option)));
  let left = random() * weights.reduce((a, b) => a + b, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left <= 0) return options[i]!;
  }
  return options.at(-1)!;
}

/** Names of a hue that leads, for words about a show. */
export function nameOfHue(hex: string): string {
  if (!hasHue(hex)) return "white";
  const { h } = oklchOfHex(hex);
  const named = [...LEADS, { name: "lime", hue: 122 }, { name: "green", hue: 145 }];
  return named.reduce((best, one) => (hueDistance(one.hue, h) < hueDistance(best.hue, h) ? one : best)).name;
}
