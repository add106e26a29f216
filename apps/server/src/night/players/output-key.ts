import { createHash } from "node:crypto";
import { linkKey } from "../../platform/http/link-key.ts";

/** Seed of a key that users neither share nor withdraw. */
const SEED = Buffer.alloc(8);

/**
 * Returns the key with which this installation's sound output authenticates at `/ws/player`. Both sides derive it from
 * the secret that the supervisor gives its processes. It needs no link and survives the withdrawal of the pages' key.
 */
export function outputKey(stageSecret: string): string {
  return linkKey(createHash("sha256").update(stageSecret).digest(), "sound-output", "", SEED);
}
