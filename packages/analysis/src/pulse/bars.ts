import { clamp, mean, percentile } from "../basics/maths.ts";
import { gatherBeats } from "../hear/beat-features.ts";
import type { SongFeatures } from "../hear/features.ts";
import { lufs } from "../hear/loudness.ts";
import type { Onsets } from "../hear/onsets.ts";
import { HOP_RATE, SLOW_RATE } from "../hear/rates.ts";
import { FRAME_RATE, type Activations } from "../network/activations.ts";

/** Distance from a bar line within which the network's boundary may be, seconds. */
const BOUNDARY_REACH = 0.3;

/** One bar (or two seconds of a song without beats), the input of structure, drops and labels. */
export interface Bar {
  readonly start: number;
  readonly end: number;
  /** Mean log magnitude per coarse band. */
  readonly timbre: Float32Array;
  /** Sum 1 or 0, from C. */
  readonly chroma: Float32Array;
  /** K-weighted loudness above the song's quiet bars, in units of the song's range; about 0..1. */
  readonly energy: number;
  /** Power below 150 Hz, scaled the same way. */
  readonly bass: number;
  /** Power above 6 kHz, scaled the same way. */
  readonly treble: number;
  /** Mean onset strength over the bar, as a share of the song's densest bars, 0..1. */
  readonly density: number;
  /** Share of the bar in which each voice and drum sounds, by the network: means of PLAYERS, 0..1 each. */
  readonly players: Readonly<Record<Player, number>>;
  /** The network's probability that a section starts here, 0..1. */
  readonly boundary: number;
}

/** Heads whose entries and exits define sections. */
const PLAYERS = [
  ...(["vocal", "kick", "snare", "hat", "drums", "bass", "piano", "organ", "guitar"] as const),
  ...(["strings", "brass", "reed", "lead", "pad", "mallet"] as const),
];
type Player = (typeof PLAYERS)[number];

/** A time range of a song, seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Inputs of cutting bars. */
export interface BarEvidence {
  readonly onsets: Onsets;
  readonly heard: Activations;
  readonly span: Span;
}

/**
 * Cuts the song into bars from its first sound to its last. Sound before the first downbeat is a bar of its own if it
 * is nearly as long as one.
 *
 * @param starts downbeats in seconds, or any regular cuts if the song has none
 */
export function cutBars(
  features: SongFeatures,
  log: Float32Array,
  starts: readonly number[],
  { onsets, heard, span }: BarEvidence,
): Bar[] {
  const cuts = starts.filter((t, i) => t < span.to - 0.25 && (starts[i + 1] ?? span.to) > span.from + 0.25);
  const first = cuts[0];
  // A pickup shorter than a bar belongs to the first bar, so that it is not a separate section.
  const usual = (cuts[1] ?? span.to) - (first ?? span.from);
  if (first === undefined || first - span.from > 0.9 * usual) cuts.unshift(span.from);
  if (cuts.length > 2 && span.to - cuts.at(-1)! < 0.6 * usual) cuts.pop();
  const boundary = cuts.map((t) => strongestNear(heard.boundary, t));
  const rows = gatherBeats(features, log, onsets, cuts);
  const strikes = cuts.map((t, i) =>
    mean(onsets.all, Math.round(t * HOP_RATE), Math.round((cuts[i + 1] ?? span.to) * HOP_RATE)),
  );
  const densest = Math.max(percentile(strikes, 0.95), 1e-6);
  const energy = scaled(cuts, span.to, (s) => lufs(features.loudnessPower[s] ?? 0));
  const bass = scaled(cuts, span.to, (s) => decibels(features.bandPower[s * 5] ?? 0));
  const treble = scaled(cuts, span.to, (s) => decibels(features.bandPower[s * 5 + 4] ?? 0));
  return cuts.map((start, i) => ({
    start,
    end: cuts[i + 1] ?? span.to,
    timbre: rows.timbre.subarray(i * rows.width, (i + 1) * rows.width),
    chroma: rows.chroma.subarray(i * 12, (i + 1) * 12),
    energy: energy[i]!,
    bass: bass[i]!,
    treble: treble[i]!,
    density: clamp(strikes[i]! / densest),
    players: listenTo(heard, start, cuts[i + 1] ?? span.to),
    boundary: boundary[i]!,
  }));
}

/** Returns the largest value within BOUNDARY_REACH of a time. */
function strongestNear(curve: Float32Array, seconds: number): number {
  const from = Math.max(0, Math.round((seconds - BOUNDARY_REACH) * FRAME_RATE));
  const to = Math.max(from, Math.round((seconds + BOUNDARY_REACH) * FRAME_RATE));
  let most = 0;
  for (let f = from; f < to && f < curve.length; f++) most = Math.max(most, curve[f]!);
  return most;
}

function listenTo(heard: Activations, from: number, to: number): Record<Player, number> {
  // One entry per player.
  return Object.fromEntries(PLAYERS.map((head) => [head, meanBetween(heard[head], from, to)])) as Record<
    Player,
    number
  >;
}

function meanBetween(curve: Float32Array, from: number, to: number): number {
  return mean(curve, Math.round(from * FRAME_RATE), Math.round(to * FRAME_RATE));
}

function decibels(power: number): number {
  return Math.max(-80, 10 * Math.log10(power + 1e-12));
}

/** Returns the mean level of each range, between the song's 5 % and 95 % (at least 6 dB apart). */
function scaled(cuts: readonly number[], seconds: number, level: (step: number) => number): number[] {
  const values = cuts.map((from, i) => {
    const to = cuts[i + 1] ?? seconds;
    const steps: number[] = [];
    for (
      let s = Math.round(from * SLOW_RATE);
      s < Math.max(to * SLOW_RATE - 0.5, Math.round(from * SLOW_RATE) + 1);
      s++
    )
      steps.push(level(s));
    return mean(steps);
  });
  const top = percentile(values, 0.95);
  const bottom = Math.min(percentile(values, 0.05), top - 6);
  return values.map((v) => Math.min(1.1, Math.max(-0.2, (v - bottom) / (top - bottom))));
}
