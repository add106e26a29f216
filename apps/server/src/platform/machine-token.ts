import { createHash, randomBytes } from "node:crypto";

/** What a token opens: the door for workers, or that for boxes at venues. */
type Kind = "fsw" | "fsv";

/** 256 bits that open a door for another machine. It is shown once; what is kept is its hash. */
export const newMachineToken = (kind: Kind): string => `${kind}_${randomBytes(32).toString("base64url")}`;

export const isMachineToken = (kind: Kind, text: string): boolean =>
  text.startsWith(`${kind}_`) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(4));

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");
