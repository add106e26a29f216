import { availableParallelism } from "node:os";
import type { PictureSize, PreviewPicture } from "@followspot/lighting";
import type { SharpConstructor } from "sharp";
import { FilmError } from "./film-error.ts";

/** libvips, which is LGPL, is loaded only where pictures are drawn. @throws FilmError where it does not run */
export async function loadSharp(): Promise<SharpConstructor> {
  try {
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    // Pictures are drawn side by side instead.
    sharp.concurrency(1);
    return sharp;
  } catch (error) {
    throw new FilmError(`Pictures cannot be made on this machine: ${String(error)}`, { cause: error });
  }
}

/**
 * The flat preview at every song second, as many at once as there are cores: its backdrop is drawn once, of every picture
 * only the lamps.
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

/** As a browser lays one picture over another: plain alpha on sRGB values. */
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

/** What is made of each of `count` things, in their order; as many are worked on at once as there are cores. */
async function* inOrder<T>(count: number, make: (i: number) => Promise<T>): AsyncGenerator<T> {
  const ahead: Promise<T>[] = [];
  const most = availableParallelism() + 1;
  for (let next = 0; next < count || ahead.length > 0;) {
    while (next < count && ahead.length < most) {
      const made = make(next++);
      // A reader that stops early leaves some unread; their errors are of no use any more.
      made.catch(() => undefined);
      ahead.push(made);
    }
    yield await ahead.shift()!;
  }
}
