/** Metrics as mir_eval defines them: C. Raffel et al., ISMIR 2014. Times are seconds, ascending. */

/** Beats before this are not judged: a listener needs time to find the beat. */
const BEAT_TRIM_SECONDS = 5;
const BEAT_WINDOW_SECONDS = 0.07;

/** F-measure of beats within ±70 ms, first 5 s dropped; each beat is matched once. */
export function beatF(estimated: readonly number[], truth: readonly number[]): number {
  const trim = (times: readonly number[]) => times.filter((t) => t >= BEAT_TRIM_SECONDS);
  return matchF(trim(estimated), trim(truth), BEAT_WINDOW_SECONDS);
}

/** F-measure of times within a window; 1 when both lists are empty. */
export function matchF(estimated: readonly number[], truth: readonly number[], window: number): number {
  if (estimated.length + truth.length === 0) return 1;
  let hits = 0;
  // Greedy from the left is the largest matching, for intervals of one width on a line.
  for (let i = 0, j = 0; i < estimated.length && j < truth.length;) {
    const difference = estimated[i]! - truth[j]!;
    if (Math.abs(difference) <= window) {
      hits++;
      i++;
      j++;
    } else if (difference < 0) i++;
    else j++;
  }
  return (2 * hits) / (estimated.length + truth.length);
}

/** Tempo within 4 % of the truth; octaves also allows half, double, a third and three times. */
export function tempoRight(estimated: number, truth: number, octaves = false): boolean {
  const factors = octaves ? [1, 2, 0.5, 3, 1 / 3] : [1];
  return factors.some((f) => Math.abs(estimated - f * truth) <= 0.04 * f * truth);
}

const PITCHES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** MIREX key weights: 1 same, 0.5 fifth above, 0.3 relative, 0.2 parallel, 0 otherwise. */
export function keyScore(estimated: string, truth: string): number {
  const a = readKey(estimated);
  const b = readKey(truth);
  if (!a || !b) return 0;
  const up = (a.tonic - b.tonic + 12) % 12;
  if (up === 0) return a.scale === b.scale ? 1 : 0.2;
  if (a.scale === b.scale) return up === 7 ? 0.5 : 0;
  const relative = b.scale === "major" ? 9 : 3;
  return up === relative ? 0.3 : 0;
}

function readKey(name: string): { tonic: number; scale: string } | undefined {
  const parts = /^([A-G])([#b]?) (major|minor)$/.exec(name);
  if (!parts) return undefined;
  const shift = parts[2] === "#" ? 1 : parts[2] === "b" ? -1 : 0;
  return { tonic: (PITCHES[parts[1]!]! + shift + 12) % 12, scale: parts[3]! };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}
