import { clamp, mean, median, weighed } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { beatOdds, decodeBeats, FREE_TIME, KEPT_TIME, type TempoModel } from "./beats.ts";
import { bestContrast, downbeatOdds } from "./metre.ts";
import { findSteadyPulse, type SteadyPulse } from "./steady-tempo.ts";
import { intervalsOf } from "./tempo.ts";

/** What the choice of a level listens to: the network's curves of shape [hops], 0..1. */
export type PulseCurves = Readonly<Record<"beat" | "downbeat" | "kick" | "snare", Float32Array>> & {
  /** Mean over the song of the probability that drums play. */
  readonly drums: number;
};

/** What speaks for one level of the pulse. */
export interface LevelEvidence {
  /** Log odds of its beats, per beat of the first search: how much of the song it explains. */
  readonly explained: number;
  /** Log odds of its beats, per beat of its own: how sure the network is of each. */
  readonly certain: number;
  /** Squared octaves from the middle of the tempos people tap. */
  readonly far: number;
  /** Octaves above that middle. */
  readonly fast: number;
  /** Kick and snare take turns from beat to beat, 0..0.5. */
  readonly alternating: number;
  /** Nats by which downbeats stand out better every eight beats than every four: true of a level twice too fast. */
  readonly eights: number;
}

export interface TempoChoice {
  /** Hops of the beats, ascending, may be fractional. */
  readonly beats: readonly number[];
  /** Median tempo, BPM; 0 when no beat was found. */
  readonly bpm: number;
  /** A machine keeps this tempo: the beats are an exact line through the whole song. */
  readonly isSteady: boolean;
  /** How far the chosen level stands above the next, 0..1. */
  readonly confidence: number;
}

/** Levels tried against the one the first search finds. */
const LEVELS = [1 / 3, 0.5, 2 / 3, 1, 4 / 3, 1.5, 2, 3] as const;
/** Where `far` and `fast` of the evidence are 0. */
const REFERENCE_BPM = 112;
/**
 * What each kind of evidence counts, in nats per unit: the likelihood of the level notated over 180 songs held out, with
 * `far` and `eights` held (training/fit.ts, decision 014).
 */
export const LEVEL_WEIGHTS: LevelEvidence = {
  explained: 1.12,
  certain: 2.06,
  far: -1.75,
  fast: 1.4,
  alternating: 30.4,
  eights: -1.2,
};
/** Bars of eight stand out by chance over fewer beats than these. */
const PROVING_BEATS = 64;
/**
 * Nats per second that a free path must explain more before players without drums are taken to play freely. Of 22
 * songs held out that have hardly any drums, one free piano gained 0.76 and all others 0.31 at most.
 */
const FREE_GAIN = 0.6;
/** The network's probability of drums, over the song, above which players keep time. */
const DRUMS = 0.3;
/** A change of tempo within a song is believed when it scores so much more. */
const CHANGE_GAIN = 1;
/**
 * Of 51 rendered songs 16 of the 19 kept by a machine reach this, and 8 of 32 that drift: those stay so
 * near their line that it bridges breaks better than it harms the beats.
 */
const STEADY_COHERENCE = 0.92;
/** A coherent pulse over less than this proves nothing. */
const STEADY_HOPS = 12 * HOP_RATE;

interface Candidate {
  readonly beats: readonly number[];
  readonly bpm: number;
  readonly score: number;
}

/**
 * Choose the metrical level a listener would tap, once for the whole song: the first search says
 * where the pulse is; each level around it is decoded anew and judged by how well the network's
 * beats agree, by kick and snare that alternate from beat to beat, by bars of four, and by the
 * tempo people expect. A song that changes its tempo keeps its first path.
 * A sequenced song is laid on one exact line, so that breaks and off-beat bass cannot move its phase.
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

/** The likeliest beats at any level, and whether the players keep time: freely they play without drums. */
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

/** Median tempo of beats given as hops, BPM; 0 for fewer than two. */
export function bpmOf(beats: readonly number[]): number {
  if (beats.length < 2) return 0;
  return (60 * HOP_RATE) / median(intervalsOf(beats));
}

/** The beats of each level around the one found first, slowest first; at least four beats each. */
export function levelsAround(found: number, beat: Float32Array, model: TempoModel): (readonly number[])[] {
  return LEVELS.map((level) => found * level)
    .filter((bpm) => bpm >= model.minBpm && bpm <= model.maxBpm)
    .map((bpm) => decodeBeats(beat, { ...model, minBpm: bpm / model.stray, maxBpm: bpm * model.stray }))
    .filter((beats) => beats.length >= 4);
}

/** @param pathBeats how many beats the first search found */
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

/** How far kicks and snares take turns from beat to beat, as they do at the level people tap: 0..0.5. */
export function backbeat(beats: readonly number[], kick: Float32Array, snare: Float32Array): number {
  const [a, b] = [alternation(beats, kick), alternation(beats, snare)];
  return a * b < 0 ? Math.min(Math.abs(a), Math.abs(b)) : 0;
}

/** Mean of a curve on even beats less that on odd ones, halved. */
function alternation(beats: readonly number[], curve: Float32Array): number {
  return beats.reduce((sum, t, i) => sum + (i % 2 === 0 ? 1 : -1) * strongest(curve, t, 3), 0) / beats.length;
}

/** Two tempos that are not levels of each other, each over a good part of the song. */
function isChanging(beats: readonly number[]): boolean {
  const middle = bpmOf(beats);
  const strays = beats.slice(1).map((t, i) => Math.abs(Math.log2((60 * HOP_RATE) / (t - beats[i]!) / middle)));
  const odd = strays.filter((octaves) => octaves > 0.1 && Math.abs(octaves - 1) > 0.1);
  return odd.length / beats.length > 0.12;
}

/** Beats on the exact line of a sequencer, if one keeps the tempo of these beats. */
function steadyLine(choice: Candidate, beat: Float32Array): readonly number[] | undefined {
  if (beat.length < STEADY_HOPS) return undefined;
  // The half beat is tried as well: off-beat passages are in phase with it.
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

/** Largest value of a curve within ±reach hops. */
export function strongest(curve: Float32Array, at: number, reach: number): number {
  const t = Math.round(at);
  let most = 0;
  for (let d = -reach; d <= reach; d++) most = Math.max(most, curve[t + d] ?? 0);
  return most;
}
