import type { StageLamp } from "@followspot/lighting";

/** Where the stage is looked at from: around a point, metres as of `Pose`. */
export interface Orbit {
  readonly at: readonly [x: number, y: number, z: number];
  readonly distance: number;
  /** Radians from the middle of the hall to its right. */
  readonly turn: number;
  /** Radians above the floor. */
  readonly lift: number;
}

export const VIEWS = {
  front: { at: [0, 2, 2.75], distance: 15, turn: 0, lift: -0.1 },
  left: { at: [0, 2.6, 1.7], distance: 12, turn: -0.95, lift: 0.12 },
  top: { at: [0, 3, 0], distance: 13, turn: 0, lift: 1.5 },
  stage: { at: [-0.3, 7, 0.6], distance: 7.1, turn: 2.77, lift: 0.2 },
} as const satisfies Record<string, Orbit>;

/** While lamps are put where they hang: from the right of the hall and well above it, so that depth and height are both seen. */
export const RIGGING: Orbit = { at: [0, 2, 2.2], distance: 15, turn: 0.42, lift: 0.56 };

export type ViewName = keyof typeof VIEWS;

/** Where nothing shines up: there is nothing to see above the lamps. */
const NEAR: Orbit = { at: [0, 2, 2.2], distance: 13, turn: 0, lift: -0.06 };

/** A view of these lamps: the front is nearer where no head turns. */
export const viewOf = (name: ViewName, { lamps }: { readonly lamps: readonly Pick<StageLamp, "moves">[] }): Orbit =>
  name === "front" && !lamps.some(({ moves }) => moves) ? NEAR : VIEWS[name];

const NEAREST = 2.5;
const FARTHEST = 19;
const LIFTS = [-0.15, 1.52] as const;
/** How far one may look away from the middle of the stage to stay within the room, metres. */
const ROOM = { x: 9.3, back: 0.1, front: 20.5, low: -0.75, high: 13.5 } as const;

/** Turned and lifted by so many radians, and so many times as far away; held to where something is to be seen. */
export function orbited(
  orbit: Orbit,
  { turn = 0, lift = 0, zoom = 1 }: Partial<Record<"turn" | "lift" | "zoom", number>>,
): Orbit {
  return {
    at: orbit.at,
    distance: within(orbit.distance * zoom, [NEAREST, FARTHEST]),
    turn: orbit.turn + turn,
    lift: within(orbit.lift + lift, LIFTS),
  };
}

/** Part of the way from one orbit to another, by the shorter turn. @param share 0..1 */
export function between(a: Orbit, b: Orbit, share: number): Orbit {
  const mix = (x: number, y: number) => x + (y - x) * share;
  const turn = Math.atan2(Math.sin(b.turn - a.turn), Math.cos(b.turn - a.turn));
  return {
    at: [mix(a.at[0], b.at[0]), mix(a.at[1], b.at[1]), mix(a.at[2], b.at[2])],
    distance: mix(a.distance, b.distance),
    turn: a.turn + turn * share,
    lift: mix(a.lift, b.lift),
  };
}

/** Where the eye is, metres; within the walls and above the floor. */
export function eyeOf({ at, distance, turn, lift }: Orbit): readonly [x: number, y: number, z: number] {
  const level = distance * Math.cos(lift);
  return [
    within(at[0] + level * Math.sin(turn), [-ROOM.x, ROOM.x]),
    within(at[1] + level * Math.cos(turn), [ROOM.back, ROOM.front]),
    within(at[2] + distance * Math.sin(lift), [ROOM.low, ROOM.high]),
  ];
}

/** Degrees from top to bottom of the picture: the whole width of the stage, and on wide pictures no more of the hall. */
export function fieldOf(aspect: number): number {
  const across = 52;
  const needed = (360 / Math.PI) * Math.atan(Math.tan((across * Math.PI) / 360) / aspect);
  return within(needed, [within(37 - 6 * (aspect - 2), [30, 37]), 75]);
}

const within = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value));
