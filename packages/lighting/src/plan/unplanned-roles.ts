import type { GroupType, LightingPlan, Rig } from "@followspot/contract";

/** Roles every plan has, whatever the rig. */
const ALWAYS: readonly GroupType[] = ["wash", "par"];

/**
 * Roles the rig's enabled groups have by now and the plan knows nothing of: it was made for another rig. Lamps of these
 * groups follow other roles or stay dark until the song is planned again. A plan for more than the rig has is no worse.
 */
export function unplannedRoles(
  { event_lanes }: Pick<LightingPlan, "event_lanes">,
  { groups }: Pick<Rig, "groups">,
): readonly GroupType[] {
  const wanted = groups.filter(({ enabled }) => enabled).map(({ type }) => (type === "mixed" ? "bar" : type));
  return [...new Set(wanted)].filter((role) => !ALWAYS.includes(role) && !(`role:${role}` in event_lanes));
}
