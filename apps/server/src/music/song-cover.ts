import { join } from "node:path";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { pictures } from "../platform/pictures/pictures.ts";

/** Files of a song's cover in its folder, both WebP. */
export const COVER_FILES = { large: "cover.webp", small: "cover-small.webp" } as const;
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
