import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";

const FILE = "running.json";

/** How `npm run admin` reaches what runs on a data folder. */
export interface RunningFile {
  /** postgres://… */
  readonly database: string;
  /** The same as the owner of the tables, where Followspot brings the database; absent elsewhere. */
  readonly owner?: string | undefined;
  /** nats://… */
  readonly broker?: string | undefined;
  /** Followspot brings the broker. */
  readonly isOwnBroker?: boolean | undefined;
  /** The key that signs tokens, attendee codes and links. */
  readonly secret: string;
  /** http://… */
  readonly api: string;
  /** Address of the console in links for people; absent in files of earlier releases. */
  readonly address?: string | undefined;
  /** FOLLOWSPOT_BLOBS it runs with; absent where songs lie in the data folder. */
  readonly blobs?: string | undefined;
  /** When the key came out of a backup; absent where it was made here. */
  readonly restored_at?: string | undefined;
}

export async function writeRunningFile(dataDir: string, running: RunningFile): Promise<void> {
  await writeFileAtomic(join(dataDir, FILE), JSON.stringify(running), String(process.pid), 0o600);
}

/** Undefined where Followspot has never run. */
export async function readRunningFile(dataDir: string): Promise<RunningFile | undefined> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch(() => "");
  return text ? (JSON.parse(text) as RunningFile) : undefined; // written above
}
