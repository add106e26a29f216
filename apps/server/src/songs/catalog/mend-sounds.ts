import { constants, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { addInfoFrame, INFO_HEAD_BYTES, lacksInfoFrame } from "../audio/mp3-info-frame.ts";
import { STEM_FILES } from "../audio/write-stems.ts";
import type { SongFiles } from "./song-files.ts";

/**
 * Repairs MP3 files that play 25 ms late, because they were written without the length of the encoder delay. Prepends
 * the info frame that contains it.
 *
 * @returns number of repaired files
 */
export async function mendSounds(files: SongFiles): Promise<number> {
  let mended = 0;
  for (const id of await files.songIds()) {
    for (const name of ["audio.mp3", ...Object.values(STEM_FILES)]) {
      const head = await files.head(id, name, INFO_HEAD_BYTES);
      if (head && lacksInfoFrame(head) && (await mend(files, id, name))) mended++;
    }
  }
  return mended;
}

async function mend(files: SongFiles, id: string, name: string): Promise<boolean> {
  const path = await files.localCopy(id, name);
  if (path === undefined) return false; // deleted meanwhile
  if (files.isLocal) return addInfoFrame(path);
  const work = await files.openWork(id, ".tmp-mend");
  try {
    const copy = join(work.folder, "sound.mp3");
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    const isMended = await addInfoFrame(copy);
    if (isMended) await files.take(id, name, copy);
    return isMended;
  } finally {
    await work.close();
  }
}
