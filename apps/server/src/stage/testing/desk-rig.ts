import type { DeskRig } from "../desk/desk-rules.ts";

/** Creates the desk's view of a rig that contains only the given parts. */
export function deskRig(known: Partial<DeskRig> = {}): DeskRig {
  return { groups: new Map(), lights: new Map(), movers: new Set(), positions: [], hazers: 0, ...known };
}
