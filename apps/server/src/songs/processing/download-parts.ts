import { constants, copyFile, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { attemptMark } from "../catalog/song-files.ts";
import { WaitError } from "./step-error.ts";
import { KEPT_PARTS } from "../catalog/step-files.ts";

/** One attempt to download a song. */
export interface Attempt {
  readonly songFolder: string;
  readonly number: number;
}

const SCRATCH = `scratch${attemptMark("download")}`;

/** Whether this is a partial file of yt-dlp, or its state of a fragmented download. */
export const isPart = (name: string) => /\.(part(-Frag\d+)?|ytdl)(\.part)?$/.test(name);

/**
 * Creates the private folder of an attempt, with the partial downloads of earlier attempts.
 *
 * The program of a killed worker may keep writing for a while. Its partial files are copied, so that no two programs
 * ever write to the same file. Parts that were set aside have no writer any more and are moved.
 */
export async function takeParts({ songFolder, number }: Attempt): Promise<string> {
  const folder = await mkdtemp(join(songFolder, `${SCRATCH}${number}-`));
  const copy = (from: string, name: string) =>
    copyFile(join(from, name), join(folder, name), constants.COPYFILE_FICLONE);
  for (const name of await readdir(songFolder)) {
    const left = join(songFolder, name);
    if (left === folder || !(name === KEPT_PARTS || name.startsWith(SCRATCH))) continue;
    for (const part of (await readdir(left)).filter(isPart))
      await (name === KEPT_PARTS ? rename(join(left, part), join(folder, part)) : copy(left, part));
    await rm(left, { recursive: true, force: true });
  }
  return folder;
}

/**
 * Sets aside the partial downloads of an attempt after its program has ended. If the attempt failed for lack of disk
 * space, they are deleted instead.
 * @param reason why the attempt ended
 */
export async function keepParts({ songFolder }: Attempt, folder: string, reason: unknown): Promise<void> {
  const wantsRoom = reason instanceof WaitError && reason.wait.kind === "room";
  const names = await readdir(folder).catch(() => []); // a newer attempt has taken over the folder
  if (names.some(isPart) && !wantsRoom) {
    for (const name of names.filter((each) => !isPart(each))) await rm(join(folder, name), { recursive: true });
    await removeParts(songFolder);
    await rename(folder, join(songFolder, KEPT_PARTS));
  } else await rm(folder, { recursive: true, force: true });
}

/** Deletes partial downloads once the audio is complete or will not be downloaded. */
export async function removeParts(songFolder: string): Promise<void> {
  await rm(join(songFolder, KEPT_PARTS), { recursive: true, force: true });
}
