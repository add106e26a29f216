import { createHash } from "node:crypto";
import { linkKey } from "../platform/link-key.ts";

/** The seed of a key that no person hands out or withdraws. */
const SEED = Buffer.alloc(8);

/**
 * The key with which the sound output of this installation says hello to `/ws/player`: made by both sides of the secret the
 * supervisor gives its parts, so that no person makes a link, and withdrawing the pages' key leaves it.
 */
export function outputKey(stageSecret: string): string {
  return linkKey(createHash("sha256").update(stageSecret).digest(), "sound-output", "", SEED);
}
