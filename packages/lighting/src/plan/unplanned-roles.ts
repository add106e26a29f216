import type { GroupType, LightingPlan, Rig } from "@followspot/contract";

/** Roles that every plan has, whatever the rig. */
const ALWAYS: readonly GroupType[] = ["wash", "par"];

/**
 * Returns the roles of the rig's enabled groups that the plan lacks because it was made for another rig. Fixtures of
 * these groups follow other roles or stay dark until the song is planned again. Additional roles in the plan do no
 * harm.
 */
export function unplannedRoles(
  { event_lanes }: Pick<LightingPlan, "event_lanes">,
  { groups }: Pick<Rig, "groups">,
): readonly GroupType[] {
  const wanted = groups.filter(({ enabled }) => enabled).map(({ type }) => (type === "mixed" ? "bar" : type));
  return [...new Set(wanted)].filter((role) => !ALWAYS.includes(role) && !(`role:${role}` in event_lanes));
}
