import { access } from "node:fs/promises";
import { dirname } from "node:path";
import type { LightingPlan, Rig } from "@followspot/contract";
import { compilePreview, previewOf, type PictureSize } from "@followspot/lighting";
import { flatPictures } from "../songs/film/draw-pictures.ts";
import type { DrawPictures } from "../songs/film/film.ts";
import { findChromium } from "../songs/film/find-chromium.ts";
import { lackOfStage } from "../songs/film/lack-of-stage.ts";
import { stagePictures } from "../songs/film/stage-pictures.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { BadInput, WrongUse } from "./song-verb.ts";

const MOST: PictureSize = { width: 1920, height: 1080 };
const LEAST = 64;

/** Parses a number. @throws WrongUse unless it is a plain decimal number within the bounds */
export function numberOf(text: string, name: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUse(`${name} is a number from ${least} to ${most}, not ${text || "nothing"}`);
}

/** Parses a size such as `1280x720`. @throws WrongUse */
export function sizeOf(text: string): PictureSize {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text)?.map(Number) ?? [];
  const isUsable =
    width !== undefined &&
    height !== undefined &&
    Math.min(width, height) >= LEAST &&
    width <= MOST.width &&
    height <= MOST.height &&
    width % 2 === 0 &&
    height % 2 === 0;
  if (isUsable) return { width, height };
  throw new WrongUse(
    `--size is WIDTHxHEIGHT in even pixels, from ${LEAST}x${LEAST} to ${MOST.width}x${MOST.height}, not ${text}`,
  );
}

export type PictureLook = "3d" | "flat";

/** Help text of `--look`. */
export const LOOK_HELP = `--look      3d: on a stage, drawn by Chromium (FOLLOWSPOT_CHROMIUM, else one that is installed); flat: a row of lamps.
            Without it 3d where there is a Chromium and the console is built, else flat`;

/**
 * Returns the requested look, or the best that this machine supports; prints why it is not 3D. @throws WrongUse @throws
 * BadInput
 */
export async function lookOf(asked: string | undefined): Promise<PictureLook> {
  if (asked === "flat") return "flat";
  if (asked !== undefined && asked !== "3d") throw new WrongUse(`--look is 3d or flat, not ${asked || "nothing"}`);
  const lack = await lackOfStage(settingsOrExit().FOLLOWSPOT_CHROMIUM);
  if (lack === undefined) return "3d";
  if (asked === "3d") throw new BadInput(`The stage cannot be drawn in 3D: ${lack}`);
  console.error(`Drawn flat: ${lack}`);
  return "flat";
}

/** Returns the renderer for a look; prints which fixtures are left out. */
export async function picturesOf(
  look: PictureLook,
  plan: LightingPlan,
  rig: Rig,
  size: PictureSize,
): Promise<DrawPictures> {
  if (look === "flat") {
    const preview = previewOf(plan, rig, size);
    for (const problem of preview.problems) console.error(problem);
    return (times, signal) => flatPictures(preview, size, times, signal);
  }
  for (const problem of compilePreview(plan, rig).problems) console.error(problem);
  const chromium = (await findChromium(settingsOrExit().FOLLOWSPOT_CHROMIUM))!; // `lookOf` has checked it
  return (times, signal) => stagePictures({ plan, rig, times, ...size }, chromium, signal);
}

/** Checks that the folder of an output file exists, before anything is rendered. @throws BadInput */
export async function mustHaveFolder(path: string): Promise<void> {
  await access(dirname(path)).catch(() => {
    throw new BadInput(`${path} cannot be written: there is no folder ${dirname(path)}`);
  });
}
