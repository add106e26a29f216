import type { SongAnalysis } from "@followspot/contract";
import { hueDistance, oklchOfHex, wrapHue } from "../color.ts";
import { hasHue, lampColor } from "../palettes/harmony.ts";
import { hashOf, randomStream } from "../random.ts";
import { COLOR_PAIRS, LAMP_COLORS, type ColorPair } from "./color-pairs.ts";
import type { Evening } from "./evening.ts";
import type { Mood } from "./mood.ts";

/** The colours of a show. A look uses at most two of them; white is for hits, builds and the singer. */
export interface ShowPalette {
  /** Leads most sections. */
  readonly base: string;
  /** Goes with the base; leads breaks and bridges. */
  readonly second: string;
  /** Leads choruses and drops. */
  readonly contrast: string;
  /** Held back for the last peak. */
  readonly held: string;
  readonly white: string;
  /** Name of the pair, or "given". */
  readonly scheme: string;
  readonly reason: string;
}

/** Colour of hits and of light on faces, warmer than a lamp's bare white. */
const SHOW_WHITE = "#fff4e6";

/** At this distance from its home in drive and valence a pair has a third of its weight. */
const HOME_WIDTH = 0.42;
/** Weight of a pair nowhere near its home, and of one that flatters no face in a sung song. */
const ANYWHERE = 0.06;
const UNKIND_TO_SINGERS = 0.15;
/** Weight of the pair that the song before had. */
const JUST_SEEN = 0.1;
/** Songs with more singing than this are sung through. */
const SUNG_THROUGH = 0.2;

/** A pair has the hue of a cover when one of its ends is no farther from it, degrees. */
const OF_COVER = 18;
/** At this distance, degrees, such a pair has a third of its weight; one without the cover's hue has hardly any. */
const COVER_WIDTH = 12;
const NOT_OF_COVER = 0.006;
/** What a pair gains whose other end has the second hue of the cover. */
const BOTH_OF_COVER = 2;

/**
 * The colours of a show. Given ones, chosen by hand, win, and what they lack is found beside them; otherwise a pair of the
 * table is drawn with the song's seed, by its cover, its mood and what the evening has shown already.
 * @param given base, second, contrast and held as #rrggbb; missing ones are found
 * @param cover what the song's cover says, see `coverColors`; none and undefined are the same
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

/** The contrast leads, and what goes with it is what was held back. */
function turned({ colors: [base, second, contrast, held] }: ColorPair): ColorPair["colors"] {
  return [contrast, held, base, second];
}

/** Degrees from a given base to what is not given with it. */
const TURNS = { second: 40, contrast: 170, held: 100 };
/** Hues that flatter no face, degrees in OKLCH. */
const GREENS = { from: 108, to: 172 };

/** Colours that go with given ones; of a given grey there is no way round the circle, so the song's own pair helps out. */
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

/** The colour of lamps that is least like some others, greens left out. */
function farthestFrom(others: readonly string[], otherwise: string): string {
  const hues = others.filter(hasHue).map((hex) => oklchOfHex(hex).h);
  if (hues.length === 0) return otherwise;
  const apart = (hex: string) => Math.min(...hues.map((hue) => hueDistance(hue, oklchOfHex(hex).h)));
  const kind = LAMP_COLORS.map(([, hex]) => hex).filter(
    (hex) => awayFromGreen(oklchOfHex(hex).h) === oklchOfHex(hex).h,
  );
  return kind.reduce((best, hex) => (apart(hex) > apart(best) ? hex : best));
}

/** A pair with a cover's hue is led by it; where the table has none, the cover's own colour leads, and the pair goes with it. */
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
  // What is too near to the new base is no contrast to it.
  const others = [contrast, base, held].filter((hex) => away(hex, ofCover) > LEAST_CONTRAST);
  const [opposite = contrast, last = held] = others;
  return { ...own, base: lampColor(h), contrast: opposite, held: last, reason: `${said}, beside ${pair.name}: ${pair.reason}` }; // prettier-ignore
}

/** Base and contrast are at least so far apart, degrees. */
const LEAST_CONTRAST = 60;

const isInTable = (hex: string): boolean => COLOR_PAIRS.some((pair) => awayFrom(pair, hex) <= OF_COVER);
const away = (a: string, b: string): number => hueDistance(oklchOfHex(a).h, oklchOfHex(b).h);
const awayFrom = ({ colors }: ColorPair, hex: string): number => Math.min(away(colors[0], hex), away(colors[2], hex));

/** How well a pair goes with a cover; 1 without one. */
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

/** Turned to the nearer edge of the greens. */
function awayFromGreen(hue: number): number {
  const wrapped = wrapHue(hue);
  if (wrapped <= GREENS.from || wrapped >= GREENS.to) return wrapped;
  return wrapped - GREENS.from < GREENS.to - wrapped ? GREENS.from - 8 : GREENS.to + 10;
}

/** What people call a colour that leads. */
function nameOfHue(hex: string): string {
  if (!hasHue(hex)) return "white";
  return LAMP_COLORS.reduce((best, one) => (away(one[1], hex) < away(best[1], hex) ? one : best))[0];
}
