import type { Pose } from "@followspot/contract";
import type { Patches } from "./places.ts";

/** Fixture ID → pose, in meters and degrees. */
export type Poses = ReadonlyMap<number, Pose>;

/** Point on the stage plan, m. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Sorts fixture IDs in stage order: left to right as seen from the hall; at equal x back to front, then bottom to top. */
export function inStageOrder(poses: Poses): readonly number[] {
  return [...poses].toSorted(([a, p], [b, q]) => p.x - q.x || p.y - q.y || p.z - q.z || a - b).map(([id]) => id);
}

/** Distributes fixtures evenly on a straight line between two points. A single fixture is placed at the midpoint. */
export function row(poses: Poses, from: Point, to: Point): Patches {
  const ids = inStageOrder(poses);
  return new Map(
    ids.map((id, i) => {
      const share = ids.length > 1 ? i / (ids.length - 1) : 0.5;
      return [id, { x: mix(from.x, to.x, share), y: mix(from.y, to.y, share) }];
    }),
  );
}

/** Returns the positions of the first and last fixture in stage order. */
export function endsOf(poses: Poses): readonly [from: Point, to: Point] {
  const ids = inStageOrder(poses);
  const [first, last] = [poses.get(ids[0]!)!, poses.get(ids.at(-1)!)!];
  return [
    { x: first.x, y: first.y },
    { x: last.x, y: last.y },
  ];
}

export interface Arc {
  /** Center of the circle. */
  readonly at: Point;
  /** Radius, m. */
  readonly radius: number;
  /** Central angle between the first and the last fixture, degrees; 360 closes the circle. */
  readonly angle: number;
  readonly faces: "inwards" | "outwards";
}

/** Distributes fixtures left to right on an arc that opens toward the hall; the middle of the arc is at the back. */
export function arc(poses: Poses, { at, radius, angle, faces }: Arc): Patches {
  const ids = inStageOrder(poses);
  // On a full circle the last fixture would coincide with the first.
  const gaps = angle >= 360 ? ids.length : Math.max(1, ids.length - 1);
  return new Map(
    ids.map((id, i) => {
      const along = ids.length > 1 ? (i - (ids.length - 1) / 2) * (angle / gaps) : 0;
      const [sin, cos] = [Math.sin(radians(along)), Math.cos(radians(along))];
      const turn = faces === "inwards" ? -along : opposite(-along);
      return [id, { x: at.x + radius * sin, y: at.y - radius * cos, turn }];
    }),
  );
}

/** Proposes an arc that fits the selection: centered on it and about as wide, with a radius of 1–4 m and an angle of 120°. */
export function arcOf(poses: Poses): Arc {
  const [from, to] = endsOf(poses);
  const radius = Math.min(4, Math.max(1, quarter((to.x - from.x) / 2)));
  const back = Math.min(...[...poses.values()].map(({ y }) => y));
  return { at: { x: quarter((from.x + to.x) / 2), y: quarter(back + radius) }, radius, angle: 120, faces: "inwards" };
}

/**
 * Arranges fixtures symmetrically about the center line of the stage. The outermost left and right fixtures form a pair, then the
 * next two, and so on. A pair gets the same depth, height and lean, and mirrored turns. An unpaired fixture moves to the center.
 *
 * @param from side whose poses are mirrored to the other side; `both` uses the midpoint of each pair
 */
export function mirrored(poses: Poses, from: "left" | "right" | "both"): Patches {
  const ids = inStageOrder(poses);
  const patches = new Map<number, Partial<Pose>>();
  for (let i = 0; i < Math.floor(ids.length / 2); i++) {
    const [left, right] = [ids[i]!, ids[ids.length - 1 - i]!];
    const [a, b] = [poses.get(left)!, reflected(poses.get(right)!)];
    const kept = from === "left" ? a : from === "right" ? b : between(a, b);
    patches.set(left, kept);
    patches.set(right, reflected(kept));
  }
  if (ids.length % 2 === 1) patches.set(ids[(ids.length - 1) / 2]!, { x: 0 });
  return patches;
}

/** Mirrors a pose at the center line of the stage. */
function reflected({ x, turn, ...pose }: Pose): Pose {
  return { ...pose, x: -x, turn: Math.abs(turn) === 180 ? turn : -turn };
}

/** Returns the midpoint of two poses, with the mounting and orientation of `a`. */
const between = (a: Pose, b: Pose): Pose => ({
  ...a,
  x: mix(a.x, b.x, 0.5),
  y: mix(a.y, b.y, 0.5),
  z: mix(a.z, b.z, 0.5),
});

/** Aligns fixtures to the median of their depths (y) or heights (z). */
export function aligned(poses: Poses, axis: "y" | "z"): Patches {
  const values = [...poses.values()].map((pose) => pose[axis]).toSorted((a, b) => a - b);
  const value = values[Math.floor((values.length - 1) / 2)];
  return new Map([...poses.keys()].map((id) => [id, { [axis]: value }]));
}

/** Distributes fixtures evenly along x or y, whichever has the larger extent. The two outermost fixtures stay in place. */
export function spread(poses: Poses): Patches {
  const wide = extent(poses, "x");
  const deep = extent(poses, "y");
  const axis = deep.most - deep.least > wide.most - wide.least ? "y" : "x";
  const { least, most } = axis === "x" ? wide : deep;
  const ids = inStageOrder(poses).toSorted((a, b) => poses.get(a)![axis] - poses.get(b)![axis]);
  return new Map(ids.map((id, i) => [id, { [axis]: mix(least, most, ids.length > 1 ? i / (ids.length - 1) : 0) }]));
}

function extent(poses: Poses, axis: "x" | "y"): { readonly least: number; readonly most: number } {
  const values = [...poses.values()].map((pose) => pose[axis]);
  return { least: Math.min(...values), most: Math.max(...values) };
}

const mix = (a: number, b: number, share: number): number => a + (b - a) * share;
const radians = (angle: number): number => (angle * Math.PI) / 180;
const opposite = (angle: number): number => (angle > 0 ? angle - 180 : angle + 180);
const quarter = (n: number): number => Math.round(n * 4) / 4;
