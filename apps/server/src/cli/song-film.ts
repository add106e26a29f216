import { existsSync } from "node:fs";
import { GIF_FPS, MOST_ANIMATED, type AnimatedType } from "../songs/film/animated-file.ts";
import { bestStart } from "../songs/film/best-seconds.ts";
import { writeFilm } from "../songs/film/film.ts";
import type { VideoType } from "../songs/film/video-file.ts";
import { findFfmpeg } from "../platform/process/programs.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { onEndSignal } from "../platform/process/stopping.ts";
import { LOOK_HELP, lookOf, mustHaveFolder, numberOf, picturesOf, sizeOf } from "./picture-options.ts";
import { readPlan, readRig } from "./show-files.ts";
import { BadInput, progressInSteps, songVerb, WrongUse } from "./song-verb.ts";

/** Length of a film without a given end, s. */
const USUAL_SECONDS = 20;
const MOST_SECONDS = 600;
/** Exit code after Ctrl-C, as in shells. */
const STOPPED = 130;

/** Default film sizes: without a graphics card a 3D stage renders slowly. */
const SIZES = { "3d": "960x540", flat: "1280x720" } as const;

const HELP = `song -- film PLAN --rig RIG OUT.(mp4|webm|webp|gif) [--from S] [--to S] [--fps 25] [--size 1280x720] [--look 3d|flat] [--audio FILE]

Films the console's preview of a plan and prints {"file", "seconds", "frames", "width", "height"}.
PLAN         lighting.json
--rig RIG    rig.json, or pars:N for N generic RGB pars
--from, --to song seconds, at most ${MOST_SECONDS} between them. Without --from the film begins 2 s before the first chorus
             or drop, the song's best seconds; without --to it ends after ${USUAL_SECONDS} s, or with the song
--fps        1 to 60
--size       even pixels, up to 1920x1080; without it ${SIZES["3d"]} in 3D and ${SIZES.flat} flat
${LOOK_HELP}
--audio FILE the song's sound, cut to the same seconds (mp4 and webm)
MP4 and WebM are made by ffmpeg, found on PATH or named by FOLLOWSPOT_FFMPEG. WebP and GIF need no other program, hold
at most ${MOST_ANIMATED} frames and no sound; a GIF takes minutes. A file of that name is replaced.
Exit codes: 0 done, 1 wrong use, 2 bad input, ${STOPPED} stopped by Ctrl-C, which leaves no half a file.`;

/** Films a stretch of a plan; see HELP. */
export const songFilm = songVerb(
  HELP,
  {
    rig: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    fps: { type: "string", default: "25" },
    size: { type: "string" },
    look: { type: "string" },
    audio: { type: "string" },
  },
  async ({ values, paths }) => {
    const [planPath, file] = paths;
    if (!planPath || !file || paths.length !== 2 || values.rig === undefined) throw new WrongUse();
    const type = typeOf(file);
    if (values.size !== undefined) sizeOf(values.size);
    const fps = numberOf(values.fps, "--fps", [1, 60]);
    const plan = readPlan(planPath);
    const { from, to } = stretchOf(plan, values);
    // The last frame begins before the end, regardless of rounding.
    const count = Math.max(1, Math.ceil((to - from) * fps - 1e-6));
    mustFit(type, fps, count, values.audio);
    await mustHaveFolder(file);
    const ffmpeg = await ffmpegFor(type);
    const rig = readRig(values.rig);
    const look = await lookOf(values.look);
    const size = sizeOf(values.size ?? SIZES[look]);
    const draw = await picturesOf(look, plan, rig, size);

    const film = { ...size, draw, path: file, type, from, count, fps, audio: values.audio, ffmpeg };
    const progress = progressInSteps();
    const onDrawn = (drawn: number) => progress(drawn / count, `${drawn} of ${count} frames drawn`);
    await untilStopped((signal) => writeFilm({ ...film, attempt: `cli-${process.pid}`, signal, onDrawn }));
    process.stdout.write(`${JSON.stringify({ file, seconds: count / fps, frames: count, ...size })}\n`);
  },
);

/** Exits the process on an end signal, once the work has cleaned up. */
async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const listenNoMore = onEndSignal(() => stopping.abort());
  try {
    await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    console.error("stopped; nothing is left of the film");
    // Setting the exit code is not enough: a picture in progress in libvips would keep the process alive.
    process.exit(STOPPED);
  } finally {
    listenNoMore();
  }
}

function typeOf(file: string): VideoType | AnimatedType {
  const type = /\.(mp4|webm|webp|gif)$/i.exec(file)?.[1]?.toLowerCase();
  if (type === "mp4" || type === "webm" || type === "webp" || type === "gif") return type;
  throw new WrongUse(`A film ends in .mp4, .webm, .webp or .gif, and ${file} does not`);
}

/** Returns the stretch of the song to film, s. */
function stretchOf(
  plan: Parameters<typeof bestStart>[0],
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
): { readonly from: number; readonly to: number } {
  const { duration } = plan;
  const end = asked.to === undefined ? undefined : Math.min(numberOf(asked.to, "--to", [0, 9_999_999]), duration);
  const from =
    asked.from !== undefined
      ? numberOf(asked.from, "--from", [0, duration])
      : end === undefined
        ? bestStart(plan, USUAL_SECONDS)
        : Math.max(0, end - USUAL_SECONDS);
  const to = end ?? Math.min(from + USUAL_SECONDS, duration);
  if (to <= from) throw new WrongUse(`A film ends after it begins: ${from} to ${to} s is nothing`);
  if (to - from > MOST_SECONDS) throw new WrongUse(`A film is at most ${MOST_SECONDS} s long`);
  return { from, to };
}

function mustFit(type: VideoType | AnimatedType, fps: number, count: number, audio: string | undefined): void {
  if (audio !== undefined && !existsSync(audio)) throw new BadInput(`There is no file ${audio}`);
  if (type === "mp4" || type === "webm") return;
  const name = type === "gif" ? "A GIF" : "A WebP";
  if (audio !== undefined) throw new WrongUse(`${name} has no sound: leave out --audio, or ask for .mp4 or .webm`);
  if (type === "gif" && fps > GIF_FPS) throw new WrongUse(`A GIF shows at most ${GIF_FPS} frames a second`);
  if (count > MOST_ANIMATED)
    throw new WrongUse(
      `${name} holds at most ${MOST_ANIMATED} frames, not ${count}: film less, or ask for .mp4 or .webm`,
    );
}

/** @returns "" for types that need no ffmpeg @throws BadInput */
async function ffmpegFor(type: VideoType | AnimatedType): Promise<string> {
  if (type === "webp" || type === "gif") return "";
  const ffmpeg = await findFfmpeg(settingsOrExit());
  if (ffmpeg !== undefined) return ffmpeg;
  throw new BadInput(
    `There is no ffmpeg to make a .${type} with: install it, or name it with FOLLOWSPOT_FFMPEG; a .webp needs none`,
  );
}
