import { nearestIndex, type SectionLabel, type SongAnalysis } from "@followspot/contract";
import { BeatClock } from "../beat-clock.ts";

/** Beat confidence below which no pulse, chase or strobe is planned. */
export const RELIABLE_BEAT = 0.4;
/** Drop confidence from which a drop gets black before it and strobe on it. */
export const RELIABLE_DROP = 0.6;

export type Rank = 0 | 1 | 2 | 3 | 4;

/** A section as the planner sees it: on the grid, ranked within the song. */
export interface PlannedSection {
  readonly index: number;
  readonly label: SectionLabel;
  readonly rank: Rank;
  readonly energy: number;
  readonly start: number;
  readonly end: number;
  /** Beat index of the start and the end. */
  readonly startBeat: number;
  readonly endBeat: number;
  /** 1 for the first section of its label. */
  readonly occurrence: number;
  readonly isLastOfLabel: boolean;
  readonly hasVocals: boolean;
  /** A confident drop lands on the start. */
  readonly dropsIn: boolean;
  readonly dropConfidence: number;
}

/** The song as bars, phrases and ranked sections. */
export interface SongForm {
  readonly clock: BeatClock;
  readonly hasBeat: boolean;
  readonly beatsPerBar: number;
  readonly bpm: number;
  readonly sections: readonly PlannedSection[];
  /** When sound starts and ends, seconds. */
  readonly soundStart: number;
  readonly soundEnd: number;
  /** Sections differ too little in energy for one of them to be a peak. */
  readonly isFlat: boolean;
}

/** Spread of section energies below which a song has no peak to show (about 3 dB). */
const FLAT_RANGE = 0.15;
const SOUND_FLOOR = 0.03;

export function readForm(analysis: SongAnalysis): SongForm {
  const clock = new BeatClock(analysis.beats);
  const hasBeat = analysis.beats.length >= 8 && analysis.grid.confidence >= RELIABLE_BEAT;
  const { start: soundStart, end: soundEnd } = soundOf(analysis);
  const raw = sectionsOf(analysis);
  const cuts = raw.map((section) => snap(section.start, analysis, hasBeat));
  const drafts = raw
    .map((section, i) => ({
      ...section,
      start: i === 0 ? firstCue(soundStart, analysis, hasBeat) : cuts[i]!,
      end: i + 1 < raw.length ? cuts[i + 1]! : Math.max(soundEnd, cuts[i]!),
    }))
    .filter((section) => section.end - section.start > 0.5);
  const { ranks, isFlat } = rankSections(drafts);
  const beatsPerBar = Math.max(1, analysis.grid.beats_per_bar);
  const sections = drafts.map((section, i): PlannedSection => {
    const same = drafts.filter((other) => other.label === section.label);
    const dropConfidence = dropAt(analysis, section.start, clock);
    return {
      index: i,
      label: section.label,
      rank: ranks[i]!,
      energy: section.energy,
      start: section.start,
      end: section.end,
      startBeat: Math.round(clock.beatAt(section.start)),
      endBeat: Math.round(clock.beatAt(section.end)),
      occurrence: drafts.slice(0, i + 1).filter((other) => other.label === section.label).length,
      isLastOfLabel: same.at(-1) === section,
      hasVocals: presence(analysis, section.start, section.end) >= 0.4,
      dropConfidence,
      dropsIn: hasBeat && dropConfidence >= RELIABLE_DROP && i > 0 && ranks[i]! >= 3,
    };
  });
  return {
    clock,
    hasBeat,
    beatsPerBar,
    bpm: analysis.tempo > 0 ? analysis.tempo : 120,
    sections,
    soundStart,
    soundEnd,
    isFlat,
  };
}

/** Mean of a curve over a span of seconds. */
export function curveMean(curve: { hop_seconds: number; values: readonly number[] }, from: number, to: number): number {
  const a = Math.max(0, Math.floor(from / curve.hop_seconds));
  const b = Math.min(curve.values.length, Math.max(a + 1, Math.ceil(to / curve.hop_seconds)));
  let sum = 0;
  for (let i = a; i < b; i++) sum += curve.values[i]!;
  return b > a ? sum / (b - a) : 0;
}

function sectionsOf(analysis: SongAnalysis) {
  if (analysis.structure.sections.length > 0) return analysis.structure.sections;
  return [{ start: 0, end: analysis.duration, label: "verse" as const, energy: 0.5, intensity: 0.5, confidence: 0 }];
}

function soundOf(analysis: SongAnalysis): { start: number; end: number } {
  const { hop_seconds, values } = analysis.dynamics.energy_curve;
  const first = values.findIndex((v) => v > SOUND_FLOOR);
  if (first < 0) return { start: 0, end: analysis.duration };
  const last = values.findLastIndex((v) => v > SOUND_FLOOR);
  return { start: first * hop_seconds, end: Math.min(analysis.duration, (last + 1) * hop_seconds) };
}

/** Section cues land on downbeats, or on beats when the bar is doubtful. */
function snap(t: number, analysis: SongAnalysis, hasBeat: boolean): number {
  if (!hasBeat) return t;
  const trusts = analysis.downbeats.length > 1 && analysis.grid.downbeat_confidence >= 0.3;
  const grid = trusts ? analysis.downbeats : analysis.beats;
  return grid[nearestIndex(grid, t)] ?? t;
}

function firstCue(soundStart: number, analysis: SongAnalysis, hasBeat: boolean): number {
  if (!hasBeat) return soundStart;
  return analysis.beats.find((beat) => beat >= soundStart - 0.04) ?? soundStart;
}

/** 0..4 by energy within the song; the label moves a section by at most one. */
function rankSections(sections: readonly { label: SectionLabel; energy: number; confidence: number }[]): {
  ranks: Rank[];
  isFlat: boolean;
} {
  const energies = sections.map((s) => s.energy);
  const low = Math.min(...energies);
  const range = Math.max(...energies) - low;
  const isFlat = sections.length < 2 || range < FLAT_RANGE;
  const ranks = sections.map((section) => {
    const share = range > 0 ? (section.energy - low) / range : 0.5;
    const isTrusted = section.confidence >= 0.5;
    const nudge = isTrusted ? NUDGE[section.label] : 0;
    const rank = isFlat ? 2 + nudge : Math.round(share * 4 + nudge * 0.75);
    const most = Math.min(isFlat ? 3 : 4, MOST_RANK[section.label]);
    return Math.min(most, Math.max(isFlat ? 1 : 0, rank)) as Rank;
  });
  return { ranks: keepPeakRare(ranks, energies), isFlat };
}

const NUDGE: Record<SectionLabel, -1 | 0 | 1> = {
  intro: -1,
  verse: 0,
  chorus: 1,
  build: 0,
  drop: 1,
  break: -1,
  bridge: 0,
  outro: -1,
};

/** However loud it is: a build or a verse leaves the top to what it leads into. */
const MOST_RANK: Record<SectionLabel, Rank> = {
  intro: 2,
  verse: 3,
  chorus: 4,
  build: 3,
  drop: 4,
  break: 2,
  bridge: 3,
  outro: 2,
};

/** The top rank is for the song's loudest one or two sections. */
function keepPeakRare(ranks: readonly Rank[], energies: readonly number[]): Rank[] {
  const tops = ranks
    .flatMap((rank, i) => (rank === 4 ? [i] : []))
    .toSorted((a, b) => energies[b]! - energies[a]! || b - a);
  const kept = new Set(tops.slice(0, 2));
  return ranks.map((rank, i) => (rank === 4 && !kept.has(i) ? 3 : rank));
}

function dropAt(analysis: SongAnalysis, t: number, clock: BeatClock): number {
  const beat = clock.beatAt(t);
  return analysis.drop_predictions
    .filter((drop) => Math.abs(clock.beatAt(drop.time) - beat) <= 2)
    .reduce((best, drop) => Math.max(best, drop.confidence), 0);
}

function presence(analysis: SongAnalysis, from: number, to: number): number {
  return curveMean(analysis.vocals.presence, from, to);
}
