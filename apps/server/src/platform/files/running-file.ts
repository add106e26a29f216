import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";

const FILE = "running.json";

/** Connection details that `npm run admin` uses for a running data folder. */
export interface RunningFile {
  /** postgres://… */
  readonly database: string;
  /** Connection as the table owner if Followspot runs the database itself; otherwise undefined. */
  readonly owner?: string | undefined;
  /** nats://… */
  readonly broker?: string | undefined;
  /** Number of servers of an outside broker that store a message; undefined in files of earlier releases. */
  readonly brokerReplicas?: number | undefined;
  /** Whether Followspot runs the broker itself. */
  readonly isOwnBroker?: boolean | undefined;
  /** Key that signs tokens, attendee codes and links. */
  readonly secret: string;
  /** http://… */
  readonly api: string;
  /** Address of the console for links; undefined in files of earlier releases. */
  readonly address?: string | undefined;
  /** Value of FOLLOWSPOT_BLOBS; undefined if songs are in the data folder. */
  readonly blobs?: string | undefined;
  /** When the key was restored from a backup; undefined if it was created here. */
  readonly restored_at?: string | undefined;
}

export async function writeRunningFile(dataDir: string, running: RunningFile): Promise<void> {
  await writeFileAtomic(join(dataDir, FILE), JSON.stringify(running), String(process.pid), 0o600);
}

/** Reads the file; undefined if Followspot has never run. */
export async function readRunningFile(dataDir: string): Promise<RunningFile | undefined> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch(() => "");
  return text ? (JSON.parse(text) as RunningFile) : undefined; // written above
}
