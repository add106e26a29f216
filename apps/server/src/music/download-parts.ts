import { constants, copyFile, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { attemptMark } from "./song-files.ts";
import { WaitError } from "./step-error.ts";
import { KEPT_PARTS } from "./step-files.ts";

/** One attempt to download a song. */
export interface Attempt {
  readonly songFolder: string;
  readonly number: number;
}

const SCRATCH = `scratch${attemptMark("download")}`;

/** Half a file of yt-dlp's, or its notes on one that comes in pieces. */
export const isPart = (name: string) => /\.(part(-Frag\d+)?|ytdl)(\.part)?$/.test(name);

/**
 * Makes the private folder of an attempt, with what earlier ones have got of the sound.
 *
 * The program of a worker that was killed may write on for a while. What such an attempt has left is copied, so that no
 * two ever write into one file; what was put aside has no writer any more and is moved.
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
 * Puts aside what an attempt has got, once its program has ended. What failed for want of room makes room instead.
 * @param reason of its end
 */
export async function keepParts({ songFolder }: Attempt, folder: string, reason: unknown): Promise<void> {
  const wantsRoom = reason instanceof WaitError && reason.wait.kind === "room";
  const names = await readdir(folder).catch(() => []); // a newer attempt has taken it
  if (names.some(isPart) && !wantsRoom) {
    for (const name of names.filter((each) => !isPart(each))) await rm(join(folder, name), { recursive: true });
    await removeParts(songFolder);
    await rename(folder, join(songFolder, KEPT_PARTS));
  } else await rm(folder, { recursive: true, force: true });
}

/** The sound is there, or does not come. */
export async function removeParts(songFolder: string): Promise<void> {
  await rm(join(songFolder, KEPT_PARTS), { recursive: true, force: true });
}
