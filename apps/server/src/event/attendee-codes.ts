import { createHmac, timingSafeEqual } from "node:crypto";

/** 128 bits: too many to guess, and the code stays small enough for a cheap camera. */
const MAC_BYTES = 16;
const ULID = "[0-9A-HJKMNP-TV-Z]{26}";
const CODE = new RegExp(`^FS1\\.(${ULID})\\.(${ULID})\\.([0-9A-F]{${MAC_BYTES * 2}})$`);

/** Whom a code is for, and where. */
export interface Attendee {
  readonly eventId: string;
  readonly userId: string;
}

/** What a text turned out to be. `damaged`: begins like a code and is invalid, such as one that was read in part. */
export type ReadCode = Attendee | "no code" | "damaged" | "forged";

/** Codes are signed with a key of their own: whatever else the secret signs is no code. */
export const attendeeKey = (secret: Uint8Array): Uint8Array =>
  createHmac("sha256", secret).update("attendee-codes\n").digest();

/**
 * The code of one person for one event. Only digits, capitals and dots: QR packs these tightest, they stand at the same
 * place on most keyboards a scanner may speak as, and a scanner with caps lock on does no harm.
 *
 * @param key of {@link attendeeKey}
 * @returns 90 characters
 */
export function attendeeCode(key: Uint8Array, { eventId, userId }: Attendee): string {
  const signed = `FS1.${eventId}.${userId}`;
  return `${signed}.${mac(key, signed).toString("hex").toUpperCase()}`;
}

/** The form in which a code is compared and kept. */
export const tidyCode = (text: string): string => text.trim().toUpperCase();

/** Whose code a scanned text is, or why it is no person's. Blanks around it and its case do not matter. */
export function readAttendeeCode(key: Uint8Array, text: string): ReadCode {
  const code = tidyCode(text);
  if (!code.startsWith("FS1.")) return "no code";
  const [, eventId, userId, signature] = CODE.exec(code) ?? [];
  if (!eventId || !userId || !signature) return "damaged";
  const isOurs = timingSafeEqual(Buffer.from(signature, "hex"), mac(key, `FS1.${eventId}.${userId}`));
  return isOurs ? { eventId, userId } : "forged";
}

function mac(key: Uint8Array, signed: string): Buffer {
  return createHmac("sha256", key).update(signed).digest().subarray(0, MAC_BYTES);
}
