import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { PictureSize } from "@followspot/lighting";
import { AudioError } from "../audio/audio-error.ts";
import { startProgram } from "../audio/child-program.ts";
import { programFault, type ProgramEnd } from "../audio/program-fault.ts";
import { publishFile, temporaryPath } from "../../platform/files/atomic-file.ts";
import { plainEnvironment } from "../../platform/process/programs.ts";
import { FilmError } from "./film-error.ts";

/** Longest time to write one film, ms. */
const TIMEOUT_MS = 4 * 3_600_000;

export type VideoType = "mp4" | "webm";

export interface Video extends PictureSize {
  readonly path: string;
  readonly type: VideoType;
  readonly fps: number;
  /** The song's audio, and the part of it to use, seconds. */
  readonly sound: { readonly path: string; readonly from: number; readonly to: number } | undefined;
  /** Path of ffmpeg. */
  readonly ffmpeg: string;
  /** Distinguishes two writers of one file. */
  readonly attempt: string;
  readonly signal: AbortSignal;
}

/**
 * Makes a video of pictures with ffmpeg; the file is renamed to its name when it is complete.
 * @param pictures rows of RGB pixels
 * @throws FilmError if ffmpeg fails; the abort reason of `signal`
 */
export async function writeVideo(video: Video, pictures: AsyncIterable<Uint8Array>): Promise<void> {
  const temporary = temporaryPath(resolve(video.path), video.attempt);
  const limits = { timeoutMs: TIMEOUT_MS, signal: video.signal, env: plainEnvironment() };
  const program = startProgram(video.ffmpeg, [...inputs(video), ...CODECS[video.type], `file:${temporary}`], limits);
  const { stdin, stdout } = program.process;
  stdout.resume();
  let hasEnded = false;
  const ended = program.done.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  );
  try {
    for await (const picture of pictures) {
      // A broken pipe means that the program ends; its error output is read below.
      if (!stdin.write(picture)) await Promise.race([once(stdin, "drain").catch(() => ended), ended]);
      if (hasEnded) break;
    }
    stdin.end();
    const end = await program.done;
    if (end.code !== 0) {
      const sound = video.sound ? ` with the sound of ${video.sound.path}` : "";
      throw new FilmError(`ffmpeg cannot make ${video.path}${sound}: ${reasonOf(end)}`);
    }
    const file = await open(temporary, "r+");
    await file.sync();
    await file.close();
    await publishFile(temporary, resolve(video.path));
  } catch (error) {
    program.kill();
    await program.done.catch(() => undefined);
    await rm(temporary, { force: true });
    video.signal.throwIfAborted();
    throw error instanceof AudioError ? new FilmError(`ffmpeg took too long for ${video.path}`) : error;
  }
}

function inputs({ width, height, fps, sound }: Video): string[] {
  return [
    ...["-nostdin", "-v", "error", "-y", "-protocol_whitelist", "file,pipe"],
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`, "-framerate", String(fps), "-i", "pipe:0"],
    // Cut after decoding, because seeks in an MP3 are visibly inexact.
    ...(sound
      ? [
          ...["-protocol_whitelist", "file,pipe", "-vn", "-i", `file:${resolve(sound.path)}`],
          ...["-map", "0:v:0", "-map", "1:a:0", "-af", `atrim=${sound.from}:${sound.to},asetpts=PTS-STARTPTS`],
        ]
      : []),
    // Without explicit color tags players guess the color matrix, usually from the height.
    ...["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
  ];
}

const CODECS: Record<VideoType, readonly string[]> = {
  mp4: [
    ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"],
    ...["-c:a", "aac", "-b:a", "192k", "-movflags", "+faststart", "-f", "mp4"],
  ],
  webm: [
    ...["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1", "-crf", "30", "-b:v", "0"],
    ...["-c:a", "libopus", "-b:a", "160k", "-f", "webm"],
  ],
};

function reasonOf(end: ProgramEnd): string {
  const [line = ""] = end.complaint.trim().split("\n");
  // The prefix names ffmpeg's component and its memory address, which do not help a reader.
  const words = line.replace(/^\[[^\]]*\] /, "");
  return programFault(end) ?? (words || `it ended with exit code ${end.code}`);
}
