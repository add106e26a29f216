import type { Light, LightGroup } from "@followspot/contract/lights";

/** Where a lamp is on the stage plan, 0..1 from left to right and from the back to the audience. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Lamps that have a place. */
export type Places = ReadonlyMap<number, Place>;

/** Space on both sides of a line of lamps, and from the back and the front. */
const SIDE = 0.08;
const BACK = 0.12;
const FRONT = 0.88;
/** Of places, so that two of them compare. */
const GRAIN = 1000;

export const placesOf = (lights: readonly Light[]): Places =>
  new Map(lights.flatMap(({ id, stageX, stageY }) => (stageX === undefined || stageY === undefined ? [] : [[id, { x: stageX, y: stageY }]]))); // prettier-ignore

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

/** A place moved by so much, still on the plan. */
export const movedBy = ({ x, y }: Place, dx: number, dy: number): Place => ({ x: rounded(x + dx), y: rounded(y + dy) });

const rounded = (n: number) => Math.round(Math.min(1, Math.max(0, n)) * GRAIN) / GRAIN;

/** What is to be saved: lamps whose place is another one, or none any more. */
export function changedPlaces(
  before: Places,
  after: Places,
): readonly { readonly lightId: number; readonly x?: number; readonly y?: number }[] {
  const moved = [...after].filter(([id, { x, y }]) => before.get(id)?.x !== x || before.get(id)?.y !== y);
  const gone = [...before.keys()].filter((id) => !after.has(id));
  return [...moved.map(([lightId, { x, y }]) => ({ lightId, x, y })), ...gone.map((lightId) => ({ lightId }))];
}
