import { HEAD_POSITIONS, type AimPosition, type HeadAim, type HeadPosition, type Pose } from "@followspot/contract";
import { aimAt, type PanTilt, type Point3, type Travel } from "../space/directions.ts";

/** Returns the index of a position preset; that of home for any other text. */
export const placeOfPosition = (name: unknown): number => Math.max(0, HEAD_POSITIONS.indexOf(name as HeadPosition));

/** A singer in the middle of the stage, at the height of a standing person's head, meters. */
export const SINGER: Point3 = { x: 0, y: 4.5, z: 1.6 };
/** A point in the air above the front of the hall, meters. */
const OVER_HALL: Point3 = { x: 0, y: 8.5, z: 5 };
/**
 * Target of beams into the hall, meters. From the edge of the stage on they pass above the audience, from a truss and
 * from the floor.
 */
const HALL = { y: 14, z: 6.5 };
const CEILING = { y: 9, z: 9 };
/** Largest outward angle of a fan, degrees, and the distance of its target points, meters. */
const FAN = { degrees: 50, away: 8 };

/**
 * Returns the target point of a position preset for a head of a row.
 *
 * @param side -1 the left end of the row .. 1 the right end
 */
export function pointOf(position: Exclude<HeadPosition, "home">, pose: Pose, side: number): Point3 {
  switch (position) {
    case "band":
      return SINGER;
    case "hall":
      return { x: pose.x, ...HALL };
    case "floor":
      // A head on the floor points at the foot of the wall behind it. A level beam would dazzle people.
      return pose.hangs ? { x: 0.8 * pose.x, y: 3.5, z: 0 } : { x: pose.x, y: Math.min(0, pose.y - 0.5), z: 0.2 };
    case "ceiling":
      return { x: pose.x, ...CEILING };
    case "crossed":
      return { x: -4 * side, y: 5.5, z: 2.2 };
    case "fan": {
      const out = (side * FAN.degrees * Math.PI) / 180;
      const across = pose.x + FAN.away * Math.sin(out);
      // From a truss the fan covers the hall; from the floor it stands on the stage.
      return pose.hangs
        ? { x: across, y: pose.y + FAN.away * Math.cos(out), z: pose.z + 1.2 }
        : { x: across, y: pose.y + 2, z: pose.z + FAN.away * Math.cos(out) };
    }
    case "point":
      return OVER_HALL;
    default:
      return position satisfies never;
  }
}

/** Known pose and aim of a head. */
export interface AimedHead {
  /** Pose set by a user, or the usual pose of fixtures of this kind. */
  readonly pose: Pose;
  /** Whether a user set the pose. */
  readonly isPlaced: boolean;
  readonly aim: HeadAim | undefined;
  readonly side: number;
  readonly travel: Travel;
}

const MIDDLE: PanTilt = { pan: 0.5, tilt: 0.5 };

/**
 * Returns pan and tilt of a head at a position preset: the point that a user taught, otherwise computed from its pose.
 * If a head was aimed but never placed, only its home is known. It is assumed to point at the band there, and its
 * offset equals that of a head in the usual row, at most its range.
 */
export function positionOf(head: AimedHead, position: HeadPosition): PanTilt {
  const { aim, pose, side, travel } = head;
  const home = aim?.home ?? MIDDLE;
  if (position === "home") return home;
  const taught = aim?.[position as AimPosition];
  if (taught) return taught;
  const at = aimAt(pose, pointOf(position, pose, side), travel);
  if (!aim || head.isPlaced) return at;
  const band = aimAt(pose, SINGER, travel);
  return {
    pan: moved(home.pan, at.pan - band.pan, aim.range.pan),
    tilt: moved(home.tilt, at.tilt - band.tilt, aim.range.tilt),
  };
}

const moved = (home: number, by: number, range: number): number =>
  Math.min(1, Math.max(0, home + Math.min(range, Math.max(-range, by))));
