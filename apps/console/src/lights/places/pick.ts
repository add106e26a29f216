import type { Pose } from "@followspot/contract";
import type { Point3 } from "@followspot/lighting";

/** Point in a view, px from the upper left corner. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** View of the stage in which fixtures are picked and dragged. */
export interface Surface {
  /** Projects a stage point into the view; undefined behind the camera. `depth` is smaller for points nearer to the camera. */
  readonly spotOf: (point: Point3) => (Spot & { readonly depth: number }) | undefined;
  /** Starts a drag of a point. @returns function from pointer position to new coordinates, on the dragged axes only */
  readonly lead: (point: Point3, from: Spot, onlyHeight: boolean) => (to: Spot) => Partial<Point3>;
}

interface Pickable {
  readonly id: number;
  readonly pose: Pose;
}

/** Distance up to which two spots count as the same spot, px. */
const SAME_SPOT = 5;

/**
 * Returns the fixture nearest to the pointer, at most `within` px away, and all others on the same spot, sorted from nearest to
 * farthest from the camera.
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

/** Returns the fixture after `chosen` in a stack on one spot; wraps around after the last. */
export const nextOf = (stack: readonly number[], chosen: number): number =>
  stack[(stack.indexOf(chosen) + 1) % stack.length]!;

/** Counts the other fixtures on the same spot as this one. */
export function othersOnSpot(lamp: Pickable, lamps: readonly Pickable[], surface: Surface): number {
  const spot = surface.spotOf(lamp.pose);
  if (!spot) return 0;
  const here = lamps.filter(({ pose }) => {
    const other = surface.spotOf(pose);
    return other && apart(other, spot) <= SAME_SPOT;
  });
  return here.length - 1;
}

/** Returns the IDs of the fixtures inside a selection rectangle, given two opposite corners. */
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

/** Estimated size of a name label, px: maximum width, width per letter, padding, height, vertical extent below the marker. */
const NAME = { most: 112, letter: 6.2, edge: 10, height: 17, gap: 4, reach: 30 } as const;

interface Nameable extends Pickable {
  readonly name: string;
}

/**
 * Returns the fixtures whose names fit below their markers. Names never overlap each other. Only the names of `wanted` fixtures,
 * which have priority, may cover a marker.
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
