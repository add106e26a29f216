import type { SongFeatures } from "./features.ts";
import { CHROMA_BINS } from "./rates.ts";
import { clamp, cosine, mean } from "./maths.ts";

export interface SongKey {
  /** "F# minor"; "" when no key was found. */
  readonly name: string;
  readonly tonic: string;
  /** "major", "minor" or "". */
  readonly scale: string;
  readonly confidence: number;
}

const TONICS = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"] as const;

/** Probe-tone ratings of C. Krumhansl and E. Kessler, 1982. */
const KRUMHANSL = {
  major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
};
/** D. Temperley, "What's key for key?", Music Perception 1999. */
const TEMPERLEY = {
  major: [5, 2, 3.5, 2, 4.5, 4, 2, 4.5, 2, 3.5, 1.5, 4],
  minor: [5, 2, 3.5, 4.5, 2, 4, 2, 4.5, 3.5, 2, 1.5, 4],
};
/** Scale membership with weight on the triad (design judgement; suits loops of few chords). */
const TRIAD = {
  major: [1, 0, 0.45, 0, 0.8, 0.5, 0, 0.85, 0, 0.5, 0, 0.35],
  minor: [1, 0, 0.4, 0.8, 0, 0.5, 0, 0.85, 0.4, 0, 0.45, 0.1],
};
const PROFILES = [KRUMHANSL, TEMPERLEY, TRIAD];

/**
 * The key of the song: chroma averaged over the song (each moment weighing alike), tuned to the
 * song's own pitch, correlated with three sets of profiles that vote with equal weight.
 *
 * @returns name "" and confidence 0 when nothing tonal sounds; confidence is the margin of the vote
 */
export function findKey(features: SongFeatures): SongKey {
  const none: SongKey = { name: "", tonic: "", scale: "", confidence: 0 };
  const fine = averageChroma(features);
  if (!fine) return none;
  const chroma = tuned(fine);
  if (Math.max(...chroma) < 1.15 * mean(chroma)) return none;

  const votes: { tonic: number; scale: "major" | "minor"; score: number }[] = [];
  for (const scale of ["major", "minor"] as const) {
    for (let tonic = 0; tonic < 12; tonic++) {
      const score = PROFILES.reduce((sum, p) => sum + correlation(chroma, p[scale], tonic), 0) / PROFILES.length;
      votes.push({ tonic, scale, score });
    }
  }
  votes.sort((a, b) => b.score - a.score);
  const best = votes[0]!;
  const next = votes[1]!;
  if (best.score < 0.2) return none;
  const tonic = TONICS[best.tonic]!;
  return {
    name: `${tonic} ${best.scale}`,
    tonic,
    scale: best.scale,
    confidence: clamp(0.15 + 4 * (best.score - next.score)) * clamp(best.score * 1.3),
  };
}

function averageChroma(features: SongFeatures): Float64Array | undefined {
  const steps = features.chroma.length / CHROMA_BINS;
  const sum = new Float64Array(CHROMA_BINS);
  let heard = 0;
  for (let s = 0; s < steps; s++) {
    const row = features.chroma.subarray(s * CHROMA_BINS, (s + 1) * CHROMA_BINS);
    const total = mean(row);
    if (total <= 1e-6) continue;
    heard++;
    for (let c = 0; c < CHROMA_BINS; c++) sum[c]! += row[c]! / (total + 1e-3);
  }
  return heard < 5 ? undefined : sum;
}

/** Fold three bins to a semitone around the strongest of the three possible tunings. */
function tuned(fine: Float64Array): Float64Array {
  const folded = [-1, 0, 1].map((shift) => {
    const energy = Float64Array.from({ length: 12 }, (_, s) => fine[(s * 3 + shift + CHROMA_BINS) % CHROMA_BINS]!);
    return { shift, energy: mean(energy) };
  });
  const best = folded.reduce((a, b) => (b.energy > a.energy * 1.05 ? b : a), folded[1]!);
  return Float64Array.from({ length: 12 }, (_, s) => {
    const centre = s * 3 + best.shift + CHROMA_BINS;
    return fine[centre % CHROMA_BINS]! + 0.5 * (fine[(centre + 1) % CHROMA_BINS]! + fine[(centre - 1) % CHROMA_BINS]!);
  });
}

function correlation(chroma: Float64Array, profile: readonly number[], tonic: number): number {
  const a = mean(chroma);
  const b = mean(profile);
  return cosine(
    chroma.map((v) => v - a),
    Array.from({ length: 12 }, (_, s) => profile[(s - tonic + 12) % 12]! - b),
  );
}
