import { AIM_POSITIONS, type AimPoint, type AimPosition, type HeadAim, type RigLight } from "@followspot/contract";

/** How far a plan moves a head from the middle at the most; of a lamp with an aim that is its range. */
export const PLAN_REACH: AimPoint = { pan: 0.35, tilt: 0.2 };

/** How a light looks and moves until it is aimed. */
export const UNAIMED: HeadAim = {
  home: { pan: 0.5, tilt: 0.5 },
  range: PLAN_REACH,
  invertPan: false,
  invertTilt: false,
  swap: false,
};

/** The aims of the heads of a show, as the frame loop reads them. */
export interface Aims {
  /** 1 for heads with an aim of their own. */
  readonly isAimed: Uint8Array;
  /** Pan and tilt of home, then of each of the positions, head by head; of a position that is not set NaN. */
  readonly points: Float32Array;
  /** Pan and tilt. */
  readonly ranges: Float32Array;
  /** Tilt on this side of the guard. */
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
  /** Sum of {@link TURN}. */
  readonly turns: Uint8Array;
}

const TURN = { swap: 1, invertPan: 2, invertTilt: 4 } as const;
/** Numbers of {@link Aims.points} for one head. */
const OWN = 2 * (1 + AIM_POSITIONS.length);

export function compileAims(heads: readonly { readonly light: RigLight }[]): Aims {
  const n = heads.length;
  const aims = {
    isAimed: new Uint8Array(n),
    points: new Float32Array(OWN * n),
    ranges: new Float32Array(2 * n),
    lowest: new Float32Array(n),
    highest: new Float32Array(n).fill(1),
    turns: new Uint8Array(n),
  };
  for (const [h, { light }] of heads.entries()) {
    const aim = light.aim ?? UNAIMED;
    if (light.aim) aims.isAimed[h] = 1;
    const points = [aim.home, ...AIM_POSITIONS.map((name) => aim[name])];
    aims.points.set(points.flatMap((point) => [point?.pan ?? Number.NaN, point?.tilt ?? Number.NaN]), OWN * h); // prettier-ignore
    aims.ranges.set([aim.range.pan, aim.range.tilt], 2 * h);
    [aims.lowest[h], aims.highest[h]] = sideOfGuard(aim);
    aims.turns[h] =
      (aim.swap ? TURN.swap : 0) | (aim.invertPan ? TURN.invertPan : 0) | (aim.invertTilt ? TURN.invertTilt : 0);
  }
  return aims;
}

/**
 * The tilts a beam may have: those on the side of the guard on which home is. A head takes its time from one tilt to the
 * next, so a beam that may be on both sides would sweep through the guard while it is lit.
 */
export function sideOfGuard({
  guard,
  home,
}: Pick<HeadAim, "guard" | "home">): readonly [lowest: number, highest: number] {
  if (!guard) return [0, 1];
  return home.tilt < (guard.from + guard.to) / 2 ? [0, guard.from] : [guard.to, 1];
}

/** 1 to 3: band, hall, floor; 0 is home. */
export function placeOfPosition(name: unknown): number {
  return AIM_POSITIONS.indexOf(name as AimPosition) + 1; // any other text is none of them
}

/** Pan of a place of a head, or its home's where that place is not set. */
export const panAt = ({ points }: Aims, h: number, place: number): number => pointAt(points, h, place, 0);
export const tiltAt = ({ points }: Aims, h: number, place: number): number => pointAt(points, h, place, 1);

function pointAt(points: Float32Array, h: number, place: number, axis: number): number {
  const value = points[OWN * h + 2 * place + axis]!;
  return Number.isNaN(value) ? points[OWN * h + axis]! : value;
}

/** Whether a place of a head is set. */
export const hasPlace = ({ points }: Aims, h: number, place: number): boolean =>
  !Number.isNaN(points[OWN * h + 2 * place]!);

/** Where a head looks that a plan moves. @param plan 0..1, 0.5 in the middle @param place around which it moves */
export function aimedPan(aims: Aims, h: number, plan: number, place: number): number {
  if (aims.isAimed[h] === 0) return plan;
  return panAt(aims, h, place) + aims.ranges[2 * h]! * reached(plan, PLAN_REACH.pan);
}

export function aimedTilt(aims: Aims, h: number, plan: number, place: number): number {
  if (aims.isAimed[h] === 0) return plan;
  return tiltAt(aims, h, place) + aims.ranges[2 * h + 1]! * reached(plan, PLAN_REACH.tilt);
}

/** -1..1 */
function reached(plan: number, reach: number): number {
  return Math.min(1, Math.max(-1, (plan - 0.5) / reach));
}

/**
 * What a head's channel of pan (of tilt: `isTilt`) is given, 0..1: on its side of the guard, then swapped, then inverted. For
 * a head without an aim it is the value itself.
 */
export function channelOf(aims: Aims, h: number, pan: number, tilt: number, isTilt: boolean): number {
  const turns = aims.turns[h]!;
  const takesTilt = isTilt !== ((turns & TURN.swap) !== 0);
  const value = takesTilt ? Math.min(aims.highest[h]!, Math.max(aims.lowest[h]!, tilt)) : pan;
  const isInverted = (turns & (isTilt ? TURN.invertTilt : TURN.invertPan)) !== 0;
  return isInverted ? 1 - Math.min(1, Math.max(0, value)) : value;
}
