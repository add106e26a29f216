import type { LightingPlan, Rig } from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import type { CompiledShow } from "../compiled-show.ts";

/** A plan as a screen may show it: nearer than the stage, so three flashes a second wherever the venue allows four. */
export function compilePreview(plan: LightingPlan, rig: Rig): CompiledShow {
  return compileShow({ ...plan, safety: { ...plan.safety, profile: "default" } }, rig);
}
