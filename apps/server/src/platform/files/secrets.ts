import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";

/** Content of `secrets.json` in a data folder. */
export interface Secrets {
  /** Key that signs tokens, attendee codes and the links of stage screens, unless FOLLOWSPOT_SECRET is set. */
  readonly tokens: string;
  /** Secret by which API and stage authenticate each other. */
  readonly stage: string;
  /** When the key was restored from a backup, ISO 8601; undefined if it was created here. */
  readonly restored_at?: string;
}

/** Reads the secrets of a data folder; creates them at the first start. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const known = await readFile(join(dataDir, "secrets.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // an unreadable file contains secrets: new ones would void every code and link
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
