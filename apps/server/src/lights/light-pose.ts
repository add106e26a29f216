import { create } from "@bufbuild/protobuf";
import type { Rig } from "@followspot/contract";
import { LightPoseSchema, type Light, type LightPose, type StagePlace } from "@followspot/contract/lights";
import { posesOf, STAGE_SPACE } from "@followspot/lighting";
import { invalid } from "../platform/errors.ts";
import type { StoredPose } from "./lights.store.ts";

export const NOWHERE: StoredPose = { pose_x: null, pose_y: null, pose_z: null, hangs: null, turn: null, lean: null };

/** Converts a stored pose to a message: the pose, and the older relative stage position. */
export function messageOfPose(row: StoredPose): Pick<Light, "pose" | "stageX" | "stageY"> | undefined {
  const { pose_x: x, pose_y: y, pose_z: z, hangs, turn, lean } = row;
  if (x === null || y === null) return undefined;
  const fixed = z !== null && hangs !== null && turn !== null && lean !== null && { z, hangs, turn, lean };
  return {
    pose: create(LightPoseSchema, { x, y, ...fixed }),
    stageX: share(x / STAGE_SPACE.width + 0.5),
    stageY: share(y / STAGE_SPACE.depth),
  };
}

/** Rounds a relative position, because conversion to meters and back is inexact. */
const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e9) / 1e9;

/**
 * Returns the requested pose.
 * @param now current pose
 * @throws invalid_argument for an incomplete position or mounting
 */
export function poseOfPlace({ x, y, pose }: StagePlace, now: StoredPose): StoredPose {
  if (!pose) {
    if ((x === undefined) !== (y === undefined)) throw invalid("A place needs both x and y, or neither");
    if (x === undefined || y === undefined) return NOWHERE;
    return { ...now, pose_x: (x - 0.5) * STAGE_SPACE.width, pose_y: y * STAGE_SPACE.depth };
  }
  return poseOfPose(pose);
}

/** @throws invalid_argument for an incomplete mounting */
export function poseOfPose({ x, y, z, hangs, turn, lean }: LightPose): StoredPose {
  const said = [z, hangs, turn, lean].filter((value) => value !== undefined).length;
  if (said > 0 && said < 4) throw invalid("A pose says z, hangs, turn and lean together, or none of them");
  return { pose_x: x, pose_y: y, pose_z: z ?? null, hangs: hangs ?? null, turn: turn ?? null, lean: lean ?? null }; // prettier-ignore
}

/** Default distance between two lights of a group, m. */
const USUAL_STEP = 0.8;
/** Farthest automatic position to the side of the stage center, and towards the hall, m. */
const FURTHEST = { x: 7, y: 10 } as const;

/**
 * Returns poses for new lights of a group: they continue the line of its last two placed lights, mounted like the last
 * one. Undefined if no light of the group is placed.
 */
export function posesBeside(group: readonly StoredPose[], count: number): readonly StoredPose[] {
  const [last, before] = group.filter(({ pose_x }) => pose_x !== null).toReversed();
  if (!last) return [];
  const step = (axis: "pose_x" | "pose_y", usual: number) => (before ? last[axis]! - before[axis]! : usual);
  const [dx, dy] = [step("pose_x", USUAL_STEP), step("pose_y", 0)];
  return Array.from({ length: count }, (_, i) => ({
    ...poseOnly(last),
    pose_x: Math.min(FURTHEST.x, Math.max(-FURTHEST.x, last.pose_x! + dx * (i + 1))),
    pose_y: Math.min(FURTHEST.y, Math.max(0, last.pose_y! + dy * (i + 1))),
  }));
}

const poseOnly = ({ pose_x, pose_y, pose_z, hangs, turn, lean }: StoredPose): StoredPose => ({ pose_x, pose_y, pose_z, hangs, turn, lean }); // prettier-ignore

/** Returns the rig with the stored poses; other values come from the type's defaults. */
export function withPoses(rig: Rig, stored: ReadonlyMap<number, StoredPose>): Rig {
  const usual = posesOf(rig);
  return {
    ...rig,
    lights: rig.lights.map((light) => {
      const { pose_x: x, pose_y: y, pose_z: z, hangs, turn, lean } = stored.get(light.id) ?? NOWHERE;
      const own = usual.get(light.id);
      if (x === null || y === null || !own) return light;
      const { z: usualZ, hangs: usuallyHangs, turn: usualTurn, lean: usualLean } = own;
      const fixed = { z: z ?? usualZ, hangs: hangs ?? usuallyHangs, turn: turn ?? usualTurn, lean: lean ?? usualLean };
      return { ...light, pose: { x, y, ...fixed } };
    }),
  };
}
