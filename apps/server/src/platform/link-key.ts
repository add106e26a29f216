import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const SEED_BYTES = 8;
const MAC_BYTES = 16;
const KEY = /^[A-Za-z0-9_-]{32}$/;

export const newLinkSeed = (): Buffer => randomBytes(SEED_BYTES);

/**
 * The key of a link that opens something without a sign-in: its seed and 128 bits that only the server's secret can make of
 * it. A copy of the database opens nothing, a director can see the link again, and a made-up key is refused without asking the
 * database.
 *
 * @param secret at least 32 bytes
 * @param what the link opens, no other kind of link has its name: "stage-link", "player-link"
 * @param id which of those; "" where there is one
 * @returns 32 characters that need no escape in an address
 */
export function linkKey(secret: Uint8Array, what: string, id: string, seed: Uint8Array): string {
  return Buffer.concat([seed, mac(secret, what, id, seed)]).toString("base64url");
}

/** The seed in a key; undefined for every text the secret did not make. */
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
