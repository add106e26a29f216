import type { Pose } from "@followspot/contract";
import { MOUNTS, mountPose, STAGE_SPACE, type Point3 } from "@followspot/lighting";
import type { Poses } from "./arrange.ts";
import { AXES, isOutside, REACH, within, type Axis, type Patches } from "./places.ts";

/** Edge of a square of the grid, metres. */
export const GRID = 0.25;
/** A lamp this near to a guide jumps onto it, metres. */
const NEAR = 0.13;

/** Where a lamp snapped to something that is more than the grid. */
export interface Guide {
  readonly axis: Axis;
  readonly at: number;
  /** The middle of the stage, or as far from it as another lamp on the other side. */
  readonly isMirror: boolean;
}

export interface Dragged {
  readonly patches: Patches;
  readonly guides: readonly Guide[];
}

export interface DragOptions {
  /** Lamps that stay where they are: guides to the one that is dragged. */
  readonly others: Iterable<Pose>;
  /** Snaps to nothing. */
  readonly isFree: boolean;
  /** Metres up where a lamp stands on the floor. */
  readonly floor: number;
}

/**
 * Lamps that are dragged together: the one in hand comes to a point, the others keep their distance to it, and all stay in
 * reach. Down on the floor they stand, up at a truss they hang.
 * @param start where all of them were as the drag began
 * @param to where the one in hand is led, along the axes that it moves on
 */
export function dragged(start: Poses, inHand: number, to: Partial<Point3>, options: DragOptions): Dragged {
  const from = start.get(inHand)!;
  const others = [...options.others];
  const guides: Guide[] = [];
  const patches = new Map<number, Partial<Pose>>([...start.keys()].map((id) => [id, {}]));
  const change = (part: Partial<Pose>, of: number) => patches.set(of, { ...patches.get(of), ...part });
  for (const axis of AXES) {
    const wanted = to[axis];
    if (wanted === undefined) continue;
    const guide = options.isFree ? undefined : nearest(guidesOf(axis, others, options.floor), wanted);
    const snapped = guide?.at ?? (options.isFree ? wanted : Math.round(wanted / GRID) * GRID);
    const by = inReach(start, axis, snapped - from[axis]);
    for (const [id, pose] of start) change({ [axis]: within(axis, pose[axis] + by) }, id);
    if (!guide || Math.abs(from[axis] + by - guide.at) > 0.005) continue;
    guides.push(guide);
    if (axis !== "z") continue;
    const hangs = guide.at !== options.floor;
    for (const [id, { z }] of start) if (z === from.z) change({ hangs }, id);
  }
  return { patches, guides };
}

/** What a lamp may snap to along an axis. */
function guidesOf(axis: Axis, others: readonly Pose[], floor: number): readonly Guide[] {
  const guide = (at: number, isMirror = false): Guide => ({ axis, at, isMirror });
  switch (axis) {
    case "x":
      return [
        guide(0, true),
        ...others.map(({ x }) => guide(x)),
        ...others.filter(({ x }) => x !== 0).map(({ x }) => guide(-x, true)),
      ];
    case "y":
      return [...TRUSS_DEPTHS.map((y) => guide(y)), ...others.map(({ y }) => guide(y))];
    case "z":
      return [guide(floor), guide(STAGE_SPACE.truss), ...others.filter(({ hangs }) => hangs).map(({ z }) => guide(z))];
    default:
      return axis satisfies never;
  }
}

/** How deep on the stage the usual trusses are; what kind of lamp hangs there makes no difference. */
const TRUSS_DEPTHS = MOUNTS.map((mount) => mountPose(mount, { mode: { name: "", channels: [] } }))
  .filter(({ hangs }) => hangs)
  .map(({ y }) => y);

function nearest(guides: readonly Guide[], wanted: number): Guide | undefined {
  const near = guides.filter(({ at }) => Math.abs(at - wanted) <= NEAR);
  return near.toSorted((a, b) => Math.abs(a.at - wanted) - Math.abs(b.at - wanted))[0];
}

/** How far lamps can go along an axis so that none of those that are in reach leaves it. */
function inReach(start: Poses, axis: Axis, by: number): number {
  const [least, most] = REACH[axis];
  const values = [...start.values()].filter((pose) => !isOutside(pose)).map((pose) => pose[axis]);
  if (values.length === 0) return by;
  return Math.min(most - Math.max(...values), Math.max(least - Math.min(...values), by));
}
