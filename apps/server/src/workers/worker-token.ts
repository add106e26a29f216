import { createHash, randomBytes } from "node:crypto";

/** 256 bits that open the door for workers. It is shown once; what is kept is its hash. */
export const newWorkerToken = (): string => `fsw_${randomBytes(32).toString("base64url")}`;

export const isWorkerToken = (text: string): boolean => /^fsw_[A-Za-z0-9_-]{43}$/.test(text);

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");
