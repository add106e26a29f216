import { SONG_ANALYSIS_VERSION, type Section, type SongAnalysis } from "@followspot/contract";
import type { EngineName, GivenAnswers } from "./basics/given.ts";
import { clamp, mean, round } from "./basics/maths.ts";
import { describeDrop } from "./form/drops.ts";
import { concludeInsights } from "./form/insights.ts";
import { findKey, keyOfSection } from "./form/key.ts";
import { readForm, type NamedSection } from "./form/read-form.ts";
import type { BarRange } from "./form/structure.ts";
import { detectVocals } from "./form/vocals.ts";
import { gatherBeats } from "./hear/beat-features.ts";
import { drawWaveform, measureDynamics } from "./hear/dynamics.ts";
import { FeatureExtractor, type SongFeatures } from "./hear/features.ts";
import { logSpectrogram, onsetStrength } from "./hear/onsets.ts";
import { atTimes, hearSong, NETWORK_VERSION, type Activations } from "./network/activations.ts";
import { cutBars, type Bar, type Span } from "./pulse/bars.ts";
import { givenMetre, givenPulse } from "./pulse/given-beats.ts";
import { findDrums } from "./pulse/drums.ts";
import { layGrid, type BeatGrid } from "./pulse/grid.ts";
import { findMetre, type Metre } from "./pulse/metre.ts";
import { findPulse, NO_PULSE } from "./pulse/pulse.ts";

/** Raised whenever the same samples may give a different result with the same weights. */
const ANALYSIS_VERSION = "3.2.0";

/** Engine in `insights.engines` if no other engine is used: versions of the code and of the weights. */
const BUILT_IN: EngineName = { engine: "followspot", version: `${ANALYSIS_VERSION}+${NETWORK_VERSION}` };

/** Two channels of equal length; for mono both are the same. Full scale is -1..1. */
export interface Pcm {
  readonly left: Float32Array;
  readonly right: Float32Array;
  /** Hz, a multiple of 100, at least 8000. */
  readonly sampleRate: number;
}

export interface AnalysisOptions {
  readonly songId: string;
  /** Warnings of the decoder about the source: "truncated", "short". */
  readonly warnings?: readonly string[];
  /** Results of engines chosen by the user, which replace our own stages. */
  readonly given?: GivenAnswers;
  /** Called with the completed share, 0..1, and the name of the next stage. */
  readonly onProgress?: (share: number, stage: string) => void;
}

/** Peak up to which a song counts as silent (about -84 dBFS). */
const SILENT_PEAK = 6e-5;
const BAR_SECONDS_WITHOUT_BEATS = 2;
/** Share of the loudest sample, -46 dB, below which the start and end of a song are inaudible. */
const AUDIBLE_SHARE = 0.005;
/** Interval of the features' `peaks`, seconds. */
const PEAK_SECONDS = 0.05;

/** Analyzes samples. The same samples give the same result on every machine. */
export function analyseSong(pcm: Pcm, options: AnalysisOptions): SongAnalysis {
  const extractor = new FeatureExtractor(pcm.sampleRate);
  const block = pcm.sampleRate * 5;
  for (let at = 0; at < pcm.left.length; at += block) {
    extractor.push(pcm.left.subarray(at, at + block), pcm.right.subarray(at, at + block));
    options.onProgress?.(0.7 * Math.min(1, (at + block) / pcm.left.length), "features");
  }
  return analyseFeatures(extractor.finish(), options);
}

/** Analysis of a song before its form is determined. */
export interface Listened {
  readonly silent: boolean;
  readonly span: Span;
  readonly heard: Activations;
  readonly metre: Metre;
  readonly grid: BeatGrid;
  readonly bars: readonly Bar[];
}

/** Turns features into bars: network activations → beats → bars. */
export function listen(features: SongFeatures, options: AnalysisOptions): Listened {
  const progress = options.onProgress ?? (() => undefined);
  const given = options.given ?? {};
  const silent = features.peak < SILENT_PEAK;
  const span = soundingSpan(features, silent);

  progress(0.7, "listening for the beat");
  const heard = hearSong(features);

  progress(0.8, "beats");
  const log = logSpectrogram(features);
  const onsets = onsetStrength(features, log);
  const pulse = given.beats ? givenPulse(given.beats) : silent ? NO_PULSE : findPulse(features, heard, onsets, span);

  progress(0.87, "bars");
  const beatFeatures = gatherBeats(features, log, onsets, pulse.beats);
  const metre = givenMetre(given.beats) ?? findMetre(beatFeatures, atTimes(heard.downbeat, pulse.beats));
  const grid = layGrid(pulse, metre, onsets);
  const cuts = grid.downbeats.length > 1 ? grid.downbeats : silent ? [0] : regularCuts(features.seconds);
  return { silent, span, heard, metre, grid, bars: cutBars(features, log, cuts, { onsets, heard, span }) };
}

/**
 * Analyzes a song whose features were gathered block by block:
 *
 *   features → network activations → beats → bars → key, sections, drops, vocals → insights
 */
export function analyseFeatures(features: SongFeatures, options: AnalysisOptions): SongAnalysis {
  const progress = options.onProgress ?? (() => undefined);
  const given = options.given ?? {};
  const { silent, span, heard, metre, grid, bars } = listen(features, options);

  progress(0.93, "sections");
  const dynamics = measureDynamics(features);
  const vocals = detectVocals(silent ? new Float32Array(0) : heard.vocal, features.seconds);
  const form = readForm(bars);
  const drops = silent ? [] : form.drops;
  const dropPredictions = drops.map((drop) => describeDrop(drop, bars));

  progress(0.97, "key");
  const starts = bars.map((bar) => bar.start);
  const phrases = phraseStarts(form.sections);
  const key = findKey(features, starts, phrases);
  const keys = form.sections.map(({ from, to }) => keyOfSection(features, { bars: starts, phrases, from, to }, key));
  const sections = describeSections(bars, form.sections, keys, span);

  const insights = concludeInsights({
    grid,
    metre,
    key,
    bars,
    sections,
    drops: dropPredictions,
    loudness: dynamics.loudness,
    vocalPresence: vocals.mean_presence,
    heard: silent ? undefined : heard,
    warnings: [...new Set([...(options.warnings ?? []), ...warningsOf(features, silent)])],
    given,
    builtIn: BUILT_IN,
  });
  progress(1, "done");

  return {
    version: SONG_ANALYSIS_VERSION,
    song_id: options.songId,
    duration: round(features.seconds, 3),
    tempo: round(grid.tempo, 2),
    key: key.name,
    beats: times(grid.beats, features.seconds),
    downbeats: times(grid.downbeats, features.seconds),
    offbeats: times(grid.offbeats, features.seconds),
    grid: {
      beats_per_bar: metre.beatsPerBar,
      tempo_curve_bpm: grid.tempoCurve,
      confidence: round(grid.confidence, 2),
      downbeat_confidence: round(metre.confidence * clamp(grid.confidence * 2), 2),
      stable: grid.stable,
      swing: grid.swing,
    },
    stems: { drums: "", bass: "", vocals: "", other: "" },
    drums: silent ? { kick: [], snare: [], hat: [] } : findDrums(heard, features.seconds),
    dynamics,
    waveform: drawWaveform(features),
    vocals,
    structure: { sections },
    drop_predictions: dropPredictions,
    insights,
  };
}

function times(values: readonly number[], seconds: number): number[] {
  return values.filter((t) => t >= 0 && t < seconds).map((t) => round(t, 4));
}

/** Returns every fourth bar of each section. */
function phraseStarts(sections: readonly BarRange[]): number[] {
  return sections.flatMap(({ from, to }) => Array.from({ length: Math.ceil((to - from) / 4) }, (_, i) => from + 4 * i));
}

/** Returns the first and last audible moment, seconds; the whole song if it is silent. */
function soundingSpan({ peaks, peak, seconds }: SongFeatures, silent: boolean): Span {
  const floor = peak * AUDIBLE_SHARE;
  const first = peaks.findIndex((v) => v > floor);
  const last = peaks.findLastIndex((v) => v > floor);
  if (silent || first < 0) return { from: 0, to: seconds };
  return { from: first * PEAK_SECONDS, to: Math.min(seconds, (last + 1) * PEAK_SECONDS) };
}

function regularCuts(seconds: number): number[] {
  const cuts: number[] = [];
  for (let t = 0; t < seconds; t += BAR_SECONDS_WITHOUT_BEATS) cuts.push(t);
  return cuts;
}

function warningsOf(features: SongFeatures, silent: boolean): string[] {
  const warnings: string[] = [];
  if (silent) warnings.push("silent");
  if (features.brokenSamples > 0) warnings.push("broken_samples");
  if (features.clippedShare > 0.001) warnings.push("clipped");
  if (features.mono && features.seconds > 0 && !silent) warnings.push("mono");
  return warnings;
}

/** Smallest probability of a label that is listed. */
const LEAST_PROBABILITY = 0.005;

/** Describes the sections, which cover the song from the first sound to the last without gaps. */
function describeSections(
  bars: readonly Bar[],
  named: readonly NamedSection[],
  keys: readonly string[],
  span: Span,
): Section[] {
  return named.map(({ from, to, label, probabilities, strength }, i) => {
    const own = bars.slice(from, to);
    const energy = clamp(mean(own.map((b) => b.energy)));
    const density = mean(own.map((b) => b.density));
    const likely = Object.entries(probabilities).filter(([, p]) => p >= LEAST_PROBABILITY);
    return {
      start: i === 0 ? round(Math.min(span.from, own.at(-1)!.end), 4) : round(own[0]!.start, 4),
      end: round(i === named.length - 1 ? Math.max(span.to, own.at(-1)!.start) : bars[to]!.start, 4),
      label,
      key: keys[i]!,
      energy: round(energy, 3),
      intensity: round(clamp(0.7 * energy + 0.3 * density), 3),
      confidence: round(probabilities[label], 2),
      label_probabilities: Object.fromEntries(likely.map(([name, p]) => [name, round(p, 2)])),
      boundary_strength: round(clamp(strength), 2),
    };
  });
}
