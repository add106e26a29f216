import { createHmac, timingSafeEqual } from "node:crypto";

/** 128 bits: infeasible to guess, and the code stays small enough for a cheap camera. */
const MAC_BYTES = 16;
const ULID = "[0-9A-HJKMNP-TV-Z]{26}";
const CODE = new RegExp(`^FS1\\.(${ULID})\\.(${ULID})\\.([0-9A-F]{${MAC_BYTES * 2}})$`);

/** User and event of a code. */
export interface Attendee {
  readonly eventId: string;
  readonly userId: string;
}

/**
 * Result of reading a text. `damaged`: begins like a code and is invalid, such as a code that was scanned in part.
 * `unknown`: a short code of no attendee of the event.
 */
export type ReadCode = Attendee | "no code" | "damaged" | "forged" | "unknown";

/** Derives the signing key of attendee codes. A separate key: nothing else that the secret signs is a valid code. */
export const attendeeKey = (secret: Uint8Array): Uint8Array =>
  createHmac("sha256", secret).update("attendee-codes\n").digest();

/**
 * Returns the code of one user for one event. It holds only digits, capitals and dots: QR packs these most densely,
 * most keyboard layouts that a scanner may emulate have them at the same place, and caps lock does no harm.
 *
 * @param key result of {@link attendeeKey}
 * @returns 90 characters
 */
export function attendeeCode(key: Uint8Array, { eventId, userId }: Attendee): string {
  const signed = `FS1.${eventId}.${userId}`;
  return `${signed}.${mac(key, signed).toString("hex").toUpperCase()}`;
}

/** Normalizes a code for comparison and storage. */
export const tidyCode = (text: string): string => text.trim().toUpperCase();

/** Returns the attendee of a scanned text, or why it is no valid code. Surrounding spaces and case are ignored. */
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
