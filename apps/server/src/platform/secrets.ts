import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";

/** What `secrets.json` of a data folder keeps. */
export interface Secrets {
  /** The key that signs tokens, attendee codes and the links of stage screens, unless FOLLOWSPOT_SECRET is set. */
  readonly tokens: string;
  /** What API and stage prove themselves to each other with. */
  readonly stage: string;
  /** When the key came out of a backup, ISO 8601; absent where it was made here. */
  readonly restored_at?: string;
}

/** The secrets of a data folder; made at the first start. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const known = await readFile(join(dataDir, "secrets.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // others are there: new ones would void every code and link
    return "";
  });
  if (known) return JSON.parse(known) as Secrets; // written below
  const fresh = { tokens: randomBytes(32).toString("hex"), stage: randomBytes(32).toString("hex") };
  await writeSecrets(dataDir, fresh);
  return fresh;
}

export async function writeSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await writeFileAtomic(join(dataDir, "secrets.json"), JSON.stringify(secrets), String(process.pid), 0o600);
}
