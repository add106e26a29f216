import type { SongAnalysis } from "@followspot/contract";
import { HOP_RATE } from "../hear/rates.ts";
import { clamp, median, round } from "../basics/maths.ts";
import type { Metre } from "./metre.ts";
import type { Onsets } from "../hear/onsets.ts";
import type { Pulse } from "./pulse.ts";

/** Beats closer to a line than this (seconds, rms) were played to a click. */
const STABLE_RMS = 0.012;
const LINE_BEATS = 8;

export interface BeatGrid {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly offbeats: readonly number[];
  readonly tempo: number;
  readonly tempoCurve: SongAnalysis["grid"]["tempo_curve_bpm"];
  readonly stable: boolean;
  readonly swing: number;
  /** 0..1 */
  readonly confidence: number;
}

/**
 * Smooth tracked beats: each beat is moved onto the line through its eight neighbours, and onto
 * one line for the whole song when all lie within 12 ms rms of it.
 *
 * @param beats seconds, ascending
 * @returns beats in seconds, ascending, as many as given
 */
export function smoothBeats(beats: readonly number[]): { beats: number[]; stable: boolean } {
  if (beats.length < 8) return { beats: [...beats], stable: false };
  const whole = fitLine(beats, 0, beats.length);
  const rms = Math.sqrt(beats.reduce((s, t, i) => s + (t - whole.at(i)) ** 2, 0) / beats.length);
  if (rms < STABLE_RMS) return { beats: beats.map((_, i) => Math.max(0, whole.at(i))), stable: true };
  const smoothed = beats.map((t, i) => {
    const from = clamp(i - LINE_BEATS / 2, 0, beats.length - LINE_BEATS);
    const line = fitLine(beats, from, from + LINE_BEATS);
    const moved = line.at(i);
    // A performer's rubato is not noise: a large move means the line is wrong, not the beat.
    return Math.abs(moved - t) < 0.025 ? Math.max(0, 0.5 * moved + 0.5 * t) : t;
  });
  return { beats: smoothed, stable: false };
}

/** Everything the contract says about the grid. */
export function layGrid({ beats, stable, confidence }: Pulse, metre: Metre, onsets: Onsets): BeatGrid {
  const downbeats = metre.downbeats.map((i) => beats[i]!);
  const swing = swingOf(beats, onsets);
  const offbeats = beats.slice(1).map((t, i) => beats[i]! + (t - beats[i]!) * swing);
  const periods = beats.slice(1).map((t, i) => t - beats[i]!);
  const tempo = beats.length < 2 ? 0 : stable ? 60 / fitLine(beats, 0, beats.length).slope : 60 / median(periods);
  return {
    beats,
    downbeats,
    offbeats,
    tempo,
    tempoCurve: tempoCurve(beats, metre.beatsPerBar),
    stable,
    swing,
    confidence,
  };
}

/** Tempo per bar from the line through the eight beats around it; points only where it moves. */
function tempoCurve(beats: readonly number[], beatsPerBar: number): SongAnalysis["grid"]["tempo_curve_bpm"] {
  if (beats.length < 4) return [];
  const points: { time: number; bpm: number }[] = [];
  const reach = Math.min(LINE_BEATS, beats.length);
  for (let i = 0; i < beats.length; i += beatsPerBar) {
    const from = clamp(i - reach / 2, 0, beats.length - reach);
    const bpm = round(60 / fitLine(beats, Math.floor(from), Math.floor(from) + reach).slope, 2);
    const last = points.at(-1);
    if (!last || Math.abs(last.bpm - bpm) >= 0.3) points.push({ time: round(beats[i]!, 4), bpm });
  }
  return points;
}

/** Least-squares line time = offset + slope × index over beats[from, to). */
function fitLine(beats: readonly number[], from: number, to: number) {
  const n = to - from;
  const centre = (from + to - 1) / 2;
  let sum = 0;
  let product = 0;
  let square = 0;
  for (let i = from; i < to; i++) {
    sum += beats[i]!;
    product += (i - centre) * beats[i]!;
    square += (i - centre) ** 2;
  }
  const slope = product / square;
  return { slope, at: (i: number) => sum / n + slope * (i - centre) };
}

/**
 * Where the off-beat eighth falls in the beat: the strongest place of the summed high onsets
 * between 0.42 and 0.72 of the beat.
 * @returns 0.5 straight .. 0.67 triplet; 0.5 when no place stands out
 */
function swingOf(beats: readonly number[], onsets: Onsets): number {
  const first = 42;
  const profile = new Float64Array(31);
  for (let i = 0; i + 1 < beats.length; i++) {
    const from = beats[i]! * HOP_RATE;
    const length = beats[i + 1]! * HOP_RATE - from;
    for (let p = 0; p < profile.length; p++) {
      const h = Math.round(from + (length * (first + p)) / 100);
      profile[p]! += (onsets.high[h] ?? 0) + (onsets.mid[h] ?? 0);
    }
  }
  const straight = Math.max(...profile.slice(4, 13));
  let best = 0;
  profile.forEach((v, p) => (best = v > profile[best]! ? p : best));
  const place = (first + best) / 100;
  return place >= 0.57 && place <= 0.71 && profile[best]! > 1.4 * straight ? round(place, 2) : 0.5;
}
