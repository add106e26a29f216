import { OUTLINE_LEVELS, type OutlinePart, type SongAnalysis, type SongOutline } from "@followspot/contract";

/**
 * Returns the outline of a song: mean levels over its length relative to the loudest, and its parts. Adjacent sections
 * with the same label are one part.
 */
export function outlineOf({
  duration,
  waveform,
  structure,
}: Pick<SongAnalysis, "duration" | "waveform" | "structure">): SongOutline {
  const sums = new Array<number>(OUTLINE_LEVELS).fill(0);
  const counts = new Array<number>(OUTLINE_LEVELS).fill(0);
  for (const [index, level] of waveform.values.entries()) {
    const at = Math.floor((index * waveform.hop_seconds * OUTLINE_LEVELS) / duration);
    if (at >= OUTLINE_LEVELS) break;
    sums[at]! += level;
    counts[at]!++;
  }
  const means = sums.map((sum, at) => sum / Math.max(1, counts[at]!));
  const loudest = Math.max(...means, Number.MIN_VALUE);
  const levels = Buffer.from(means.map((mean) => Math.round((mean / loudest) * 255)));
  const parts: OutlinePart[] = [];
  for (const { label, end } of structure.sections) {
    const until = Math.min(1, Math.round((end / duration) * 1000) / 1000);
    if (parts.at(-1)?.label === label) parts.pop();
    parts.push({ label, until });
  }
  return { levels: levels.toString("base64"), parts };
}
