import { HEAD_POSITIONS, type AimPoint, type HeadAim, type Pose, type RigLight } from "@followspot/contract";
import { positionOf } from "./movement/positions.ts";
import type { RowPlace } from "./movement/row.ts";
import { travelOf, type Travel } from "./space/directions.ts";

/**
 * Furthest that a plan moves a head from the middle, share of the travel; for a fixture with an aim this is its range.
 */
export const PLAN_REACH: AimPoint = { pan: 0.35, tilt: 0.2 };

/** Aim of a fixture that has not been aimed yet. */
export const UNAIMED: HeadAim = {
  home: { pan: 0.5, tilt: 0.5 },
  range: PLAN_REACH,
  invertPan: false,
  invertTilt: false,
  swap: false,
};

/** Fastest movement of a lit head if its definition gives no speed, degrees per second. */
const USUAL_SPEED = { pan: 200, tilt: 150 } as const;

/** The aims of the heads of a show, as the frame loop reads them. */
export interface Aims {
  /** Pan and tilt of each of the {@link HEAD_POSITIONS}, head by head. */
  readonly points: Float32Array;
  /**
   * Pan and tilt of each head: furthest that a cue moves it to either side, and the ratio of that to a head without an
   * aim.
   */
  readonly ranges: Float32Array;
  readonly shares: Float32Array;
  /** Fastest pan and tilt of each head, shares of its travel per second. */
  readonly speeds: Float32Array;
  /** Lowest and highest tilt on the permitted side of the guard. */
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
  /** Sum of {@link TURN} values. */
  readonly turns: Uint8Array;
}

/** A head with its pose, and its place in the row of its kind; undefined without pan and tilt. */
export interface StoodHead {
  readonly light: RigLight;
  readonly pose: Pose;
  readonly row: RowPlace | undefined;
}

const TURN = { swap: 1, invertPan: 2, invertTilt: 4 } as const;
/** Numbers per head in {@link Aims.points}. */
const OWN = 2 * HEAD_POSITIONS.length;

export function compileAims(heads: readonly StoodHead[]): Aims {
  const n = heads.length;
  const aims = {
    points: new Float32Array(OWN * n).fill(0.5),
    ranges: new Float32Array(2 * n),
    shares: new Float32Array(2 * n),
    speeds: new Float32Array(2 * n).fill(Number.POSITIVE_INFINITY),
    lowest: new Float32Array(n),
    highest: new Float32Array(n).fill(1),
    turns: new Uint8Array(n),
  };
  for (const [h, { light, pose, row }] of heads.entries()) {
    if (!row) continue;
    const aim = light.aim ?? UNAIMED;
    const side = 2 * row.place - 1;
    const travel = padTravelOf(light);
    const speed = padSpeedOf(light);
    const head = { pose, isPlaced: light.pose !== undefined, aim: light.aim, side, travel };
    for (const [i, position] of HEAD_POSITIONS.entries()) {
      const { pan, tilt } = positionOf(head, position);
      aims.points.set([pan, tilt], OWN * h + 2 * i);
    }
    aims.ranges.set(light.aim ? [aim.range.pan, aim.range.tilt] : [1, 1], 2 * h);
    aims.shares.set([aim.range.pan / PLAN_REACH.pan, aim.range.tilt / PLAN_REACH.tilt], 2 * h);
    aims.speeds.set([speed.pan / travel.pan, speed.tilt / travel.tilt], 2 * h);
    [aims.lowest[h], aims.highest[h]] = sideOfGuard(aim);
    aims.turns[h] =
      (aim.swap ? TURN.swap : 0) | (aim.invertPan ? TURN.invertPan : 0) | (aim.invertTilt ? TURN.invertTilt : 0);
  }
  return aims;
}

/**
 * Returns the travel of pan and tilt as the pad of a fixture shows them. If they are swapped, the other channel moves
 * it.
 */
export function padTravelOf({ mode, aim }: RigLight): Travel {
  const { pan, tilt } = travelOf(mode);
  return aim?.swap ? { pan: tilt, tilt: pan } : { pan, tilt };
}

/** Returns the fastest pan and tilt as the pad shows them, degrees per second. */
export function padSpeedOf({ mode, aim }: RigLight): Travel {
  const pan = mode.movement?.panSpeed ?? USUAL_SPEED.pan;
  const tilt = mode.movement?.tiltSpeed ?? USUAL_SPEED.tilt;
  return aim?.swap ? { pan: tilt, tilt: pan } : { pan, tilt };
}

/**
 * Returns the range of tilts that a beam may have: the side of the guard where home is. Heads take time to move, so a
 * beam that may be on both sides would sweep through the guard while lit.
 */
export function sideOfGuard({
  guard,
  home,
}: Pick<HeadAim, "guard" | "home">): readonly [lowest: number, highest: number] {
  if (!guard) return [0, 1];
  return home.tilt < (guard.from + guard.to) / 2 ? [0, guard.from] : [guard.to, 1];
}

/** Returns the pan of a position of a head. @param place index into {@link HEAD_POSITIONS} */
export const panAt = ({ points }: Aims, h: number, place: number): number => points[OWN * h + 2 * place]!;
export const tiltAt = ({ points }: Aims, h: number, place: number): number => points[OWN * h + 2 * place + 1]!;

/**
 * Returns the value of a head's pan channel (of tilt: `isTilt`), 0..1: limited to its side of the guard, then swapped,
 * then inverted. For a head without an aim this is the value itself.
 */
export function channelOf(aims: Aims, h: number, pan: number, tilt: number, isTilt: boolean): number {
  const turns = aims.turns[h]!;
  const takesTilt = isTilt !== ((turns & TURN.swap) !== 0);
  const value = takesTilt ? Math.min(aims.highest[h]!, Math.max(aims.lowest[h]!, tilt)) : pan;
  const isInverted = (turns & (isTilt ? TURN.invertTilt : TURN.invertPan)) !== 0;
  return isInverted ? 1 - Math.min(1, Math.max(0, value)) : value;
}
