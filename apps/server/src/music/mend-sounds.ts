import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { addInfoFrame } from "../audio/mp3-info-frame.ts";
import { STEM_FILES } from "../audio/write-stems.ts";
import { isSongId, type SongFiles } from "./song-files.ts";

/**
 * Songs that were written before their files said how much silence the encoder put before them sound 25 ms late: the frame
 * that says so is put before them.
 *
 * @returns how many files were mended
 */
export async function mendSounds(files: SongFiles): Promise<number> {
  let mended = 0;
  for (const id of (await readdir(files.root).catch(() => [])).filter(isSongId)) {
    const stems = Object.values(STEM_FILES).map((name) => join("stems", name));
    for (const name of ["audio.mp3", ...stems]) {
      const path = files.path(id, name);
      if ((await files.stat(path)) && (await addInfoFrame(path))) mended++;
    }
  }
  return mended;
}
