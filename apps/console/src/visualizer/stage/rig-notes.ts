import type { GroupType, LightingPlan, Rig } from "@followspot/contract";

/** Roles every plan has, whatever the rig. */
const ALWAYS: readonly GroupType[] = ["wash", "par"];

/**
 * Roles the rig's enabled groups have by now and the plan knows nothing of: it was made for another rig. Lamps of these
 * groups follow other roles or stay dark until the song is planned again. A plan for more than the rig has is no worse.
 */
export function unplannedRoles({ event_lanes }: LightingPlan, { groups }: Rig): readonly GroupType[] {
  const wanted = groups.filter(({ enabled }) => enabled).map(({ type }) => (type === "mixed" ? "bar" : type));
  return [...new Set(wanted)].filter((role) => !ALWAYS.includes(role) && !(`role:${role}` in event_lanes));
}

export interface DarkLights {
  readonly count: number;
  /** Names of the disabled groups they belong to. */
  readonly groups: readonly string[];
}

/** Enabled lights that stay dark because the first group that has them is disabled. */
export function darkLights({ lights, groups }: Rig): DarkLights {
  const left = new Set(lights.filter(({ enabled }) => enabled).map(({ id }) => id));
  let count = 0;
  const names: string[] = [];
  for (const { name, enabled, lightIds } of groups) {
    const taken = lightIds.filter((id) => left.delete(id));
    if (enabled || taken.length === 0) continue;
    count += taken.length;
    names.push(name);
  }
  return { count, groups: names };
}
