import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isWhole } from "./manifest.ts";

/** Folders of a place where backups are kept, by the moment they were begun; nothing else there is touched. */
const NAME = /^followspot-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** Folder of a backup that begins now, in UTC: `followspot-2026-11-24T03-00-00Z`. */
export function folderOf(now: Date): string {
  return `followspot-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

interface FoundBackup {
  readonly folder: string;
  readonly begunAt: Date;
  readonly isWhole: boolean;
}

/** Newest first; none where the place is not there yet. */
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

/** Removes what was broken off. Callers hold the lock of backups: none of them is being written. */
export async function removeHalf(place: string): Promise<void> {
  for (const { folder, isWhole: whole } of await listBackups(place))
    if (!whole) await rm(folder, { recursive: true, force: true });
}

/** Removes whole backups but the newest `keep`, which is 1 or more. */
export async function removeOld(place: string, keep: number): Promise<void> {
  const whole = (await listBackups(place)).filter((backup) => backup.isWhole);
  for (const { folder } of whole.slice(keep)) await rm(folder, { recursive: true, force: true });
}
