import { createHash, randomBytes } from "node:crypto";

/** Kind of token: for the endpoint of workers (fsw), or of venue servers (fsv). */
type Kind = "fsw" | "fsv";

/** Returns a token of 256 random bits for another machine. It is shown once; only its hash is stored. */
export const newMachineToken = (kind: Kind): string => `${kind}_${randomBytes(32).toString("base64url")}`;

export const isMachineToken = (kind: Kind, text: string): boolean =>
  text.startsWith(`${kind}_`) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(4));

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");
