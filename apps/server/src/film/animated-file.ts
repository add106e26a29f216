import type { PictureSize } from "@followspot/lighting";
import type { SharpConstructor } from "sharp";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { FilmError } from "./film-error.ts";

export type AnimatedType = "webp" | "gif";

/** They are held in memory until the last one is there. */
export const MOST_ANIMATED = 1500;
/** Most pictures a second a GIF can show: it counts hundredths, and players take one of them for ten. */
export const GIF_FPS = 50;
/** Milliseconds its delays are counted in. */
const STEP_MS: Record<AnimatedType, number> = { webp: 1, gif: 10 };

export interface Animated {
  readonly path: string;
  readonly type: AnimatedType;
  readonly fps: number;
  /** Tells two writers of one file apart. */
  readonly attempt: string;
  readonly signal: AbortSignal;
}

/**
 * Write an animated picture; of pictures that are the same it holds one, for longer.
 * @param pictures PNG files
 * @throws FilmError when it cannot be made; whatever `signal` was aborted with
 */
export async function writeAnimated(
  sharp: SharpConstructor,
  { path, type, fps, attempt, signal }: Animated,
  pictures: readonly Uint8Array[],
): Promise<void> {
  const options = { delay: delaysOf(pictures.length, fps, STEP_MS[type]), loop: 0 };
  // One picture is not joined with anything.
  const [input, ...more] = pictures;
  const film =
    more.length > 0 ? sharp([...pictures], { join: { animated: true }, limitInputPixels: false }) : sharp(input);
  const encoded =
    type === "webp" ? film.webp({ ...options, quality: 80, effort: 0 }) : film.gif({ ...options, effort: 1 });
  // libvips ends no picture early; a caller that stops the film does not wait for it.
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  const bytes = await Promise.race([encoded.toBuffer(), stopped]).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new FilmError(`${path} cannot be made: ${String(error)}`, { cause: error });
  });
  await writeFileAtomic(path, bytes, attempt);
}

/** A picture as it waits for the others: none of it is lost. */
export function packed(sharp: SharpConstructor, { width, height }: PictureSize, picture: Uint8Array): Promise<Buffer> {
  return sharp(picture, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** How long each picture stays, in milliseconds: rounded so that the film as a whole keeps its length. */
function delaysOf(count: number, fps: number, step: number): number[] {
  const at = (i: number) => Math.round((i * 1000) / fps / step) * step;
  return Array.from({ length: count }, (_, i) => at(i + 1) - at(i));
}
