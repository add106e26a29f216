import { SONG_ANALYSIS_VERSION, type Section, type SongAnalysis } from "@followspot/contract";
import { cutBars, type Bar } from "./bars.ts";
import { gatherBeats } from "./beat-features.ts";
import { refineBeats } from "./beats.ts";
import { describeDrop, findDrops } from "./drops.ts";
import { drawWaveform, measureDynamics } from "./dynamics.ts";
import { FeatureExtractor, type SongFeatures } from "./features.ts";
import { HOP_RATE } from "./rates.ts";
import { layGrid, smoothBeats } from "./grid.ts";
import { concludeInsights } from "./insights.ts";
import { findKey } from "./key.ts";
import { labelSections, portraySections } from "./labels.ts";
import { clamp, mean, round } from "./maths.ts";
import { findMetre } from "./metre.ts";
import { beatActivation, logSpectrogram, onsetStrength } from "./onsets.ts";
import { FINE_BOUNDARY_COST, findSections, type BarRange } from "./structure.ts";
import { chooseTempo } from "./tempo-octave.ts";
import { detectVocals } from "./vocals.ts";

/** Written into `insights.engines`; raised whenever the same samples may give another answer. */
export const ANALYSIS_VERSION = "1.0.0";

/** Two channels of one length; mono is given twice. Full scale is -1..1. */
export interface Pcm {
  readonly left: Float32Array;
  readonly right: Float32Array;
  /** Hz, a multiple of 100 from 8000. */
  readonly sampleRate: number;
}

export interface AnalysisOptions {
  readonly songId: string;
  /** What the decoder already knows about the source: "truncated", "short". */
  readonly warnings?: readonly string[];
  /** Called with the share done, 0..1, and the name of the stage that begins. */
  readonly onProgress?: (share: number, stage: string) => void;
}

/** A song that never rises above this (about -84 dBFS) is taken as silent. */
const SILENT_PEAK = 6e-5;
const BAR_SECONDS_WITHOUT_BEATS = 2;

/** Samples → SongAnalysis. The same samples give the same answer on every machine. */
export function analyseSong(pcm: Pcm, options: AnalysisOptions): SongAnalysis {
  const extractor = new FeatureExtractor(pcm.sampleRate);
  const block = pcm.sampleRate * 5;
  for (let at = 0; at < pcm.left.length; at += block) {
    extractor.push(pcm.left.subarray(at, at + block), pcm.right.subarray(at, at + block));
    options.onProgress?.(0.7 * Math.min(1, (at + block) / pcm.left.length), "features");
  }
  return analyseFeatures(extractor.finish(), options);
}

/** The recipe, for a song whose features were gathered block by block. */
export function analyseFeatures(features: SongFeatures, options: AnalysisOptions): SongAnalysis {
  const progress = options.onProgress ?? (() => undefined);
  const silent = features.peak < SILENT_PEAK;

  progress(0.7, "beats");
  const log = logSpectrogram(features);
  const onsets = onsetStrength(features, log);
  const activation = beatActivation(onsets);
  const choice = chooseTempo(silent ? new Float32Array(0) : activation, onsets);
  const tracked = (choice.isSteady ? choice.beats : refineBeats(choice.beats, activation)).map((hop) => hop / HOP_RATE);
  const { beats, stable } = smoothBeats(tracked);

  progress(0.85, "bars");
  const metre = findMetre(gatherBeats(features, log, onsets, beats));
  const grid = layGrid(beats, stable, metre, onsets);
  const key = findKey(features);
  const dynamics = measureDynamics(features);
  const vocals = detectVocals(features, log);

  progress(0.93, "structure");
  const cuts = grid.downbeats.length > 1 ? grid.downbeats : regularCuts(features.seconds);
  const bars = cutBars(features, log, cuts, onsets);
  const changes = findSections(bars, [], FINE_BOUNDARY_COST).map((range) => range.from);
  const drops = silent ? [] : findDrops(bars, changes);
  const ranges = findSections(
    bars,
    drops.filter((d) => d.type === "drop").map((d) => d.bar),
  );
  const sections = describeSections(
    bars,
    ranges,
    labelSections(portraySections(bars, ranges, drops)),
    features.seconds,
  );
  const dropPredictions = drops.map((drop) => describeDrop(drop, bars));

  const gridConfidence =
    beats.length === 0
      ? 0
      : clamp(regularity(tracked) * salience(tracked, activation) * (0.45 + 0.5 * choice.confidence));
  const warnings = [...new Set([...(options.warnings ?? []), ...warningsOf(features, silent)])];
  const insights = concludeInsights({
    grid,
    tempoConfidence: gridConfidence,
    metre,
    key,
    bars,
    sections,
    drops: dropPredictions,
    loudness: dynamics.loudness,
    vocalPresence: vocals.mean_presence,
    warnings,
    engine: { engine: "followspot", version: ANALYSIS_VERSION },
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
      confidence: round(gridConfidence, 2),
      downbeat_confidence: round(metre.confidence * clamp(gridConfidence * 2), 2),
      stable: grid.stable,
      swing: grid.swing,
    },
    stems: { drums: "", bass: "", vocals: "", other: "" },
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

/** Share of beat periods within 8 % of their neighbour: 1 for a machine, low for a path through noise. */
function regularity(beats: readonly number[]): number {
  if (beats.length < 4) return 0.1;
  const periods = beats.slice(1).map((t, i) => t - beats[i]!);
  return mean(periods.slice(1).map((p, i) => (Math.abs(p / periods[i]! - 1) < 0.08 ? 1 : 0)));
}

/** How far beats stand above the rest of the activation, 0..1; noise, where every hop is alike, is near 0. */
function salience(beats: readonly number[], activation: Float32Array): number {
  const on = mean(beats.map((t) => activation[Math.round(t * HOP_RATE)] ?? 0));
  const everywhere = mean(activation);
  return everywhere > 0 ? clamp((on / everywhere - 2) / 4) : 0;
}

function describeSections(
  bars: readonly Bar[],
  ranges: readonly BarRange[],
  labels: readonly Section["label"][],
  seconds: number,
): Section[] {
  return ranges.map(({ from, to, confidence }, i) => {
    const own = bars.slice(from, to);
    const energy = clamp(mean(own.map((b) => b.energy)));
    const density = mean(own.map((b) => b.density));
    return {
      start: i === 0 ? 0 : round(own[0]!.start, 4),
      end: i === ranges.length - 1 ? round(seconds, 3) : round(bars[to]!.start, 4),
      label: labels[i]!,
      energy: round(energy, 3),
      intensity: round(clamp(0.7 * energy + 0.3 * density), 3),
      confidence: round(confidence, 2),
    };
  });
}
