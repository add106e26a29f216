import type { FixtureMode, GroupType, Pose, Rig, RigLight } from "@followspot/contract";
import { roleOfMode } from "../resolve-targets.ts";

/** The stage lights stand on until a person sets another size, metres. */
export const STAGE_SPACE = { width: 10, depth: 6, truss: 4.5 } as const;

/** Where lights of a role are put, in a row from left to right: a row's y and z, how they are fixed and where they look. */
const ROWS: Record<GroupType, Omit<Pose, "x">> = {
  // From the front truss back at the band.
  wash: { y: 5.5, z: STAGE_SPACE.truss, hangs: true, turn: 180, lean: 35 },
  // Over the middle of the stage, a little to the hall.
  par: { y: 2.5, z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 12 },
  spot: { y: 1.5, z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 0 },
  bar: { y: 0.6, z: 0.15, hangs: false, turn: 0, lean: 10 },
  strobe: { y: 0.8, z: 3.2, hangs: true, turn: 0, lean: 80 },
  effect: { y: 1, z: 0.2, hangs: false, turn: 0, lean: 20 },
  mixed: { y: 2.5, z: STAGE_SPACE.truss, hangs: true, turn: 0, lean: 12 },
};
/** Where people put lights by hand. */
export const MOUNTS = ["front", "back", "floor", "stands"] as const;
export type Mount = (typeof MOUNTS)[number];

/** Metres from the floor to the lens of a light that stands on its yoke, and on its base where it moves. */
const STANDS_AT = { bar: 0.15, moving: 0.45, other: 0.35 } as const;

/** How a light is fixed at a mount, and how deep on the stage it is: on the front and the back truss as washes and pars are. */
export function mountPose(mount: Mount, { mode }: Pick<RigLight, "mode">): Omit<Pose, "x"> {
  switch (mount) {
    case "front":
      return ROWS.wash;
    case "back":
      return { ...ROWS.par, y: ROWS.spot.y };
    case "floor":
      return { ...ROWS.bar, z: standingHeight(mode) };
    // Over the edge of the stage, from the hall down at the band.
    case "stands":
      return { y: 5.8, z: 2.4, hangs: false, turn: 180, lean: 105 };
    default:
      return mount satisfies never;
  }
}

/** Metres up at which the lens of a light is that stands on the floor. */
export function standingHeight(mode: FixtureMode): number {
  if (mode.channels.some(({ kind }) => kind === "pan" || kind === "tilt")) return STANDS_AT.moving;
  return roleOfMode(mode) === "bar" ? STANDS_AT.bar : STANDS_AT.other;
}

/** A row of more lights than this hangs in two. */
const ROW_CAPACITY = 16;
const SECOND_ROW = 0.9;
/** Room at both ends of a row, metres. */
const MARGIN = 0.8;

/**
 * The lights of a rig as they stand, group by group, and those in no group last; a light stands where its first group has it,
 * and has the type of that group.
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

/** Where every light of a rig is: where people put it, else in a row of its role. */
export function posesOf(rig: Rig): ReadonlyMap<number, Pose> {
  const own = rig.lights.flatMap(({ id, pose }) => (pose ? [[id, pose] as const] : []));
  return new Map([...usualPosesOf(rig), ...own]);
}

/** Where the lights of a rig are until a person puts them elsewhere: in rows of their roles. */
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

/** Lights that move hang with what moves, whatever their group is called. */
function rowOf(type: GroupType | undefined, { mode }: RigLight): GroupType {
  const role = roleOfMode(mode);
  return type === undefined || type === "mixed" || role === "spot" ? role : type;
}

function xOf(i: number, count: number): number {
  const width = STAGE_SPACE.width - 2 * MARGIN;
  return count < 2 ? 0 : Math.round((i / (count - 1) - 0.5) * width * 1000) / 1000;
}
