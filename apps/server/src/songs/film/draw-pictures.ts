import { availableParallelism } from "node:os";
import type { PictureSize, PreviewPicture } from "@followspot/lighting";
import type { SharpConstructor } from "sharp";
import { FilmError } from "./film-error.ts";

/** Loads libvips, which is LGPL, only where pictures are drawn. @throws FilmError if it does not run */
export async function loadSharp(): Promise<SharpConstructor> {
  try {
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    // Pictures are rendered in parallel instead.
    sharp.concurrency(1);
    return sharp;
  } catch (error) {
    throw new FilmError(`Pictures cannot be made on this machine: ${String(error)}`, { cause: error });
  }
}

/**
 * Renders the flat preview at every song time, as many at once as there are cores. The backdrop is rendered once; per
 * picture only the light is.
 */
export async function* flatPictures(
  { backdrop, band, lampsAt }: PreviewPicture,
  size: PictureSize,
  times: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const sharp = await loadSharp();
  const room = await sharp(Buffer.from(backdrop)).removeAlpha().raw().toBuffer();
  const start = 3 * size.width * band.top;
  yield* inOrder(times.length, async (i) => {
    signal.throwIfAborted();
    const light = await sharp(Buffer.from(lampsAt(times[i]!)))
      .ensureAlpha()
      .raw()
      .toBuffer();
    const picture = Buffer.from(room);
    layOver(picture.subarray(start, start + 3 * size.width * band.height), light);
    return picture;
  });
}

/** Composites a picture over another as browsers do: plain alpha on sRGB values. */
function layOver(rgb: Uint8Array, rgba: Uint8Array): void {
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3]!;
    if (alpha === 0) continue;
    for (let k = 0; k < 3; k++) {
      const below = rgb[to + k]!;
      rgb[to + k] = Math.round(below + ((rgba[from + k]! - below) * alpha) / 255);
    }
  }
}

/** Yields the results for `count` items in order; as many are computed at once as there are cores. */
async function* inOrder<T>(count: number, make: (i: number) => Promise<T>): AsyncGenerator<T> {
  const ahead: Promise<T>[] = [];
  const most = availableParallelism() + 1;
  for (let next = 0; next < count || ahead.length > 0;) {
    while (next < count && ahead.length < most) {
      const made = make(next++);
      // If the reader stops early, errors of unread results are irrelevant.
      made.catch(() => undefined);
      ahead.push(made);
    }
    yield await ahead.shift()!;
  }
}
