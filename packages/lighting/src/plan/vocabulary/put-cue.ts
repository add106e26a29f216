import type { CueSpec, PlannedRole } from "../lane-writer.ts";
import type { LookContext } from "./look-context.ts";

/** One cue of a recipe. */
export interface CueOfBeats extends CueSpec {
  readonly role: PlannedRole;
  /** Beats. */
  readonly from: number;
  readonly to: number;
}

/** Write a cue into the section's lanes; levels stay in 0..1, numbers keep three digits. */
export function put(context: LookContext, { role, from, to, ...spec }: CueOfBeats): void {
  const params = Object.fromEntries(
    Object.entries(spec.params).map(([name, value]) => [name, typeof value === "number" ? tidy(name, value) : value]),
  );
  context.lanes.addBeats(role, context.section, from, to, { ...spec, params });
}

function tidy(name: string, value: number): number {
  const short = Math.round(value * 1000) / 1000;
  return name === "level" || name === "to_level" ? Math.min(1, short) : short;
}
