import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { coverColors } from "@followspot/lighting";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { PictureError } from "../platform/pictures/picture-program.ts";
import { pictures } from "../platform/pictures/pictures.ts";

/** Files of a song's cover in its folder, both WebP. */
export const COVER_FILES = { large: "cover.webp", small: "cover-small.webp" } as const;
/** Side in pixels at which a cover is looked at: colours, not details. */
const LOOKED_AT = 64;
const SIDES = { large: 640, small: 96 } as const;

/**
 * Write a song's cover in both sizes from a picture that is not trusted.
 * @throws PictureError when it is no picture
 */
export async function writeCover(sent: Uint8Array, folder: string, attempt: string): Promise<void> {
  const [large, small] = await pictures.make(sent, [
    { fit: "inside", side: SIDES.large },
    { fit: "cover", side: SIDES.small },
  ]);
  // The large one says that there is a cover, so it comes last.
  await writeFileAtomic(join(folder, COVER_FILES.small), small!, attempt); // one for each that was asked for
  await writeFileAtomic(join(folder, COVER_FILES.large), large!, attempt);
}

/** The pixels of a cover, RGB; undefined when it is missing, or damaged on the disk: a song has other sources of colour. */
export async function coverPixels(path: string): Promise<Uint8Array | undefined> {
  try {
    const [pixels] = await pictures.make(await readFile(path), [{ fit: "fill", side: LOOKED_AT, as: "rgb" }]);
    return pixels;
  } catch (error) {
    if (error instanceof PictureError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** What the cover in a song's folder says of its colours. */
export async function readCoverColors(folder: string): Promise<readonly string[]> {
  return coverColors((await coverPixels(join(folder, COVER_FILES.large))) ?? new Uint8Array());
}
