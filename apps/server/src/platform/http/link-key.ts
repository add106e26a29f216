import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const SEED_BYTES = 8;
const MAC_BYTES = 16;
const KEY = /^[A-Za-z0-9_-]{32}$/;

export const newLinkSeed = (): Buffer => randomBytes(SEED_BYTES);

/**
 * Returns the key of a link that works without a sign-in: its seed and 128 bits that require the server's secret. A
 * copy of the database is therefore useless to an attacker, a director can see the link again, and forged keys are
 * rejected without a query.
 *
 * @param secret at least 32 bytes
 * @param what kind of link, unique per kind: "stage-link", "player-link"
 * @param id which link of the kind; "" if there is only one
 * @returns 32 characters that need no escaping in an address
 */
export function linkKey(secret: Uint8Array, what: string, id: string, seed: Uint8Array): string {
  return Buffer.concat([seed, mac(secret, what, id, seed)]).toString("base64url");
}

/** Returns the seed in a key; undefined for any text that was not made with the secret. */
export function seedOfLinkKey(secret: Uint8Array, what: string, id: string, key: unknown): Buffer | undefined {
  if (typeof key !== "string" || !KEY.test(key)) return undefined;
  const bytes = Buffer.from(key, "base64url");
  const seed = bytes.subarray(0, SEED_BYTES);
  return timingSafeEqual(bytes.subarray(SEED_BYTES), mac(secret, what, id, seed)) ? seed : undefined;
}

function mac(secret: Uint8Array, what: string, id: string, seed: Uint8Array): Buffer {
  const whole = createHmac("sha256", secret).update(`${what}\n${id}\n`).update(seed).digest();
  return whole.subarray(0, MAC_BYTES);
}
