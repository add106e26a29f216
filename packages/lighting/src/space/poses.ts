import type { FixtureMode, GroupType, Pose, Rig, RigLight } from "@followspot/contract";
import { roleOfMode } from "../resolve-targets.ts";

/** Default size of the stage, meters. */
export const STAGE_SPACE = { width: 10, depth: 6, truss: 4.5 } as const;

/** Default row of each role, from left to right: y and z of the row, hanging or standing, and direction. */
const ROWS: Record<GroupType, Omit<Pose, "x">> = {
  // On the front truss, pointing back at the band.
  wash: { y: 5.5, z: STAGE_SPACE.truss, hangs: true, turn: 180, lean: 35 },
  // Above the middle of the stage, tilted slightly toward the hall.
  par: { y: 2.5, z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 12 },
  spot: { y: 1.5, z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 0 },
  bar: { y: 0.6, z: 0.15, hangs: false, turn: 0, lean: 10 },
  strobe: { y: 0.8, z: 3.2, hangs: true, turn: 0, lean: 80 },
  effect: { y: 1, z: 0.2, hangs: false, turn: 0, lean: 20 },
  mixed: { y: 2.5, z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 12 },
};
/** Mounting positions that a user can choose. */
export const MOUNTS = ["front", "back", "floor", "stands"] as const;
export type Mount = (typeof MOUNTS)[number];

/** Height of the lens of a fixture that stands on its yoke, or on its base if it is a moving head, meters. */
const STANDS_AT = { bar: 0.15, moving: 0.45, other: 0.35 } as const;

/**
 * Returns the pose at a mounting position, without x. On the front and the back truss fixtures hang like washes and
 * pars.
 */
export function mountPose(mount: Mount, { mode }: Pick<RigLight, "mode">): Omit<Pose, "x"> {
  switch (mount) {
    case "front":
      return ROWS.wash;
    case "back":
      return { ...ROWS.par, y: ROWS.spot.y };
    case "floor":
      return { ...ROWS.bar, z: standingHeight(mode) };
    // On stands at the edge of the stage, from the hall down to the band.
    case "stands":
      return { y: 5.8, z: 2.4, hangs: false, turn: 180, lean: 105 };
    default:
      return mount satisfies never;
  }
}

/** Returns the height of the lens of a fixture that stands on the floor, meters. */
export function standingHeight(mode: FixtureMode): number {
  if (mode.channels.some(({ kind }) => kind === "pan" || kind === "tilt")) return STANDS_AT.moving;
  return roleOfMode(mode) === "bar" ? STANDS_AT.bar : STANDS_AT.other;
}

/** Most fixtures in a row; more hang in two rows. */
const ROW_CAPACITY = 16;
const SECOND_ROW = 0.9;
/** Margin at both ends of a row, meters. */
const MARGIN = 0.8;

/**
 * Returns the fixtures of a rig in stage order: group by group, those without a group last. A fixture in several groups
 * has the place and type of the first.
 */
export function stageOrderOf(rig: Rig): {
  readonly order: readonly RigLight[];
  readonly typeOf: ReadonlyMap<number, GroupType>;
} {
  const typeOf = new Map<number, GroupType>();
  const order: RigLight[] = [];
  const byId = new Map(rig.lights.map((light) => [light.id, light]));
  for (const group of rig.groups) {
    for (const id of group.lightIds) {
      const light = byId.get(id);
      if (!light || typeOf.has(id)) continue;
      typeOf.set(id, group.type);
      order.push(light);
    }
  }
  for (const light of rig.lights) if (!typeOf.has(light.id)) order.push(light);
  return { order, typeOf };
}

/** Returns the pose of every fixture of a rig: set by a user, or in the default row of its role. */
export function posesOf(rig: Rig): ReadonlyMap<number, Pose> {
  const own = rig.lights.flatMap(({ id, pose }) => (pose ? [[id, pose] as const] : []));
  return new Map([...usualPosesOf(rig), ...own]);
}

/** Returns the default pose of every fixture of a rig, in rows by role. */
export function usualPosesOf(rig: Rig): ReadonlyMap<number, Pose> {
  const { order, typeOf } = stageOrderOf(rig);
  const rows = Map.groupBy(order, (light) => rowOf(typeOf.get(light.id), light));
  const poses = new Map<number, Pose>();
  for (const [role, lights] of rows) {
    const count = lights.length > ROW_CAPACITY ? 2 : 1;
    const perRow = Math.ceil(lights.length / count);
    for (const [i, light] of lights.entries()) {
      const row = i % count;
      const { y, ...fixed } = ROWS[role];
      poses.set(light.id, { ...fixed, x: xOf(Math.floor(i / count), perRow), y: y + row * SECOND_ROW });
    }
  }
  return poses;
}

/** Returns the row of a fixture. Moving heads hang together, whatever their group is called. */
function rowOf(type: GroupType | undefined, { mode }: RigLight): GroupType {
  const role = roleOfMode(mode);
  return type === undefined || type === "mixed" || role === "spot" ? role : type;
}

function xOf(i: number, count: number): number {
  const width = STAGE_SPACE.width - 2 * MARGIN;
  return count < 2 ? 0 : Math.round((i / (count - 1) - 0.5) * width * 1000) / 1000;
}
