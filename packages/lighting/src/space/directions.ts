import type { FixtureMode, Pose } from "@followspot/contract";

/** Meters, as in `Pose`: x to the right as seen from the hall, y toward the hall, z up. */
export interface Point3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Shares of the whole travel of pan and tilt, 0..1; 0.5 is the middle. */
export interface PanTilt {
  readonly pan: number;
  readonly tilt: number;
}

/** Travel of the heads of a mode from end to end, degrees. */
export interface Travel {
  readonly pan: number;
  readonly tilt: number;
}

/**
 * Travel of heads without one in their definition: most turn one and a half times, and tilt three quarters of a turn.
 */
const USUAL: Travel = { pan: 540, tilt: 270 };

export const travelOf = ({ movement }: Pick<FixtureMode, "movement">): Travel => ({
  pan: movement?.pan ?? USUAL.pan,
  tilt: movement?.tilt ?? USUAL.tilt,
});

/**
 * Returns the direction of a beam as a unit vector. In the middle of pan and tilt it points straight down if the
 * fixture hangs, and straight up if it stands. More tilt leans it to the fixture's front; more pan then turns it to the
 * right as seen from the hall.
 */
export function directionOf(
  { hangs, turn }: Pick<Pose, "hangs" | "turn">,
  { pan, tilt }: PanTilt,
  travel: Travel,
): Point3 {
  return leaning(hangs, turn + (pan - 0.5) * travel.pan, (tilt - 0.5) * travel.tilt);
}

/** Returns the direction of a fixture without pan and tilt as a unit vector. */
export const fixedDirectionOf = ({ hangs, turn, lean }: Pose): Point3 => leaning(hangs, turn, lean);

function leaning(hangs: boolean, turn: number, lean: number): Point3 {
  const across = Math.sin(radians(lean));
  const along = Math.cos(radians(lean));
  return { x: across * Math.sin(radians(turn)), y: across * Math.cos(radians(turn)), z: hangs ? -along : along };
}

/**
 * Returns the pan and tilt that point a head at a point, by the shorter way from its middle. It pans at most a quarter
 * turn to either side, and leans back for points behind it. A point out of reach is clipped to the travel.
 */
export function aimAt(pose: Pose, at: Point3, travel: Travel): PanTilt {
  const [x, y, z] = [at.x - pose.x, at.y - pose.y, at.z - pose.z];
  const away = Math.hypot(x, y);
  let lean = degrees(Math.atan2(away, pose.hangs ? -z : z));
  let turn = away < 1e-6 ? 0 : wrapped(degrees(Math.atan2(x, y)) - pose.turn);
  if (Math.abs(turn) > 90) {
    turn = wrapped(turn + 180);
    lean = -lean;
  }
  return { pan: share(turn / travel.pan), tilt: share(lean / travel.tilt) };
}

const share = (turned: number): number => Math.min(1, Math.max(0, 0.5 + turned));
const radians = (angle: number): number => (angle * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
/** Wraps an angle to -180..180. */
const wrapped = (angle: number): number => ((((angle + 180) % 360) + 360) % 360) - 180;
