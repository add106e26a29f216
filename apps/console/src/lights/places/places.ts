import type { Pose } from "@followspot/contract";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { STAGE_SPACE } from "@followspot/lighting";

/** Where a person put a lamp, metres as of `Pose`. */
export interface Place {
  readonly x: number;
  readonly y: number;
  /** Without it the lamp is fixed as others of its kind. */
  readonly fixed?: Fixed | undefined;
}

/** How a lamp is fixed: metres up, from a truss or standing, degrees turned from the hall and, without tilt, leaning to it. */
export type Fixed = Pick<Pose, "z" | "hangs" | "turn" | "lean">;

/** Lamps that have a place. */
export type Places = ReadonlyMap<number, Place>;
/** What people changed: a place, or none any more. */
export type Edits = ReadonlyMap<number, Place | undefined>;
/** Parts of poses that are to be others. */
export type Patches = ReadonlyMap<number, Partial<Pose>>;

/** How a lamp is fixed of which nothing is known. */
export const HUNG: Fixed = { z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 0 };

/** Where lamps can be put, metres: beside the stage and before it as well, and no further than one sees. */
export const REACH = { x: [-7, 7], y: [0, 10], z: [0, 10] } as const;
/** How far lamps are turned and lean, degrees. */
export const TURNS = [-180, 180] as const;

export type Axis = keyof typeof REACH;
export const AXES: readonly Axis[] = ["x", "y", "z"];

/** Space on both sides of a line of lamps, and from the back and the front, metres. */
const SIDE = 0.8;
const BACK = 0.72;
const FRONT = 5.28;

export const placesOf = (lights: readonly Light[]): Places =>
  new Map(lights.flatMap((light) => (light.pose ? [[light.id, placeOf(light.pose)]] : [])));

function placeOf({ x, y, z, hangs, turn, lean }: NonNullable<Light["pose"]>): Place {
  const isFixed = z !== undefined && hangs !== undefined && turn !== undefined && lean !== undefined;
  const place = { x: rounded(x), y: rounded(y) };
  return isFixed ? { ...place, fixed: { z, hangs, turn, lean } } : place;
}

/** The places with what a person changed of them. */
export function edited(places: Places, edits: Edits): Places {
  const all = new Map(places);
  for (const [id, place] of edits) {
    if (place) all.set(id, place);
    else all.delete(id);
  }
  return all;
}

/** Where a lamp is: where a person put it, else as others of its kind. */
export const poseOf = (place: Place | undefined, usual: Pose): Pose =>
  place ? { ...usual, ...place.fixed, x: place.x, y: place.y } : usual;

/** The place of a lamp after a part of its pose was changed; how it is fixed is sent only once a person changed that. */
export function patched(place: Place | undefined, usual: Pose, patch: Partial<Pose>): Place {
  const before = poseOf(place, usual);
  const { x, y, ...fixed } = held({ ...before, ...patch });
  const isSaid = place?.fixed !== undefined || FIXED.some((part) => fixed[part] !== before[part]);
  return isSaid ? { x, y, fixed } : { x, y };
}

const FIXED = ["z", "hangs", "turn", "lean"] as const;

/** Within reach, to the centimetre and half a degree. */
export function held(pose: Pose): Pose {
  const { x, y, z, hangs, turn, lean } = pose;
  return {
    x: within("x", x),
    y: within("y", y),
    z: within("z", z),
    hangs,
    turn: wrapped(Math.round(turn * 2) / 2),
    lean: wrapped(Math.round(lean * 2) / 2),
  };
}

/** Whether a lamp is outside of what the plan shows. */
export const isOutside = (pose: Pose): boolean =>
  AXES.some((axis) => pose[axis] < REACH[axis][0] || pose[axis] > REACH[axis][1]);

/** To the nearest that is in reach, to the centimetre. */
export function within(axis: Axis, value: number): number {
  const [least, most] = REACH[axis];
  return Math.min(most, Math.max(least, Math.round(value * 100) / 100)) + 0;
}

/** -180..180; what is one of both stays as it is. */
const wrapped = (angle: number): number =>
  Math.abs(angle) <= 180 ? angle + 0 : ((((angle + 180) % 360) + 360) % 360) - 180;
const rounded = (n: number): number => Math.round(n * 1000) / 1000;

/** So many lamps side by side over the width of the stage, at one depth. */
export function lineAt(ids: readonly number[], y: number): Patches {
  const width = STAGE_SPACE.width - 2 * SIDE;
  return new Map(ids.map((id, i) => [id, { x: ids.length > 1 ? (i / (ids.length - 1) - 0.5) * width : 0, y }]));
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
export function linedUp(lines: ReadonlyMap<string, readonly number[]>): Patches {
  const depthOf = (i: number) =>
    lines.size > 1 ? BACK + (i * (FRONT - BACK)) / (lines.size - 1) : STAGE_SPACE.depth / 2;
  return new Map([...lines.values()].flatMap((ids, i) => [...lineAt(ids, depthOf(i))]));
}

/** A lamp as it is saved; without a pose it has no place. */
export interface PlacedLamp {
  readonly lightId: number;
  readonly pose?: { readonly x: number; readonly y: number } & Partial<Fixed>;
}

/** What is to be saved: lamps that are somewhere else, or fixed otherwise, or have no place any more. */
export function changedPlaces(before: Places, after: Places): readonly PlacedLamp[] {
  const ids = new Set([...after.keys(), ...before.keys()]);
  return [...ids]
    .filter((id) => !isSamePlace(before.get(id), after.get(id)))
    .map((lightId) => savedAs(lightId, after.get(lightId)));
}

/** A lamp with a place, or with none, as it is saved. */
export const savedAs = (lightId: number, place: Place | undefined): PlacedLamp =>
  place ? { lightId, pose: { x: place.x, y: place.y, ...place.fixed } } : { lightId };

export function isSamePlace(a: Place | undefined, b: Place | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.x !== b.x || a.y !== b.y) return false;
  if (!a.fixed || !b.fixed) return a.fixed === b.fixed;
  return FIXED.every((part) => a.fixed![part] === b.fixed![part]);
}
