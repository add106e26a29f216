import type { Pose } from "@followspot/contract";
import type { Patches } from "./places.ts";

/** Where lamps are, metres and degrees. */
export type Poses = ReadonlyMap<number, Pose>;

/** A point of the plan, metres. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lamps in stage order: from left to right as the hall sees them, and of one above the other the one at the back first. */
export function inStageOrder(poses: Poses): readonly number[] {
  return [...poses].toSorted(([a, p], [b, q]) => p.x - q.x || p.y - q.y || p.z - q.z || a - b).map(([id]) => id);
}

/** Lamps on a straight line from one point to another, with even gaps. One lamp alone comes to its middle. */
export function row(poses: Poses, from: Point, to: Point): Patches {
  const ids = inStageOrder(poses);
  return new Map(
    ids.map((id, i) => {
      const share = ids.length > 1 ? i / (ids.length - 1) : 0.5;
      return [id, { x: mix(from.x, to.x, share), y: mix(from.y, to.y, share) }];
    }),
  );
}

/** The first and the last lamp of a selection: the ends of the row it is. */
export function endsOf(poses: Poses): readonly [from: Point, to: Point] {
  const ids = inStageOrder(poses);
  const [first, last] = [poses.get(ids[0]!)!, poses.get(ids.at(-1)!)!];
  return [
    { x: first.x, y: first.y },
    { x: last.x, y: last.y },
  ];
}

export interface Arc {
  /** Middle of the circle. */
  readonly at: Point;
  /** Metres. */
  readonly radius: number;
  /** Degrees from the first lamp to the last as seen from its middle; 360 closes the circle. */
  readonly angle: number;
  readonly faces: "inwards" | "outwards";
}

/** Lamps on an arc around a point, its middle at the back: open to the hall, from left to right. */
export function arc(poses: Poses, { at, radius, angle, faces }: Arc): Patches {
  const ids = inStageOrder(poses);
  // On a whole circle the last lamp would meet the first.
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

/** An arc that a selection nearly is: around its middle, as wide as it is. */
export function arcOf(poses: Poses): Arc {
  const [from, to] = endsOf(poses);
  const radius = Math.min(4, Math.max(1, quarter((to.x - from.x) / 2)));
  const back = Math.min(...[...poses.values()].map(({ y }) => y));
  return { at: { x: quarter((from.x + to.x) / 2), y: quarter(back + radius) }, radius, angle: 120, faces: "inwards" };
}

/**
 * Pairs, the first from the left with the first from the right and so on: each of a pair is as far from the middle of the
 * stage as the other, at one depth and height, turned and leaning alike in a mirror. A lamp without a partner comes to the middle.
 * @param from whose places count: the left ones', the right ones', or what lies between them
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

/** A pose in the mirror that stands along the middle of the stage. */
function reflected({ x, turn, ...pose }: Pose): Pose {
  return { ...pose, x: -x, turn: Math.abs(turn) === 180 ? turn : -turn };
}

/** Half-way; how it is fixed and turned is the left one's. */
const between = (a: Pose, b: Pose): Pose => ({
  ...a,
  x: mix(a.x, b.x, 0.5),
  y: mix(a.y, b.y, 0.5),
  z: mix(a.z, b.z, 0.5),
});

/** All at one depth or one height: the median of their values. */
export function aligned(poses: Poses, axis: "y" | "z"): Patches {
  const values = [...poses.values()].map((pose) => pose[axis]).toSorted((a, b) => a - b);
  const value = values[Math.floor((values.length - 1) / 2)];
  return new Map([...poses.keys()].map((id) => [id, { [axis]: value }]));
}

/** Even gaps along the side on which the lamps lie further apart; the outer two stay where they are. */
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
