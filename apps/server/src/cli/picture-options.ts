import { access } from "node:fs/promises";
import { dirname } from "node:path";
import type { PictureSize } from "@followspot/lighting";
import { BadInput, WrongUse } from "./song-verb.ts";

const MOST: PictureSize = { width: 1920, height: 1080 };
const LEAST = 64;

/** @throws WrongUse unless it is a plain decimal number within the bounds */
export function numberOf(text: string, name: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUse(`${name} is a number from ${least} to ${most}, not ${text || "nothing"}`);
}

/** `1280x720`. @throws WrongUse */
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

/** Before anything is drawn for a file that cannot be. @throws BadInput */
export async function mustHaveFolder(path: string): Promise<void> {
  await access(dirname(path)).catch(() => {
    throw new BadInput(`${path} cannot be written: there is no folder ${dirname(path)}`);
  });
}
