import type { Rig } from "@followspot/contract";
import { resolveTargets } from "@followspot/lighting";

export interface DarkLights {
  readonly count: number;
  /** Names of the disabled groups they belong to. */
  readonly groups: readonly string[];
}

/** Counts enabled lights that stay dark because the first group that contains them is disabled. */
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

/**
 * Returns the lanes of a plan that at least one fixture of the rig plays. If no lane is played, returns all, so that
 * the timeline is not empty.
 */
export function playedLanes(targets: readonly string[], rig: Rig): ReadonlySet<string> {
  const played = new Set(resolveTargets(targets, rig).flatMap(({ lanes }) => lanes));
  return played.size > 0 ? played : new Set(targets);
}
