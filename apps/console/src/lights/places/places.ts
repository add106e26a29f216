import type { Pose } from "@followspot/contract";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { STAGE_SPACE } from "@followspot/lighting";

/** Position that a user gave a fixture, in the coordinates of `Pose`, m. */
export interface Place {
  readonly x: number;
  readonly y: number;
  /** Height, mounting and orientation; undefined for the default of the fixture's kind. */
  readonly fixed?: Fixed | undefined;
}

/** Height in meters, hanging or standing, turn away from the hall and (without a tilt channel) lean toward it in degrees. */
export type Fixed = Pick<Pose, "z" | "hangs" | "turn" | "lean">;

/** Fixture ID → position, for fixtures with a stored position. */
export type Places = ReadonlyMap<number, Place>;
/** Fixture ID → drafted position; undefined if the position was cleared. */
export type Edits = ReadonlyMap<number, Place | undefined>;
/** Fixture ID → parts of its pose to change. */
export type Patches = ReadonlyMap<number, Partial<Pose>>;

/** Mounting of a fixture while its mode is unknown. */
export const HUNG: Fixed = { z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 0 };

/** Allowed fixture positions, m. They include the visible space beside and in front of the stage. */
export const REACH = { x: [-7, 7], y: [0, 10], z: [0, 10] } as const;
/** Range of turn and lean, degrees. */
export const TURNS = [-180, 180] as const;

export type Axis = keyof typeof REACH;
export const AXES: readonly Axis[] = ["x", "y", "z"];

/** Margin on both sides of a line of fixtures, m; `BACK` and `FRONT` are the depths of the first and last line, m. */
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

/** Applies drafted changes to the stored positions. */
export function edited(places: Places, edits: Edits): Places {
  const all = new Map(places);
  for (const [id, place] of edits) {
    if (place) all.set(id, place);
    else all.delete(id);
  }
  return all;
}

/** Returns the pose of a fixture: its stored position, or the default pose of its kind. */
export const poseOf = (place: Place | undefined, usual: Pose): Pose =>
  place ? { ...usual, ...place.fixed, x: place.x, y: place.y } : usual;

/** Applies a partial pose to a position. Mounting and orientation are included only after a user has changed them. */
export function patched(place: Place | undefined, usual: Pose, patch: Partial<Pose>): Place {
  const before = poseOf(place, usual);
  const { x, y, ...fixed } = held({ ...before, ...patch });
  const isSaid = place?.fixed !== undefined || FIXED.some((part) => fixed[part] !== before[part]);
  return isSaid ? { x, y, fixed } : { x, y };
}

const FIXED = ["z", "hangs", "turn", "lean"] as const;

/** Clamps a pose to the allowed range and rounds it to 1 cm and 0.5°. */
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

/** Whether a pose is outside the range that the plan shows. */
export const isOutside = (pose: Pose): boolean =>
  AXES.some((axis) => pose[axis] < REACH[axis][0] || pose[axis] > REACH[axis][1]);

/** Clamps a coordinate to the allowed range and rounds it to 1 cm. */
export function within(axis: Axis, value: number): number {
  const [least, most] = REACH[axis];
  return Math.min(most, Math.max(least, Math.round(value * 100) / 100)) + 0;
}

/** Wraps an angle to -180..180 degrees. Both -180 and 180 stay unchanged. */
const wrapped = (angle: number): number =>
  Math.abs(angle) <= 180 ? angle + 0 : ((((angle + 180) % 360) + 360) % 360) - 180;
const rounded = (n: number): number => Math.round(n * 1000) / 1000;

/** Distributes fixtures evenly over the width of the stage at depth `y`, m. */
export function lineAt(ids: readonly number[], y: number): Patches {
  const width = STAGE_SPACE.width - 2 * SIDE;
  return new Map(ids.map((id, i) => [id, { x: ids.length > 1 ? (i / (ids.length - 1) - 0.5) * width : 0, y }]));
}

/** Returns one line of fixtures per group, ungrouped fixtures last. A fixture in several groups is in the first one's line. */
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

/** Lines up all fixtures by group, from the back of the stage to the front. */
export function linedUp(lines: ReadonlyMap<string, readonly number[]>): Patches {
  const depthOf = (i: number) =>
    lines.size > 1 ? BACK + (i * (FRONT - BACK)) / (lines.size - 1) : STAGE_SPACE.depth / 2;
  return new Map([...lines.values()].flatMap((ids, i) => [...lineAt(ids, depthOf(i))]));
}

/** Position of a fixture in a save request; without a pose the stored position is deleted. */
export interface PlacedLamp {
  readonly lightId: number;
  readonly pose?: { readonly x: number; readonly y: number } & Partial<Fixed>;
}

/** Returns the fixtures whose position or mounting differs, or whose position was cleared. */
export function changedPlaces(before: Places, after: Places): readonly PlacedLamp[] {
  const ids = new Set([...after.keys(), ...before.keys()]);
  return [...ids]
    .filter((id) => !isSamePlace(before.get(id), after.get(id)))
    .map((lightId) => savedAs(lightId, after.get(lightId)));
}

/** Converts a position to the form of a save request. */
export const savedAs = (lightId: number, place: Place | undefined): PlacedLamp =>
  place ? { lightId, pose: { x: place.x, y: place.y, ...place.fixed } } : { lightId };

export function isSamePlace(a: Place | undefined, b: Place | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.x !== b.x || a.y !== b.y) return false;
  if (!a.fixed || !b.fixed) return a.fixed === b.fixed;
  return FIXED.every((part) => a.fixed![part] === b.fixed![part]);
}
