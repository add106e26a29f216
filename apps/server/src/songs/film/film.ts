import type { PictureSize } from "@followspot/lighting";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { packed, writeAnimated, type AnimatedType } from "./animated-file.ts";
import { loadSharp } from "./draw-pictures.ts";
import { writeVideo, type VideoType } from "./video-file.ts";

/** Renders a picture of each song time, in order: rows of RGB pixels. */
export type DrawPictures = (times: readonly number[], signal: AbortSignal) => AsyncIterable<Buffer>;

export interface Still extends PictureSize {
  /** Renders at this size. */
  readonly draw: DrawPictures;
  readonly path: string;
  /** Distinguishes two writers of one file. */
  readonly attempt: string;
}

export interface Film extends Still {
  readonly type: VideoType | AnimatedType;
  /** Song time of its first picture, seconds. */
  readonly from: number;
  /** Number of pictures. */
  readonly count: number;
  readonly fps: number;
  /** Path of a song's audio; videos only. */
  readonly audio: string | undefined;
  /** Path of ffmpeg, which videos need. */
  readonly ffmpeg: string;
  readonly signal: AbortSignal;
  /** Called with the number of pictures rendered. */
  readonly onDrawn: (drawn: number) => void;
}

/** Writes the preview of one moment as a PNG. @throws FilmError */
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
 * Writes the preview as a film: picture i shows song time `from + i / fps`. The file is renamed to its name when it is
 * complete.
 * @throws FilmError if it cannot be made; the abort reason of `signal`
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
