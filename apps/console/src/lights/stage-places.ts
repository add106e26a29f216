import type { Light, LightGroup } from "@followspot/contract/lights";
import { STAGE_SPACE } from "@followspot/lighting";

/** Where a lamp is on the stage plan, a share of it from left to right and from the back to the audience. */
export interface Place {
  readonly x: number;
  readonly y: number;
  /** Without it the lamp is fixed as others of its kind. */
  readonly fixed?: Fixed | undefined;
}

/** How a lamp is fixed: metres up, from a truss or standing, degrees turned from the hall and, without tilt, leaning to it. */
export interface Fixed {
  readonly z: number;
  readonly hangs: boolean;
  readonly turn: number;
  readonly lean: number;
}

/** How a lamp is fixed until a person changes it. */
export const HUNG: Fixed = { z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 0 };
/** Highest, and most turned. */
export const MOST = { z: 50, turn: 180 } as const;

/** Lamps that have a place. */
export type Places = ReadonlyMap<number, Place>;

/** Space on both sides of a line of lamps, and from the back and the front. */
const SIDE = 0.08;
const BACK = 0.12;
const FRONT = 0.88;
/** Of places, so that two of them compare. */
const GRAIN = 1000;

export const placesOf = (lights: readonly Light[]): Places =>
  new Map(lights.flatMap((light) => (light.pose ? [[light.id, placeOf(light.pose)]] : [])));

function placeOf({ x, y, z, hangs, turn, lean }: NonNullable<Light["pose"]>): Place {
  const isFixed = z !== undefined && hangs !== undefined && turn !== undefined && lean !== undefined;
  const place = { x: grained(x / STAGE_SPACE.width + 0.5), y: grained(y / STAGE_SPACE.depth) };
  return isFixed ? { ...place, fixed: { z, hangs, turn, lean } } : place;
}

/** Where a place is, metres: to the right of the middle, and from the back wall. */
export const metresOf = ({ x, y }: Place): { readonly x: number; readonly y: number } => ({
  x: grained((x - 0.5) * STAGE_SPACE.width),
  y: grained(y * STAGE_SPACE.depth),
});

/** So many lamps side by side at one depth. */
export function lineAt(ids: readonly number[], y: number): Places {
  const gap = ids.length > 1 ? (1 - 2 * SIDE) / (ids.length - 1) : 0;
  return new Map(ids.map((id, i) => [id, { x: rounded(ids.length > 1 ? SIDE + i * gap : 0.5), y: rounded(y) }]));
}

/** Each group a line of its own from the back to the front, what is in none the last; a lamp stands in its first group. */
export function linesOf(
  lights: readonly Light[],
  groups: readonly LightGroup[],
): ReadonlyMap<string, readonly number[]> {
  const left = new Set(lights.map(({ id }) => id));
  const lines = new Map<string, readonly number[]>();
  for (const { id, fixtureIds } of groups) {
    const own = fixtureIds.filter((lightId) => left.delete(lightId));
    if (own.length > 0) lines.set(id, own);
  }
  if (left.size > 0) lines.set("", [...left]);
  return lines;
}

/** Everybody lined up by groups. */
export function linedUp(lights: readonly Light[], groups: readonly LightGroup[]): Places {
  const lines = [...linesOf(lights, groups).values()];
  return new Map(lines.flatMap((ids, i) => [...lineAt(ids, depthOf(i, lines.length))]));
}

const depthOf = (line: number, of: number) => (of > 1 ? BACK + (line * (FRONT - BACK)) / (of - 1) : 0.5);

/** The depth at which a line of lamps is now: the middle of theirs. */
export function depthNow(ids: readonly number[], places: Places): number {
  const depths = ids.flatMap((id) => places.get(id)?.y ?? []);
  return depths.length > 0 ? depths.reduce((sum, y) => sum + y, 0) / depths.length : 0.5;
}

/** A place moved by so much, still on the plan, fixed as it is. */
export const movedBy = ({ x, y, fixed }: Place, dx: number, dy: number): Place => ({
  x: rounded(x + dx),
  y: rounded(y + dy),
  ...(fixed && { fixed }),
});

const grained = (n: number) => Math.round(n * GRAIN) / GRAIN;
const rounded = (n: number) => grained(Math.min(1, Math.max(0, n)));

/** A lamp as it is saved; without a pose it has no place. */
export interface PlacedLamp {
  readonly lightId: number;
  readonly pose?: { readonly x: number; readonly y: number } & Partial<Fixed>;
}

/** What is to be saved: lamps that are somewhere else, or fixed otherwise, or have no place any more. */
export function changedPlaces(before: Places, after: Places): readonly PlacedLamp[] {
  const moved = [...after].filter(([id, place]) => !isSame(before.get(id), place));
  const gone = [...before.keys()].filter((id) => !after.has(id));
  return [
    ...moved.map(([lightId, place]) => ({ lightId, pose: { ...metresOf(place), ...place.fixed } })),
    ...gone.map((lightId) => ({ lightId })),
  ];
}

function isSame(a: Place | undefined, b: Place): boolean {
  if (a?.x !== b.x || a.y !== b.y) return false;
  const [before, after] = [a.fixed, b.fixed];
  if (!before || !after) return before === after;
  return (
    before.z === after.z && before.hangs === after.hangs && before.turn === after.turn && before.lean === after.lean
  );
}
