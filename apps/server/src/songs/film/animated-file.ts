import type { PictureSize } from "@followspot/lighting";
import type { SharpConstructor } from "sharp";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { FilmError } from "./film-error.ts";

export type AnimatedType = "webp" | "gif";

/** Limit of pictures in an animated file, because all are in memory until the last one is drawn. */
export const MOST_ANIMATED = 1500;
/** Highest frame rate of a GIF: delays are in 1/100 s, and players treat a delay of one unit as ten. */
export const GIF_FPS = 50;
/** Resolution of the delays, ms. */
const STEP_MS: Record<AnimatedType, number> = { webp: 1, gif: 10 };

export interface Animated {
  readonly path: string;
  readonly type: AnimatedType;
  readonly fps: number;
  /** Distinguishes two writers of one file. */
  readonly attempt: string;
  readonly signal: AbortSignal;
}

/**
 * Writes an animated picture; consecutive equal pictures are merged into one with a longer delay.
 * @param pictures PNG files
 * @throws FilmError if it cannot be made; the abort reason of `signal`
 */
export async function writeAnimated(
  sharp: SharpConstructor,
  { path, type, fps, attempt, signal }: Animated,
  pictures: readonly Uint8Array[],
): Promise<void> {
  const options = { delay: delaysOf(pictures.length, fps, STEP_MS[type]), loop: 0 };
  // A single picture is not joined.
  const [input, ...more] = pictures;
  const film =
    more.length > 0 ? sharp([...pictures], { join: { animated: true }, limitInputPixels: false }) : sharp(input);
  const encoded =
    type === "webp" ? film.webp({ ...options, quality: 80, effort: 0 }) : film.gif({ ...options, effort: 1 });
  // libvips cannot be interrupted; an aborted film does not wait for it.
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  const bytes = await Promise.race([encoded.toBuffer(), stopped]).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new FilmError(`${path} cannot be made: ${String(error)}`, { cause: error });
  });
  await writeFileAtomic(path, bytes, attempt);
}

/** Encodes a picture losslessly to wait for the others. */
export function packed(sharp: SharpConstructor, { width, height }: PictureSize, picture: Uint8Array): Promise<Buffer> {
  return sharp(picture, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Returns the delay of each picture, ms, rounded such that the film keeps its total length. */
function delaysOf(count: number, fps: number, step: number): number[] {
  const at = (i: number) => Math.round((i * 1000) / fps / step) * step;
  return Array.from({ length: count }, (_, i) => at(i + 1) - at(i));
}
