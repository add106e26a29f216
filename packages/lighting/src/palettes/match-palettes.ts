import { linearOfHex, oklabOfLinear } from "../color.ts";
import { clamp, mean } from "../maths.ts";
import type { LedPalette } from "./led-palettes.ts";

/** A palette of the library compared with the colors of a song. */
export interface PaletteMatch {
  readonly palette: LedPalette;
  /** How close its colors are to those of the song, 0..1. */
  readonly match: number;
  /** How far its own colors are apart, 0..1. */
  readonly diversity: number;
}

/** Distance in the OKLab color plane at which a match counts half. Lightness is left to the dimmer. */
const HALF_DISTANCE = 0.12;
/** Mean distance of the colors of the most varied palettes. */
const MOST_VARIED = 0.4;
/** Penalty for similarity to a palette that is already offered. */
const LIKENESS = 0.45;

type Point = readonly [a: number, b: number];

/** Returns every palette with its scores, best match first. The order is deterministic. */
export function matchPalettes(colors: readonly string[], library: readonly LedPalette[]): PaletteMatch[] {
  const song = colors.map(pointOf);
  return library
    .map((palette) => {
      const points = palette.colors.map(pointOf);
      // In both directions: a palette should contain the song's colors, and little else.
      const match = song.length > 0 ? 0.6 * coverage(song, points) + 0.4 * coverage(points, song) : 0;
      return { palette, match, diversity: diversityOf(points) };
    })
    .sort((p, q) => q.match - p.match || p.palette.id.localeCompare(q.palette.id));
}

/** Chooses up to `limit` palettes by match, each also distinct from those before it. */
export function chooseAlternatives(matches: readonly PaletteMatch[], limit: number): PaletteMatch[] {
  const left = matches.map((match) => ({ match, points: match.palette.colors.map(pointOf) }));
  const chosen: typeof left = [];
  while (chosen.length < limit && left.length > 0) {
    const worth = ({ match, points }: (typeof left)[number]) =>
      match.match - LIKENESS * Math.max(0, ...chosen.map((other) => coverage(points, other.points)));
    const best = left.reduce((p, q) => (worth(q) > worth(p) ? q : p));
    chosen.push(...left.splice(left.indexOf(best), 1));
  }
  return chosen.map(({ match }) => match);
}

/** Returns the mean closeness of the nearest color in `by` to each color in `of`; 1 if each color is there. */
function coverage(of: readonly Point[], by: readonly Point[]): number {
  return mean(of.map((p) => Math.max(0, ...by.map((q) => 1 / (1 + (apart(p, q) / HALF_DISTANCE) ** 2)))));
}

function diversityOf(points: readonly Point[]): number {
  const pairs = points.flatMap((p, i) => points.slice(i + 1).map((q) => apart(p, q)));
  return clamp(mean(pairs) / MOST_VARIED);
}

function pointOf(hex: string): Point {
  const { a, b } = oklabOfLinear(linearOfHex(hex));
  return [a, b];
}

const apart = (p: Point, q: Point) => Math.hypot(p[0] - q[0], p[1] - q[1]);
