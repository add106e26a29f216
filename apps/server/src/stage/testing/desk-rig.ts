import type { DeskRig } from "../desk/desk-rules.ts";

/** What a desk knows of a rig in which there is nothing but what is named. */
export function deskRig(known: Partial<DeskRig> = {}): DeskRig {
  return { groups: new Map(), lights: new Map(), movers: new Set(), positions: [], hazers: 0, ...known };
}
