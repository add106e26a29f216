import type { PictureSize } from "@followspot/lighting";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { packed, writeAnimated, type AnimatedType } from "./animated-file.ts";
import { loadSharp } from "./draw-pictures.ts";
import { writeVideo, type VideoType } from "./video-file.ts";

/** Draws a picture of each song second, in their order: rows of red, green, blue. */
export type DrawPictures = (times: readonly number[], signal: AbortSignal) => AsyncIterable<Buffer>;

export interface Still extends PictureSize {
  /** Draws at this size. */
  readonly draw: DrawPictures;
  readonly path: string;
  /** Tells two writers of one file apart. */
  readonly attempt: string;
}

export interface Film extends Still {
  readonly type: VideoType | AnimatedType;
  /** Song seconds of its first picture. */
  readonly from: number;
  /** How many pictures. */
  readonly count: number;
  readonly fps: number;
  /** Path of a song's sound; videos only. */
  readonly audio: string | undefined;
  /** Path of ffmpeg; videos need one. */
  readonly ffmpeg: string;
  readonly signal: AbortSignal;
  /** Called with the number of pictures drawn. */
  readonly onDrawn: (drawn: number) => void;
}

/** Write the preview of one moment as a PNG. @throws FilmError */
export async function writeStill({ draw, path, width, height, attempt }: Still, t: number): Promise<void> {
  const sharp = await loadSharp();
  for await (const picture of draw([t], new AbortController().signal)) {
    const png = await sharp(picture, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    await writeFileAtomic(path, png, attempt);
  }
}

/**
 * Write the preview as a film: picture i shows song second `from + i / fps`. The file takes its name when it is whole.
 * @throws FilmError when it cannot be made; whatever `signal` was aborted with
 */
export async function writeFilm(film: Film): Promise<void> {
  const { type, width, height, from, count, fps, signal } = film;
  const times = Array.from({ length: count }, (_, i) => from + i / fps);
  const drawn = counted(film.draw(times, signal), film.onDrawn);
  if (type === "mp4" || type === "webm") {
    const sound = film.audio === undefined ? undefined : { path: film.audio, from, to: from + count / fps };
    await writeVideo({ ...film, type, sound }, drawn);
    return;
  }
  const sharp = await loadSharp();
  const pictures: Buffer[] = [];
  for await (const picture of drawn) pictures.push(await packed(sharp, { width, height }, picture));
  await writeAnimated(sharp, { ...film, type }, pictures);
}

async function* counted<T>(things: AsyncIterable<T>, onCount: (count: number) => void): AsyncGenerator<T> {
  let count = 0;
  for await (const thing of things) {
    yield thing;
    onCount(++count);
  }
}
