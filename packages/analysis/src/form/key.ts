import { clamp, cosine, mean, weighed } from "../basics/maths.ts";
import type { SongFeatures } from "../hear/features.ts";
import { CHROMA_BINS, SLOW_RATE } from "../hear/rates.ts";

export type Scale = "major" | "minor";

export interface SongKey {
  /** "F# minor"; "" if no key was found. */
  readonly name: string;
  readonly tonic: string;
  /** "major", "minor" or "". */
  readonly scale: Scale | "";
  readonly confidence: number;
}

/** Usual spelling: the signature with fewer accidentals. */
const TONICS = {
  major: ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"],
  minor: ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"],
} as const;

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
/** Scale membership weighted toward the triad (our own judgment; suits loops of few chords). */
const TRIAD = {
  major: [1, 0, 0.45, 0, 0.8, 0.5, 0, 0.85, 0, 0.5, 0, 0.35],
  minor: [1, 0, 0.4, 0.8, 0, 0.5, 0, 0.85, 0.4, 0, 0.45, 0.1],
};
const PROFILES = [KRUMHANSL, TEMPERLEY, TRIAD];

/** Triads of a scale, root in semitones above the tonic; the dominant of a minor key may be major. */
const DIATONIC: Record<Scale, readonly (readonly [number, Scale])[]> = {
  major: [
    [0, "major"],
    [2, "minor"],
    [4, "minor"],
    [5, "major"],
    [7, "major"],
    [9, "minor"],
  ],
  minor: [
    [0, "minor"],
    [3, "major"],
    [5, "minor"],
    [7, "minor"],
    [7, "major"],
    [8, "major"],
    [10, "major"],
  ],
};

/**
 * Weight of each kind of evidence, nats per unit: maximum likelihood of the true key among 24 over 175 held-out songs
 * (training/fit.ts).
 */
const WEIGHTS: KeyEvidence = { profile: 4.5, opening: 3.8, diatonic: 7.7, bass: 1.1 };

/**
 * Share that the overtones of a tone add to other pitch classes, as the chroma weighs peaks: the third partial a fifth
 * above, the fifth a major third, the seventh a minor seventh. With overtones, a minor triad over a strong bass looks
 * major, and a tonic like its dominant.
 */
const OVERTONES = [
  { semitones: 7, share: 0.35 },
  { semitones: 4, share: 0.25 },
  { semitones: 10, share: 0.1 },
] as const;
/** Smallest remaining share of a pitch class that overtones could explain. */
const LEAST_REMAINDER = 0.05;
const OVERTONE_ROUNDS = 12;

/** Evidence for one key, each 0..1 except `profile`. */
export interface KeyEvidence {
  /** Mean correlation of the song's chroma with the three profiles, -1..1. */
  readonly profile: number;
  /** Share of four-bar phrases that open on the tonic triad. */
  readonly opening: number;
  /** Share of bars whose triad belongs to the scale. */
  readonly diatonic: number;
  /** Share of the bass on the tonic. */
  readonly bass: number;
}

/**
 * Determines the key of the song by a vote over 24. The evidence is the chroma averaged over the song, tuned to the
 * song's own pitch, freed from overtones and correlated with three sets of profiles; and the triad of each bar. The
 * triads distinguish a key from its relative by what phrases begin with and where the bass rests.
 *
 * @param bars starts of bars, seconds, ascending
 * @param phrases indices of bars that open a phrase of four bars
 * @returns name "" and confidence 0 if nothing tonal sounds; confidence is the probability of the winner among the 24,
 * reduced if the chroma fits no key well
 */
export function findKey(features: SongFeatures, bars: readonly number[], phrases: readonly number[]): SongKey {
  const [first, ...others] = vote(keyEvidence(features, { bars, phrases, from: 0, to: bars.length }));
  if (!first) return NO_KEY;
  const total = others.reduce((sum, v) => sum + Math.exp(v.score - first.score), 1);
  return { ...named(first), confidence: clamp((1 / total) * clamp(first.evidence.profile * 1.4), 0, 0.98) };
}

/**
 * Determines the key of bars [from, to): the song's key, unless another fits these bars far better. Four bars of chords
 * alone fit several keys.
 */
export function keyOfSection(features: SongFeatures, span: BarSpan, song: SongKey): string {
  if (span.to - span.from < SHORTEST_MODULATION || song.name === "") return song.name;
  const votes = vote(keyEvidence(features, span));
  const own = votes.find((v) => named(v).name === song.name);
  const first = votes[0];
  return first && own && first.score > own.score + MODULATION_GAIN ? named(first).name : song.name;
}

/** Bars [from, to) of a song, and the bars that open phrases. */
export interface BarSpan {
  /** Start of each bar of the song, seconds. */
  readonly bars: readonly number[];
  /** Indices of bars that open a phrase. */
  readonly phrases: readonly number[];
  readonly from: number;
  readonly to: number;
}

const NO_KEY: SongKey = { name: "", tonic: "", scale: "", confidence: 0 };
const SHORTEST_MODULATION = 6;
/** How much better another key must fit a section, nats. */
const MODULATION_GAIN = 2.5;

/** One of the 24 keys with its evidence. */
interface KeyCandidate {
  /** Pitch class, 0 = C. */
  readonly tonic: number;
  readonly scale: Scale;
  readonly evidence: KeyEvidence;
}

type Vote = KeyCandidate & { readonly score: number };

/** Returns the keys by their score, best first; none if the chroma fits no key. */
function vote(candidates: readonly KeyCandidate[]): Vote[] {
  if (candidates.length === 0 || Math.max(...candidates.map((c) => c.evidence.profile)) < 0.2) return [];
  return candidates
    .map((candidate) => ({ ...candidate, score: weighed(candidate.evidence, WEIGHTS) }))
    .sort((a, b) => b.score - a.score);
}

function named({ tonic, scale }: KeyCandidate): Omit<SongKey, "confidence"> {
  return { name: `${TONICS[scale][tonic]!} ${scale}`, tonic: TONICS[scale][tonic]!, scale };
}

/** Returns the 24 keys with the evidence of a span of bars; none if nothing tonal sounds. */
export function keyEvidence(features: SongFeatures, { bars, phrases, from, to }: BarSpan): KeyCandidate[] {
  const end = bars[to] ?? features.seconds;
  const start = from === 0 ? 0 : (bars[from] ?? 0);
  const fine = averageChroma(features.chroma, start, end);
  if (!fine) return [];
  const shift = tuningOf(fine);
  const chroma = folded(fine, shift);
  if (Math.max(...chroma) < 1.15 * mean(chroma)) return [];
  const triads = triadsOfBars(features, bars.slice(from, to), end, shift);
  const bass = folded(averageChroma(features.bassChroma, start, end) ?? new Float64Array(CHROMA_BINS), shift);
  const bassTotal = mean(bass) * 12 || 1;
  const openings = phrases.filter((i) => i >= from && i < to).map((i) => triads[i - from]!);
  const share = (rows: readonly Triad[], fits: (triad: Triad) => boolean) =>
    rows.filter(fits).reduce((sum, t) => sum + t.weight, 0) / (rows.reduce((sum, t) => sum + t.weight, 0) || 1);
  // A small number of bars is weak evidence.
  const barTrust = trust(triads.length, 8);
  const phraseTrust = trust(openings.length, 3);
  return (["major", "minor"] as const).flatMap((scale) =>
    Array.from({ length: 12 }, (_, tonic): KeyCandidate => {
      const isTonic = (t: Triad) => t.root === tonic && t.scale === scale;
      const belongs = (t: Triad) =>
        DIATONIC[scale].some(([step, kind]) => (tonic + step) % 12 === t.root && kind === t.scale);
      const evidence = {
        profile: PROFILES.reduce((sum, p) => sum + correlation(chroma, p[scale], tonic), 0) / PROFILES.length,
        opening: phraseTrust * share(openings, isTonic),
        diatonic: barTrust * share(triads, belongs),
        bass: bass[tonic]! / bassTotal,
      };
      return { tonic, scale, evidence };
    }),
  );
}

/** Returns the weight of `count` observations, 0..1; a half at `enough`. */
function trust(count: number, enough: number): number {
  return count ** 2 / (count ** 2 + enough ** 2);
}

interface Triad {
  readonly root: number;
  readonly scale: Scale;
  /** How clearly it exceeds the next best, 0..1. */
  readonly weight: number;
}

/** Returns the best-fitting major or minor triad of each bar; weight 0 for bars without tones. */
function triadsOfBars(features: SongFeatures, bars: readonly number[], end: number, shift: number): Triad[] {
  return bars.map((from, i) => {
    const to = bars[i + 1] ?? end;
    const tones = normalised(folded(between(features.chroma, from, to), shift));
    const bass = normalised(folded(between(features.bassChroma, from, to), shift));
    if (!tones) return { root: 0, scale: "major", weight: 0 };
    const fits = (["major", "minor"] as const)
      .flatMap((scale) =>
        Array.from({ length: 12 }, (_, root) => {
          const third = (root + (scale === "major" ? 4 : 3)) % 12;
          const fifth = (root + 7) % 12;
          const value = tones[root]! + tones[third]! + 0.8 * tones[fifth]! + (bass ? 0.5 * bass[root]! : 0);
          return { root, scale, value };
        }),
      )
      .sort((a, b) => b.value - a.value);
    const best = fits[0]!;
    return { root: best.root, scale: best.scale, weight: clamp(0.2 + 4 * (best.value - fits[1]!.value)) };
  });
}

function between(chroma: Float32Array, from: number, to: number): Float64Array {
  const sum = new Float64Array(CHROMA_BINS);
  const last = Math.min(chroma.length / CHROMA_BINS, Math.round(to * SLOW_RATE));
  for (let s = Math.round(from * SLOW_RATE); s < last; s++) {
    for (let c = 0; c < CHROMA_BINS; c++) sum[c]! += chroma[s * CHROMA_BINS + c]!;
  }
  return sum;
}

function normalised(row: Float64Array): Float64Array | undefined {
  const total = mean(row) * row.length;
  return total > 1e-6 ? row.map((v) => v / total) : undefined;
}

/**
 * Returns the mean chroma between two times in seconds, with all moments weighted equally whatever their level;
 * undefined for less than 0.5 s of tones.
 */
function averageChroma(chroma: Float32Array, from: number, to: number): Float64Array | undefined {
  const steps = Math.min(chroma.length / CHROMA_BINS, Math.ceil(to * SLOW_RATE));
  const sum = new Float64Array(CHROMA_BINS);
  let heard = 0;
  for (let s = Math.floor(from * SLOW_RATE); s < steps; s++) {
    const row = chroma.subarray(s * CHROMA_BINS, (s + 1) * CHROMA_BINS);
    const total = mean(row);
    if (total <= 1e-6) continue;
    heard++;
    for (let c = 0; c < CHROMA_BINS; c++) sum[c]! += row[c]! / (total + 1e-3);
  }
  return heard < 5 ? undefined : sum;
}

/** Returns the tuning of the song in thirds of a semitone: -1, 0 or 1, whichever bins are strongest. */
function tuningOf(fine: Float64Array): number {
  const strength = (shift: number) =>
    mean(Float64Array.from({ length: 12 }, (_, s) => fine[(s * 3 + shift + CHROMA_BINS) % CHROMA_BINS]!));
  const usual = strength(0) * 1.05;
  const [flat, sharp] = [strength(-1), strength(1)];
  if (flat > usual && flat >= sharp) return -1;
  return sharp > usual ? 1 : 0;
}

/** Folds three bins per semitone around the tuning, and removes overtones. @returns 12 values from C */
function folded(fine: Float64Array, shift: number): Float64Array {
  return withoutOvertones(
    Float64Array.from({ length: 12 }, (_, s) => {
      const centre = s * 3 + shift + CHROMA_BINS;
      return (
        fine[centre % CHROMA_BINS]! + 0.5 * (fine[(centre + 1) % CHROMA_BINS]! + fine[(centre - 1) % CHROMA_BINS]!)
      );
    }),
  );
}

/**
 * Returns the nonnegative tones whose overtones explain a chroma, by fixed-point iteration. A coarse relative of M.
 * Mauch and S. Dixon, "Approximate note transcription for the improved identification of difficult chords", ISMIR 2010.
 */
function withoutOvertones(chroma: Float64Array): Float64Array {
  let tones = chroma;
  for (let round = 0; round < OVERTONE_ROUNDS; round++) {
    tones = chroma.map((heard, pitch) => {
      const overtones = OVERTONES.reduce((sum, o) => sum + o.share * tones[(pitch - o.semitones + 12) % 12]!, 0);
      return Math.max(LEAST_REMAINDER * heard, heard - overtones);
    });
  }
  return tones;
}

function correlation(chroma: Float64Array, profile: readonly number[], tonic: number): number {
  const a = mean(chroma);
  const b = mean(profile);
  return cosine(
    chroma.map((v) => v - a),
    Array.from({ length: 12 }, (_, s) => profile[(s - tonic + 12) % 12]! - b),
  );
}
