import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isWhole } from "./manifest.ts";

/** Names of backup folders, with the time of their start; other folders are not touched. */
const NAME = /^followspot-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** Returns the folder name of a backup that starts now, in UTC: `followspot-2026-11-24T03-00-00Z`. */
export function folderOf(now: Date): string {
  return `followspot-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

interface FoundBackup {
  readonly folder: string;
  readonly begunAt: Date;
  readonly isWhole: boolean;
}

/** Returns the backups, newest first; none if the place does not exist yet. */
export async function listBackups(place: string): Promise<readonly FoundBackup[]> {
  const names = await readdir(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });
  const found = names
    .sort()
    .reverse()
    .flatMap((name) => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ name, begunAt: new Date(`${day}T${hour}:${minute}:${second}Z`) }];
    });
  return Promise.all(
    found.map(async ({ name, begunAt }) => {
      const folder = join(place, name);
      return { folder, begunAt, isWhole: await isWhole(folder) };
    }),
  );
}

/** Removes incomplete backups. Callers hold the lock of backups, so none is in progress. */
export async function removeHalf(place: string): Promise<void> {
  for (const { folder, isWhole: whole } of await listBackups(place))
    if (!whole) await rm(folder, { recursive: true, force: true });
}

/** Removes complete backups except the newest `keep`, which is at least 1. */
export async function removeOld(place: string, keep: number): Promise<void> {
  const whole = (await listBackups(place)).filter((backup) => backup.isWhole);
  for (const { folder } of whole.slice(keep)) await rm(folder, { recursive: true, force: true });
}
