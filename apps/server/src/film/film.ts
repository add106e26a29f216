import type { PictureSize, PreviewPicture } from "@followspot/lighting";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { packed, writeAnimated, type AnimatedType } from "./animated-file.ts";
import { drawer, inOrder, loadSharp } from "./draw-pictures.ts";
import { writeVideo, type VideoType } from "./video-file.ts";

export interface Still extends PictureSize {
  /** Made for this size. */
  readonly preview: PreviewPicture;
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
export async function writeStill({ preview, path, width, height, attempt }: Still, t: number): Promise<void> {
  const sharp = await loadSharp();
  const draw = await drawer(sharp, preview, { width, height });
  const png = await sharp(await draw(t), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  await writeFileAtomic(path, png, attempt);
}

/**
 * Write the preview as a film: picture i shows song second `from + i / fps`. The file takes its name when it is whole.
 * @throws FilmError when it cannot be made; whatever `signal` was aborted with
 */
export async function writeFilm(film: Film): Promise<void> {
  const { type, width, height, from, count, fps, signal } = film;
  const size = { width, height };
  const sharp = await loadSharp();
  const draw = await drawer(sharp, film.preview, size);
  const pictureOf = async (i: number): Promise<Buffer> => {
    signal.throwIfAborted();
    return draw(from + i / fps);
  };
  if (type === "mp4" || type === "webm") {
    const sound = film.audio === undefined ? undefined : { path: film.audio, from, to: from + count / fps };
    await writeVideo({ ...film, type, sound }, counted(inOrder(count, pictureOf), film.onDrawn));
    return;
  }
  const pictures: Buffer[] = [];
  const packedOf = async (i: number) => packed(sharp, size, await pictureOf(i));
  for await (const picture of counted(inOrder(count, packedOf), film.onDrawn)) pictures.push(picture);
  await writeAnimated(sharp, { ...film, type }, pictures);
}

async function* counted<T>(things: AsyncIterable<T>, onCount: (count: number) => void): AsyncGenerator<T> {
  let count = 0;
  for await (const thing of things) {
    yield thing;
    onCount(++count);
  }
}
