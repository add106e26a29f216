import { HEAD_POSITIONS, type AimPosition, type HeadAim, type HeadPosition, type Pose } from "@followspot/contract";
import { aimAt, type PanTilt, type Point3, type Travel } from "../space/directions.ts";

/** Index of a position; of any other text home's. */
export const placeOfPosition = (name: unknown): number => Math.max(0, HEAD_POSITIONS.indexOf(name as HeadPosition)); // any other text counts as the first

/** A singer in the middle of the stage, at the height of a head that stands. */
export const SINGER: Point3 = { x: 0, y: 4.5, z: 1.6 };
/** In the air over the front of the hall. */
const OVER_HALL: Point3 = { x: 0, y: 8.5, z: 5 };
/** Beams into the hall are over the heads of people from the edge of the stage on, from a truss and from the floor. */
const HALL = { y: 14, z: 6.5 };
const CEILING = { y: 9, z: 9 };
/** How far the outermost beams of a fan turn out, degrees, and how far its points are, metres. */
const FAN = { degrees: 50, away: 8 };

/**
 * The point a position is, for a head of a row.
 * @param side -1 the left end of the row .. 1 the right end
 */
export function pointOf(position: Exclude<HeadPosition, "home">, pose: Pose, side: number): Point3 {
  switch (position) {
    case "band":
      return SINGER;
    case "hall":
      return { x: pose.x, ...HALL };
    case "floor":
      // What stands on the floor looks at the foot of the wall behind it: level, its beam would be in people's eyes.
      return pose.hangs ? { x: 0.8 * pose.x, y: 3.5, z: 0 } : { x: pose.x, y: Math.min(0, pose.y - 0.5), z: 0.2 };
    case "ceiling":
      return { x: pose.x, ...CEILING };
    case "crossed":
      return { x: -4 * side, y: 5.5, z: 2.2 };
    case "fan": {
      const out = (side * FAN.degrees * Math.PI) / 180;
      const across = pose.x + FAN.away * Math.sin(out);
      // From a truss the fan lies over the hall; from the floor it stands on the stage.
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

/** What is known of where a head is and how it was aimed. */
export interface AimedHead {
  /** Where people put it, or where lights of its kind are put. */
  readonly pose: Pose;
  /** A person put it there. */
  readonly isPlaced: boolean;
  readonly aim: HeadAim | undefined;
  readonly side: number;
  readonly travel: Travel;
}

const MIDDLE: PanTilt = { pan: 0.5, tilt: 0.5 };

/**
 * Pan and tilt of a head at a position: the point a person taught it, else worked out from where it is. Of a head that was
 * aimed and never placed only its home is known: it is taken to look at the band there, and is moved from it as a head of
 * the usual row is moved from the band, at most by its range.
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
