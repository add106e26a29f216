import type { Pose } from "@followspot/contract";
import type { Point3 } from "@followspot/lighting";

/** A point of a picture, pixels from its upper left corner. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A picture of the stage on which lamps are picked and led. */
export interface Surface {
  /** Where a point of the stage is in it; undefined where it is behind the eye. `depth` tells what is nearer to the eye. */
  readonly spotOf: (point: Point3) => (Spot & { readonly depth: number }) | undefined;
  /** Leads a point with the pointer. @returns for where the pointer is now, where the point goes along the axes it moves on */
  readonly lead: (point: Point3, from: Spot, onlyHeight: boolean) => (to: Spot) => Partial<Point3>;
}

interface Pickable {
  readonly id: number;
  readonly pose: Pose;
}

/** Spots closer together than this are one to a hand, pixels. */
const SAME_SPOT = 5;

/**
 * Lamps that a pointer means: the nearest to it within so many pixels, and with it all that lie on its spot, the nearest to the
 * eye first.
 */
export function pick(lamps: readonly Pickable[], surface: Surface, pointer: Spot, within: number): readonly number[] {
  const seen = lamps.flatMap(({ id, pose }) => {
    const spot = surface.spotOf(pose);
    return spot ? [{ id, ...spot, away: apart(spot, pointer) }] : [];
  });
  const nearest = seen.reduce<(typeof seen)[number] | undefined>(
    (best, each) => (each.away <= within && (!best || each.away < best.away) ? each : best),
    undefined,
  );
  if (!nearest) return [];
  return seen
    .filter((each) => apart(each, nearest) <= SAME_SPOT)
    .toSorted((a, b) => a.depth - b.depth || a.id - b.id)
    .map(({ id }) => id);
}

/** The one after the chosen lamp of those on one spot, around again after the last. */
export const nextOf = (stack: readonly number[], chosen: number): number =>
  stack[(stack.indexOf(chosen) + 1) % stack.length]!;

/** How many lamps lie on one spot with this one, itself left out. */
export function othersOnSpot(lamp: Pickable, lamps: readonly Pickable[], surface: Surface): number {
  const spot = surface.spotOf(lamp.pose);
  if (!spot) return 0;
  const here = lamps.filter(({ pose }) => {
    const other = surface.spotOf(pose);
    return other && apart(other, spot) <= SAME_SPOT;
  });
  return here.length - 1;
}

/** Lamps in a rectangle between two corners. */
export function inBand(lamps: readonly Pickable[], surface: Surface, a: Spot, b: Spot): readonly number[] {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return lamps
    .filter(({ pose }) => {
      const spot = surface.spotOf(pose);
      return spot && spot.x >= left && spot.x <= right && spot.y >= top && spot.y <= bottom;
    })
    .map(({ id }) => id);
}

/** About as many pixels as a name takes: at the most and for each of its letters; how far below its lamp it ends. */
const NAME = { most: 112, letter: 6.2, edge: 10, height: 17, gap: 4, reach: 30 } as const;

interface Nameable extends Pickable {
  readonly name: string;
}

/**
 * Lamps whose names can stand below them: no name lies over another one, and only those of wanted lamps, which come first, over
 * a lamp.
 */
export function namesThatFit(
  wanted: readonly Nameable[],
  others: readonly Nameable[],
  surface: Surface,
): ReadonlySet<number> {
  const lamps = [...wanted, ...others].flatMap(({ id, pose, name }) => {
    const spot = surface.spotOf(pose);
    return spot ? [{ id, ...spot, half: Math.min(NAME.most, NAME.letter * name.length + NAME.edge) / 2 }] : [];
  });
  const isWanted = new Set(wanted.map(({ id }) => id));
  const taken: (typeof lamps)[number][] = [];
  for (const lamp of lamps) {
    const isOverName = taken.some(
      (other) => Math.abs(other.y - lamp.y) < NAME.height && Math.abs(other.x - lamp.x) < other.half + lamp.half,
    );
    const isOverLamp = lamps.some(
      ({ x, y }) => y > lamp.y + NAME.gap && y < lamp.y + NAME.reach && Math.abs(x - lamp.x) < lamp.half + NAME.gap,
    );
    if (!isOverName && (isWanted.has(lamp.id) || !isOverLamp)) taken.push(lamp);
  }
  return new Set(taken.map(({ id }) => id));
}

export const apart = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);
