import type { AimPosition } from "@followspot/contract";
import type { LookContext } from "../vocabulary/look-context.ts";

/** Where beams look that have the position: at the band while a voice sings, into the hall at a drop, to the floor in a break. */
export function aimOf({ section, sings }: LookContext): { readonly aim?: AimPosition } {
  if (sings) return { aim: "band" };
  if (section.label === "drop") return { aim: "hall" };
  return section.label === "break" ? { aim: "floor" } : {};
}
