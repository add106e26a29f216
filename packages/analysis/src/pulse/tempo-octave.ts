import { clamp, mean, median, weighed } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { beatOdds, decodeBeats, FREE_TIME, KEPT_TIME, type TempoModel } from "./beats.ts";
import { bestContrast, downbeatOdds } from "./metre.ts";
import { findSteadyPulse, type SteadyPulse } from "./steady-tempo.ts";
import { intervalsOf } from "./tempo.ts";

/** Input of the choice of a level: the network's curves of shape [hops], 0..1. */
export type PulseCurves = Readonly<Record<"beat" | "downbeat" | "kick" | "snare", Float32Array>> & {
  /** Mean probability over the song that drums play. */
  readonly drums: number;
};

/** Evidence for one metrical level. */
export interface LevelEvidence {
  /** Log odds of its beats, per beat of the first search: how much of the song it explains. */
  readonly explained: number;
  /** Log odds of its beats, per beat of its own: the network's certainty of each. */
  readonly certain: number;
  /** Squared octaves from the middle of the tempos that people tap. */
  readonly far: number;
  /** Octaves above that middle. */
  readonly fast: number;
  /** How far kick and snare alternate from beat to beat, 0..0.5. */
  readonly alternating: number;
  /**
   * Nats by which downbeats stand out better every eight beats than every four, which indicates a level twice too fast.
   */
  readonly eights: number;
}

export interface TempoChoice {
  /** Hops of the beats, ascending, may be fractional. */
  readonly beats: readonly number[];
  /** Median tempo, BPM; 0 if no beat was found. */
  readonly bpm: number;
  /** Whether a machine keeps this tempo: the beats are an exact line through the whole song. */
  readonly isSteady: boolean;
  /** Margin of the chosen level over the next best, 0..1. */
  readonly confidence: number;
}

/** Levels tried relative to that of the first search. */
const LEVELS = [1 / 3, 0.5, 2 / 3, 1, 4 / 3, 1.5, 2, 3] as const;
/** Tempo at which `far` and `fast` of the evidence are 0. */
const REFERENCE_BPM = 112;
/**
 * Weight of each kind of evidence, nats per unit: maximum likelihood of the notated level over 180 held-out songs, with
 * `far` and `eights` fixed (training/fit.ts, decision 014).
 */
export const LEVEL_WEIGHTS: LevelEvidence = {
  explained: 1.12,
  certain: 2.06,
  far: -1.75,
  fast: 1.4,
  alternating: 30.4,
  eights: -1.2,
};
/** Number of beats below which bars of eight may stand out by chance. */
const PROVING_BEATS = 64;
/**
 * Nats per second by which a free path must explain more before players without drums count as playing freely. Of 22
 * held-out songs with hardly any drums, one free piano gained 0.76 and all others at most 0.31.
 */
const FREE_GAIN = 0.6;
/** Mean probability of drums above which players keep time. */
const DRUMS = 0.3;
/** Additional score from which a change of tempo within a song is accepted. */
const CHANGE_GAIN = 1;
/**
 * Coherence from which a machine keeps the tempo. Of 51 rendered songs 16 of the 19 kept by a machine reach it, and 8
 * of 32 that drift. Those stay so close to their line that it bridges breaks better than it harms the beats.
 */
const STEADY_COHERENCE = 0.92;
/** Shortest coherent pulse that is evidence. */
const STEADY_HOPS = 12 * HOP_RATE;

interface Candidate {
  readonly beats: readonly number[];
  readonly bpm: number;
  readonly score: number;
}

/**
 * Chooses the metrical level that a listener would tap, once for the whole song. The first search finds the pulse. Each
 * level around it is then decoded again and judged by how well the network's beats agree, by kick and snare that
 * alternate from beat to beat, by bars of four, and by the tempo that people expect. A song that changes its tempo
 * keeps its first path. A sequenced song is laid on one exact line, so that breaks and off-beat bass cannot move its
 * phase.
 */
export function chooseTempo(heard: PulseCurves): TempoChoice {
  const { beat } = heard;
  const { beats: path, model } = findPath(heard);
  const found = bpmOf(path);
  if (path.length < 4) return { beats: path, bpm: found, isSteady: false, confidence: 0 };

  const judge = (beats: readonly number[]): Candidate => ({
    beats,
    bpm: bpmOf(beats),
    score: weighed(levelEvidence(beats, heard, path.length), LEVEL_WEIGHTS),
  });
  const tried = levelsAround(found, beat, model)
    .map(judge)
    .sort((a, b) => b.score - a.score);
  const best = tried[0]!;
  const rival = tried.find((t) => Math.abs(t.bpm / best.bpm - 1) > 0.05);
  const confidence = clamp((best.score - (rival?.score ?? best.score - 3)) / 3);

  const changing = judge(path);
  if (changing.score > best.score + CHANGE_GAIN && isChanging(path)) {
    return { beats: path, bpm: found, isSteady: false, confidence: confidence / 2 };
  }
  const line = model === KEPT_TIME ? steadyLine(best, beat) : undefined;
  return line
    ? { beats: line, bpm: bpmOf(line), isSteady: true, confidence }
    : { beats: best.beats, bpm: best.bpm, isSteady: false, confidence };
}

/**
 * Returns the most likely beats at any level, and whether the players keep time. Without drums they may play freely.
 */
export function findPath({ beat, drums }: PulseCurves): {
  readonly beats: readonly number[];
  readonly model: TempoModel;
} {
  const kept = decodeBeats(beat, KEPT_TIME);
  if (drums > DRUMS) return { beats: kept, model: KEPT_TIME };
  const free = decodeBeats(beat, FREE_TIME);
  const gain = (oddsOf(free, beat) - oddsOf(kept, beat)) / (beat.length / HOP_RATE);
  return gain > FREE_GAIN ? { beats: free, model: FREE_TIME } : { beats: kept, model: KEPT_TIME };
}

/** Returns the median tempo of beats given as hops, BPM; 0 for fewer than two. */
export function bpmOf(beats: readonly number[]): number {
  if (beats.length < 2) return 0;
  return (60 * HOP_RATE) / median(intervalsOf(beats));
}

/** Returns the beats of each level around the first one, slowest first; at least four beats each. */
export function levelsAround(found: number, beat: Float32Array, model: TempoModel): (readonly number[])[] {
  return LEVELS.map((level) => found * level)
    .filter((bpm) => bpm >= model.minBpm && bpm <= model.maxBpm)
    .map((bpm) => decodeBeats(beat, { ...model, minBpm: bpm / model.stray, maxBpm: bpm * model.stray }))
    .filter((beats) => beats.length >= 4);
}

/** @param pathBeats number of beats of the first search */
export function levelEvidence(beats: readonly number[], heard: PulseCurves, pathBeats: number): LevelEvidence {
  const odds = oddsOf(beats, heard.beat);
  const octaves = Math.log2(bpmOf(beats) / REFERENCE_BPM);
  const downbeats = Float32Array.from(beats, (t) => downbeatOdds(strongest(heard.downbeat, t, 2)));
  return {
    explained: odds / pathBeats,
    certain: odds / beats.length,
    far: octaves ** 2,
    fast: octaves,
    alternating: backbeat(beats, heard.kick, heard.snare),
    eights: clamp(beats.length / PROVING_BEATS) * (bestContrast(downbeats, 8) - bestContrast(downbeats, 4)),
  };
}

function oddsOf(beats: readonly number[], beat: Float32Array): number {
  return beats.reduce((sum, t) => sum + beatOdds(strongest(beat, t, 2)), 0);
}

/** Returns how far kicks and snares alternate from beat to beat, as at the level that people tap: 0..0.5. */
export function backbeat(beats: readonly number[], kick: Float32Array, snare: Float32Array): number {
  const [a, b] = [alternation(beats, kick), alternation(beats, snare)];
  return a * b < 0 ? Math.min(Math.abs(a), Math.abs(b)) : 0;
}

/** Returns the mean of a curve on even beats minus that on odd ones, halved. */
function alternation(beats: readonly number[], curve: Float32Array): number {
  return beats.reduce((sum, t, i) => sum + (i % 2 === 0 ? 1 : -1) * strongest(curve, t, 3), 0) / beats.length;
}

/** Whether there are two tempos that are not levels of each other, each over a good part of the song. */
function isChanging(beats: readonly number[]): boolean {
  const middle = bpmOf(beats);
  const strays = beats.slice(1).map((t, i) => Math.abs(Math.log2((60 * HOP_RATE) / (t - beats[i]!) / middle)));
  const odd = strays.filter((octaves) => octaves > 0.1 && Math.abs(octaves - 1) > 0.1);
  return odd.length / beats.length > 0.12;
}

/** Returns the beats on the exact line of a sequencer, if one keeps the tempo of these beats. */
function steadyLine(choice: Candidate, beat: Float32Array): readonly number[] | undefined {
  if (beat.length < STEADY_HOPS) return undefined;
  // The half beat is tried too, because off-beat passages are in phase with it.
  const period = (60 * HOP_RATE) / choice.bpm;
  const pulse = [1, 2].map((division) => findSteadyPulse(beat, period / division)).reduce(surer);
  if (pulse.coherence < STEADY_COHERENCE) return undefined;
  const count = Math.round(period / pulse.period);
  const phases = Array.from({ length: count }, (_, phase) => {
    const beats: number[] = [];
    for (let t = pulse.first + phase * pulse.period; t < beat.length; t += count * pulse.period) beats.push(t);
    return { beats, weight: mean(beats.map((t) => strongest(beat, t, 2))) };
  });
  return phases.reduce((a, b) => (b.weight > a.weight ? b : a)).beats;
}

function surer(a: SteadyPulse, b: SteadyPulse): SteadyPulse {
  return b.coherence > a.coherence + 0.05 ? b : a;
}

/** Returns the largest value of a curve within ±reach hops. */
export function strongest(curve: Float32Array, at: number, reach: number): number {
  const t = Math.round(at);
  let most = 0;
  for (let d = -reach; d <= reach; d++) most = Math.max(most, curve[t + d] ?? 0);
  return most;
}
