import type { Pose } from "@followspot/contract";
import { MOUNTS, mountPose, STAGE_SPACE, type Point3 } from "@followspot/lighting";
import type { Poses } from "./arrange.ts";
import { AXES, isOutside, REACH, within, type Axis, type Patches } from "./places.ts";

/** Spacing of the snap grid, m. */
export const GRID = 0.25;
/** Distance at which a fixture snaps to a guide, m. */
const NEAR = 0.13;

/** Snap target other than the grid, for example the height of a truss. */
export interface Guide {
  readonly axis: Axis;
  readonly at: number;
  /** Whether the guide is the center line of the stage or the mirrored position of another fixture. */
  readonly isMirror: boolean;
}

export interface Dragged {
  readonly patches: Patches;
  readonly guides: readonly Guide[];
}

export interface DragOptions {
  /** Poses of fixtures that are not dragged; they act as guides. */
  readonly others: Iterable<Pose>;
  /** Whether snapping is off. */
  readonly isFree: boolean;
  /** Height of the dragged fixture when it stands on the floor, m. */
  readonly floor: number;
}

/**
 * Drags several fixtures together. The grabbed fixture moves to `to`, snapped; the others keep their offsets. All stay in range.
 * At floor height they switch to standing, at truss height to hanging.
 *
 * @param start poses of all dragged fixtures at the start of the drag
 * @param inHand ID of the grabbed fixture
 * @param to target of the grabbed fixture, on the dragged axes only
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

/** Returns the guides along an axis. */
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

/** Depths of the standard trusses, m. They do not depend on the kind of fixture. */
const TRUSS_DEPTHS = MOUNTS.map((mount) => mountPose(mount, { mode: { name: "", channels: [] } }))
  .filter(({ hangs }) => hangs)
  .map(({ y }) => y);

function nearest(guides: readonly Guide[], wanted: number): Guide | undefined {
  const near = guides.filter(({ at }) => Math.abs(at - wanted) <= NEAR);
  return near.toSorted((a, b) => Math.abs(a.at - wanted) - Math.abs(b.at - wanted))[0];
}

/** Limits a movement along an axis so that no fixture leaves the allowed range. Fixtures already outside are ignored. */
function inReach(start: Poses, axis: Axis, by: number): number {
  const [least, most] = REACH[axis];
  const values = [...start.values()].filter((pose) => !isOutside(pose)).map((pose) => pose[axis]);
  if (values.length === 0) return by;
  return Math.min(most - Math.max(...values), Math.max(least - Math.min(...values), by));
}
