import { createHash } from "node:crypto";
import type { Output, Rig } from "@followspot/contract";

/** A number that differs whenever the rig or its outputs differ: 48 bits of their digest. */
export function rigRevisionOf(rig: Rig, outputs: readonly Output[]): number {
  return createHash("sha256").update(JSON.stringify({ rig, outputs })).digest().readUIntBE(0, 6);
}
