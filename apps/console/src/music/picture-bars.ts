import type { Song } from "@followspot/contract/music";

const BARS = 9;
/** Minimum height of a bar, as a share of the picture's height. */
const LEAST = 0.08;
const TURN = 360;

/** The fields of a song that its picture is drawn from. */
export type PictureFacts = Pick<Song, "id" | "outline">;

/**
 * Returns the heights of the bars in a song's picture, 0..1: the loudness of each ninth, so that the pictures of two
 * songs differ as the songs do. Empty before the analysis.
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

/** Returns the angle of a picture's color gradient, degrees; always the same for one song. */
export const pictureAngle = ({ id }: Pick<PictureFacts, "id">): number =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % TURN, 0);
