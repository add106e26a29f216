import { linearOfHex, oklabOfLinear } from "../color.ts";
import { clamp, mean } from "../maths.ts";
import type { LedPalette } from "./led-palettes.ts";

/** A palette of the library beside the colours of a song. */
export interface PaletteMatch {
  readonly palette: LedPalette;
  /** 0..1: how near its colours are to the song's. */
  readonly match: number;
  /** 0..1: how far its own colours are apart. */
  readonly diversity: number;
}

/** Distance in OKLab's colour plane at which a match is worth half. Lightness is the dimmer's. */
const HALF_DISTANCE = 0.12;
/** Mean distance of the colours of the most varied palettes. */
const MOST_VARIED = 0.4;
/** What being like a palette already offered costs. */
const LIKENESS = 0.45;

type Point = readonly [a: number, b: number];

/** Every palette with its figures, the best match first; the same colours give the same order. */
export function matchPalettes(colors: readonly string[], library: readonly LedPalette[]): PaletteMatch[] {
  const song = colors.map(pointOf);
  return library
    .map((palette) => {
      const points = palette.colors.map(pointOf);
      // Both ways: a palette should show the song's colours, and little else.
      const match = song.length > 0 ? 0.6 * coverage(song, points) + 0.4 * coverage(points, song) : 0;
      return { palette, match, diversity: diversityOf(points) };
    })
    .sort((p, q) => q.match - p.match || p.palette.id.localeCompare(q.palette.id));
}

/** The first `limit` by match, each also unlike those before it, so that a choice is one. */
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

/** Mean over `of` of how near the nearest of `by` is: 1 when each colour is there. */
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
