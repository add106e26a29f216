import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { coverColors } from "@followspot/lighting";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { PictureError } from "../../platform/pictures/picture-program.ts";
import { pictures } from "../../platform/pictures/pictures.ts";

/** File names of a song's cover, both WebP. */
export const COVER_FILES = { large: "cover.webp", small: "cover-small.webp" } as const;
/** Side of the image from which cover colors are extracted, pixels: colors need no detail. */
const LOOKED_AT = 64;
const SIDES = { large: 640, small: 96 } as const;

/**
 * Writes a song's cover in both sizes from an untrusted image.
 * @throws PictureError if the file is not an image
 */
export async function writeCover(sent: Uint8Array, folder: string, attempt: string): Promise<void> {
  const [large, small] = await pictures.make(sent, [
    { fit: "inside", side: SIDES.large },
    { fit: "cover", side: SIDES.small },
  ]);
  // The large file marks the cover as complete, so it is written last.
  await writeFileAtomic(join(folder, COVER_FILES.small), small!, attempt); // one image for each requested size
  await writeFileAtomic(join(folder, COVER_FILES.large), large!, attempt);
}

/**
 * Returns the pixels of a cover, RGB; undefined if it is missing or damaged, because colors can come from other
 * sources.
 */
export async function coverPixels(path: string): Promise<Uint8Array | undefined> {
  try {
    const [pixels] = await pictures.make(await readFile(path), [{ fit: "fill", side: LOOKED_AT, as: "rgb" }]);
    return pixels;
  } catch (error) {
    if (error instanceof PictureError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Extracts the colors of the cover in a song's folder. */
export async function readCoverColors(folder: string): Promise<readonly string[]> {
  return coverColors((await coverPixels(join(folder, COVER_FILES.large))) ?? new Uint8Array());
}
