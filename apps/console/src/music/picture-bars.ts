import type { Song } from "@followspot/contract/music";

const BARS = 9;
/** Of the picture's height. */
const LEAST = 0.08;
const TURN = 360;

/** What a song without a cover is drawn from. */
export type PictureFacts = Pick<Song, "id" | "outline">;

/**
 * Heights of the bars in a song's picture, 0..1: how loud each ninth of it is, so that two songs look as different as they run.
 * None before the song was heard.
 */
export function pictureBars({ outline }: Pick<PictureFacts, "outline">): readonly number[] {
  const levels = [...(outline?.levels ?? [])];
  if (levels.length < BARS) return [];
  const each = levels.length / BARS;
  return Array.from({ length: BARS }, (_, bar) => {
    const part = levels.slice(Math.round(bar * each), Math.round((bar + 1) * each));
    const mean = part.reduce((sum, level) => sum + level, 0) / part.length / 255;
    return Math.max(LEAST, mean);
  });
}

/** Degrees by which the colours of a picture are turned: the same for one song always. */
export const pictureAngle = ({ id }: Pick<PictureFacts, "id">): number =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % TURN, 0);
