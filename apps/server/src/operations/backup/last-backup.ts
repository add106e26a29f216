import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import type { Metrics } from "../../platform/process/metrics.ts";
import type { TakenBackup } from "./take-backup.ts";

const FILE = "last-backup.json";

const lastSchema = z.object({
  /** The last complete backup. */
  taken: z.object({ folder: z.string(), takenAt: z.string(), bytes: z.number() }).nullable(),
  /** A later failed attempt, and the reason. */
  failed: z.object({ at: z.string(), problem: z.string() }).nullable(),
});

/** Result of the last backup of a data folder; stored beside the data and in no backup. */
export type LastBackup = z.infer<typeof lastSchema>;

const NONE: LastBackup = { taken: null, failed: null };

export async function readLastBackup(dataDir: string): Promise<LastBackup> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch(() => ""); // no backup was taken yet
  try {
    return lastSchema.parse(JSON.parse(text));
  } catch {
    return NONE;
  }
}

export const noteTaken = (dataDir: string, taken: TakenBackup): Promise<void> => note(dataDir, { taken, failed: null });

export async function noteFailed(dataDir: string, problem: string): Promise<void> {
  const { taken } = await readLastBackup(dataDir);
  await note(dataDir, { taken, failed: { at: new Date().toISOString(), problem } });
}

/** Describes the last backup for monitoring, without locations, because it is public. */
export function describeBackup({ taken, failed }: LastBackup, nowMs: number) {
  return { age_hours: taken && Math.floor((nowMs - Date.parse(taken.takenAt)) / 3_600_000), failed: failed !== null };
}

/** Registers the age of the last complete backup, s, and whether the last one failed. The age is infinite if none was taken, so that comparisons hold. */
export function countBackups(metrics: Metrics, read: () => Promise<LastBackup>): void {
  metrics.gauge("backup_age_seconds", "Seconds since the last complete backup; +Inf if there is none", async () => {
    const { taken } = await read();
    return taken ? (Date.now() - Date.parse(taken.takenAt)) / 1000 : Number.POSITIVE_INFINITY;
  });
  metrics.gauge("backup_failed", "1 if the last backup failed", async () => ((await read()).failed ? 1 : 0));
}

async function note(dataDir: string, last: LastBackup): Promise<void> {
  await writeFileAtomic(join(dataDir, FILE), JSON.stringify(last), String(process.pid), 0o600);
}
