import type { SongAnalysis } from "@followspot/contract";
import { hueDistance, oklchOfHex, wrapHue } from "../color.ts";
import { hasHue, lampColor } from "../palettes/harmony.ts";
import { hashOf, randomStream } from "../random.ts";
import { COLOR_PAIRS, LAMP_COLORS, type ColorPair } from "./color-pairs.ts";
import type { Evening } from "./evening.ts";
import type { Mood } from "./mood.ts";

/** The colors of a show. A look uses at most two of them; white is for hits, builds and the singer. */
export interface ShowPalette {
  /** Leads most sections. */
  readonly base: string;
  /** Accompanies the base; leads breaks and bridges. */
  readonly second: string;
  /** Leads choruses and drops. */
  readonly contrast: string;
  /** Reserved for the last peak. */
  readonly held: string;
  readonly white: string;
  /** Name of the color pair, or "given". */
  readonly scheme: string;
  readonly reason: string;
}

/** Color of hits and of front light, warmer than the bare white of a fixture. */
const SHOW_WHITE = "#fff4e6";

/** Distance in drive and valence at which a pair has a third of its weight. */
const HOME_WIDTH = 0.42;
/** Weight of a pair far from its drive and valence, and of one that suits no face in a song with vocals. */
const ANYWHERE = 0.06;
const UNKIND_TO_SINGERS = 0.15;
/** Weight of the pair that the previous song had. */
const JUST_SEEN = 0.1;
/** Mean vocal presence above which a song counts as sung throughout. */
const SUNG_THROUGH = 0.2;

/** A pair matches a cover if one of its ends is no farther from the cover's hue than this, degrees. */
const OF_COVER = 18;
/**
 * Distance at which such a pair has a third of its weight, degrees; and the weight of a pair without the cover's hue.
 */
const COVER_WIDTH = 12;
const NOT_OF_COVER = 0.006;
/** Factor for a pair whose other end has the second hue of the cover. */
const BOTH_OF_COVER = 2;

/**
 * Chooses the colors of a show. Colors set by a user win, and the missing ones are derived from them. Otherwise a pair
 * of the table is drawn with the song's seed, weighted by its cover, its mood and the colors of the evening so far.
 *
 * @param given base, second, contrast and held as #rrggbb; missing ones are derived
 * @param cover colors of the song's cover, see `coverColors`; empty and undefined are the same
 */
export function choosePalette(
  analysis: SongAnalysis,
  seed: number,
  mood: Mood,
  given: readonly string[] | undefined,
  evening?: Evening,
  cover: readonly string[] = [],
): ShowPalette {
  const random = randomStream(hashOf(analysis.song_id, "palette", seed));
  const sings = analysis.vocals.mean_presence > SUNG_THROUGH;
  const pair = drawPair(mood, sings, evening, cover, random);
  // Either end of a pair may lead.
  const leadsTurned = random() < 0.5;
  const [ofCover] = cover;
  const [first, last] = [pair.colors[0], pair.colors[2]];
  const isTurned = last !== first && (ofCover === undefined ? leadsTurned : away(last, ofCover) < away(first, ofCover));
  const [base, second, contrast, held] = isTurned ? turned(pair) : pair.colors;
  const [givenBase] = given ?? [];
  if (givenBase !== undefined) return besideGiven(given!, held);
  if (ofCover !== undefined)
    return withCover(isTurned ? { ...pair, colors: turned(pair) } : pair, ofCover, sings, evening);
  return {
    base,
    second,
    contrast,
    held,
    white: SHOW_WHITE,
    scheme: pair.name,
    reason: `${pair.name} by drive ${mood.drive.toFixed(2)} and mood ${mood.valence.toFixed(2)}: ${pair.reason}`,
  };
}

/** Swaps the ends of a pair: the contrast leads, accompanied by the held color. */
function turned({ colors: [base, second, contrast, held] }: ColorPair): ColorPair["colors"] {
  return [contrast, held, base, second];
}

/** Hue distance from a given base to the derived colors, degrees. */
const TURNS = { second: 40, contrast: 170, held: 100 };
/** Hues that suit no face, degrees in OKLCH. */
const GREENS = { from: 108, to: 172 };

/** Derives the missing colors from given ones. A given gray has no hue, so the song's own pair is used instead. */
function besideGiven([base, second, contrast, held]: readonly string[], pairs: string): ShowPalette {
  const from = hasHue(base!) ? oklchOfHex(base!).h : oklchOfHex(pairs).h;
  const at = (turn: number) => lampColor(awayFromGreen(from + turn));
  return {
    base: base!,
    second: second ?? at(TURNS.second),
    contrast: contrast ?? at(TURNS.contrast),
    held: held ?? farthestFrom([base!, second ?? at(TURNS.second), contrast ?? at(TURNS.contrast)], at(TURNS.held)),
    white: SHOW_WHITE,
    scheme: "given",
    reason: `base ${base} was given`,
  };
}

/** Returns the fixture color that is least like the given ones, greens excluded. */
function farthestFrom(others: readonly string[], otherwise: string): string {
  const hues = others.filter(hasHue).map((hex) => oklchOfHex(hex).h);
  if (hues.length === 0) return otherwise;
  const apart = (hex: string) => Math.min(...hues.map((hue) => hueDistance(hue, oklchOfHex(hex).h)));
  const kind = LAMP_COLORS.map(([, hex]) => hex).filter(
    (hex) => awayFromGreen(oklchOfHex(hex).h) === oklchOfHex(hex).h,
  );
  return kind.reduce((best, hex) => (apart(hex) > apart(best) ? hex : best));
}

/**
 * Applies the cover's hue: a pair that contains it is led by it. If no pair of the table does, the cover's own color
 * leads, accompanied by the pair.
 */
function withCover(pair: ColorPair, ofCover: string, sings: boolean, evening: Evening | undefined): ShowPalette {
  const [base, second, contrast, held] = pair.colors;
  const said = `${nameOfHue(ofCover)} of the cover`;
  const own = { base, second, contrast, held, white: SHOW_WHITE, scheme: pair.name };
  if (away(base, ofCover) <= OF_COVER) return { ...own, reason: `${pair.name}, by the ${said}: ${pair.reason}` };
  const { h } = oklchOfHex(ofCover);
  const isUnkind = sings && awayFromGreen(h) !== h;
  const isSeen = evening !== undefined && evening.freshness(h) < 1;
  const isLeft = isUnkind || isSeen || isInTable(ofCover);
  const why = isUnkind ? "it flatters no singer" : isSeen ? "the evening has shown it" : "the mood wants another";
  if (isLeft) return { ...own, reason: `${pair.name}, not the ${said} (${why}): ${pair.reason}` };
  // Colors too close to the new base are no contrast to it.
  const others = [contrast, base, held].filter((hex) => away(hex, ofCover) > LEAST_CONTRAST);
  const [opposite = contrast, last = held] = others;
  return { ...own, base: lampColor(h), contrast: opposite, held: last, reason: `${said}, beside ${pair.name}: ${pair.reason}` }; // prettier-ignore
}

/** Smallest distance between base and contrast, degrees. */
const LEAST_CONTRAST = 60;

const isInTable = (hex: string): boolean => COLOR_PAIRS.some((pair) => awayFrom(pair, hex) <= OF_COVER);
const away = (a: string, b: string): number => hueDistance(oklchOfHex(a).h, oklchOfHex(b).h);
const awayFrom = ({ colors }: ColorPair, hex: string): number => Math.min(away(colors[0], hex), away(colors[2], hex));

/** Returns how well a pair matches a cover; 1 without a cover. */
function coverWeight(pair: ColorPair, [first, other]: readonly string[]): number {
  if (first === undefined) return 1;
  const from = awayFrom(pair, first);
  if (from > OF_COVER) return NOT_OF_COVER;
  const end = away(pair.colors[0], first) < away(pair.colors[2], first) ? pair.colors[2] : pair.colors[0];
  const hasBoth = other !== undefined && away(end, other) <= OF_COVER;
  return Math.exp(-((from / COVER_WIDTH) ** 2)) * (hasBoth ? BOTH_OF_COVER : 1);
}

function drawPair(
  mood: Mood,
  sings: boolean,
  evening: Evening | undefined,
  cover: readonly string[],
  random: () => number,
): ColorPair {
  const weights = COLOR_PAIRS.map((pair) => {
    const fromHome = Math.hypot(pair.drive - mood.drive, (pair.valence - mood.valence) / 2) / HOME_WIDTH;
    const fresh = pair.colors.reduce((sum, hex, i) => sum * (i % 2 === 0 ? hueFreshness(evening, hex) : 1), 1);
    const kind = sings && pair.isUnkind ? UNKIND_TO_SINGERS : 1;
    const seen = evening?.lastScheme === pair.name ? JUST_SEEN : 1;
    return (ANYWHERE + Math.exp(-(fromHome ** 2))) * fresh * kind * seen * coverWeight(pair, cover);
  });
  let left = random() * weights.reduce((a, b) => a + b, 0);
  return COLOR_PAIRS.find((_, i) => (left -= weights[i]!) <= 0) ?? COLOR_PAIRS.at(-1)!;
}

const hueFreshness = (evening: Evening | undefined, hex: string): number => evening?.freshness(oklchOfHex(hex).h) ?? 1;

/** Moves a hue in the greens to their nearer edge. */
function awayFromGreen(hue: number): number {
  const wrapped = wrapHue(hue);
  if (wrapped <= GREENS.from || wrapped >= GREENS.to) return wrapped;
  return wrapped - GREENS.from < GREENS.to - wrapped ? GREENS.from - 8 : GREENS.to + 10;
}

/** Returns the common name of a leading color. */
function nameOfHue(hex: string): string {
  if (!hasHue(hex)) return "white";
  return LAMP_COLORS.reduce((best, one) => (away(one[1], hex) < away(best[1], hex) ? one : best))[0];
}
