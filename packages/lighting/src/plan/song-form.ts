import { nearestIndex, type Section, type SectionLabel, type SongAnalysis } from "@followspot/contract";
import { BeatClock } from "../beat-clock.ts";
import { curveMean, soundOf } from "../curves.ts";

/**
 * Beat confidence below which nothing is planned on beats, and from which everything is. In between only bars are used.
 */
export const BEAT_TRUST = { none: 0.2, full: 0.4 };
/** Drop confidence from which a drop gets black before it and strobe on it. */
export const RELIABLE_DROP = 0.6;
/**
 * The same confidence for a drop out of near silence, and the rise in energy that defines one. Such a drop is obvious
 * to the audience.
 */
const RELIABLE_OUT_OF_SILENCE = 0.45;
const OUT_OF_SILENCE = 0.6;

export type Rank = 0 | 1 | 2 | 3 | 4;

/** A section as the planner uses it: on the grid, ranked within the song. */
export interface PlannedSection {
  readonly index: number;
  /** Detected label, corrected if its loudness contradicts it. */
  readonly label: SectionLabel;
  readonly rank: Rank;
  /** Loudness within the song, 0..1. */
  readonly energy: number;
  /** Change in energy from the previous section, -1..1; 0 for the first. */
  readonly step: number;
  readonly start: number;
  readonly end: number;
  /** Beat index of the start and of the end. */
  readonly startBeat: number;
  readonly endBeat: number;
  /** Beat indexes at which detected sections were joined into this one. Looks change there as at a phrase. */
  readonly joints: readonly number[];
  /** 1 for the first section of its label. */
  readonly occurrence: number;
  /** Whether this is the chorus or drop that the show leads to. */
  readonly isLastPeak: boolean;
  /** Whether the music is nearly as loud as at its loudest, whatever the label. Light must not stand still here. */
  readonly isLoud: boolean;
  readonly hasVocals: boolean;
  /** Whether a confident drop lands on the start. */
  readonly dropsIn: boolean;
  readonly dropConfidence: number;
}

/** The song as bars, phrases and ranked sections. */
export interface SongForm {
  readonly clock: BeatClock;
  readonly hasBeat: boolean;
  /** Whether the beat is detected with low confidence. Looks then change on bars, and nothing hits. */
  readonly isLoose: boolean;
  readonly beatsPerBar: number;
  readonly bpm: number;
  readonly sections: readonly PlannedSection[];
  /** Beat indexes of the downbeats with the strongest accents, twice as many as sections. */
  readonly accents: readonly number[];
  /** Start and end of sound, seconds. */
  readonly soundStart: number;
  readonly soundEnd: number;
  /** Whether sections differ too little in energy for one of them to be a peak. */
  readonly isFlat: boolean;
}

/** Range of section energies below which a song has no peak (about 3 dB). */
const FLAT_RANGE = 0.15;
/** Largest share of the song at the top rank. */
const TOP_SHARE = 0.25;

type Span = Pick<Section, "start" | "end" | "label" | "energy" | "confidence">;

/**
 * Adjacent sections with the same label are joined if their energy differs by less than ALIKE or the boundary is weaker
 * than WEAK_EDGE.
 */
const ALIKE = 0.15;
const WEAK_EDGE = 0.3;
/** Share of the loudest section's energy from which a section is loud. */
const AS_LOUD = 0.55;
const PEAKS: ReadonlySet<SectionLabel> = new Set(["chorus", "drop"]);

export function readForm(analysis: SongAnalysis): SongForm {
  const clock = new BeatClock(analysis.beats);
  const trust = analysis.beats.length >= 8 ? analysis.grid.confidence : 0;
  const hasBeat = trust >= BEAT_TRUST.none;
  const { start: soundStart, end: soundEnd } = soundOf(analysis);
  const raw = sectionsOf(analysis);
  const cuts = raw.map((section) => snap(section.start, analysis, hasBeat));
  const heard = raw
    .map((section, i) => ({
      ...section,
      label: plausibleLabel(section),
      start: i === 0 ? firstCue(soundStart, analysis, hasBeat) : cuts[i]!,
      end: i + 1 < raw.length ? cuts[i + 1]! : Math.max(soundEnd, cuts[i]!),
    }))
    .filter((section) => section.end - section.start > 0.5);
  const drafts = joinAlike(heard);
  const { ranks, isFlat } = rankSections(drafts);
  const beatsPerBar = Math.max(1, analysis.grid.beats_per_bar);
  const lastPeak = lastPeakOf(drafts);
  const loudest = Math.max(...drafts.map(({ energy }) => energy));
  const sections = drafts.map((section, i): PlannedSection => {
    const dropConfidence = dropAt(analysis, section.start, clock);
    const step = i > 0 ? section.energy - drafts[i - 1]!.energy : 0;
    const isReliable = dropConfidence >= (step >= OUT_OF_SILENCE ? RELIABLE_OUT_OF_SILENCE : RELIABLE_DROP);
    return {
      index: i,
      label: section.label,
      rank: i === lastPeak && !isFlat ? 4 : ranks[i]!,
      energy: section.energy,
      step,
      start: section.start,
      end: section.end,
      startBeat: Math.round(clock.beatAt(section.start)),
      endBeat: Math.round(clock.beatAt(section.end)),
      joints: section.joints.map((t) => Math.round(clock.beatAt(t))),
      occurrence: drafts.slice(0, i + 1).filter((other) => other.label === section.label).length,
      isLastPeak: i === lastPeak,
      isLoud: PEAKS.has(section.label) || section.energy >= AS_LOUD * loudest,
      hasVocals: presence(analysis, section.start, section.end) >= 0.4,
      dropConfidence,
      dropsIn: hasBeat && isReliable && i > 0 && (ranks[i]! >= 3 || i === lastPeak),
    };
  });
  return {
    clock,
    hasBeat,
    isLoose: trust < BEAT_TRUST.full,
    beatsPerBar,
    bpm: analysis.tempo > 0 ? analysis.tempo : 120,
    sections,
    accents: hasBeat ? accentsOf(analysis, clock, 2 * sections.length) : [],
    soundStart,
    soundEnd,
    isFlat,
  };
}

/** Window before and after a downbeat that is compared, seconds. */
const ACCENT_SECONDS = 0.3;

/** Returns the downbeats at which bass and loudness rise most. */
function accentsOf(analysis: SongAnalysis, clock: BeatClock, count: number): number[] {
  const { energy_curve, frequency_bands } = analysis.dynamics;
  const rise = (t: number) =>
    [energy_curve, frequency_bands.bass].reduce(
      (sum, curve) => sum + curveMean(curve, t, t + ACCENT_SECONDS) - curveMean(curve, t - ACCENT_SECONDS, t),
      0,
    );
  return analysis.downbeats
    .map((t) => ({ beat: Math.round(clock.beatAt(t)), size: rise(t) }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, count)
    .map(({ beat }) => beat);
}

interface Draft extends Section {
  readonly joints: readonly number[];
}

/** Corrects labels of low confidence: a loud verse becomes a chorus, a quiet drop a verse. */
function plausibleLabel({ label, energy, confidence }: Section): SectionLabel {
  if (confidence >= 0.5) return label;
  if (PEAKS.has(label) && energy < 0.4) return "verse";
  if (label === "break" && energy > 0.65) return "verse";
  if ((label === "verse" || label === "bridge") && energy >= 0.92) return "chorus";
  return label;
}

function joinAlike(sections: readonly Section[]): Draft[] {
  const joined: Draft[] = [];
  for (const section of sections) {
    const before = joined.at(-1);
    const isAlike =
      before?.label === section.label &&
      (Math.abs(section.energy - before.energy) < ALIKE || strengthOf(section) < WEAK_EDGE) &&
      Math.abs(section.energy - before.energy) < 2 * ALIKE;
    if (!before || !isAlike) joined.push({ ...section, joints: [] });
    else joined.splice(-1, 1, join(before, section));
  }
  return joined;
}

function join(before: Draft, after: Section): Draft {
  const share = (after.end - after.start) / Math.max(1e-9, after.end - before.start);
  return {
    ...before,
    end: after.end,
    energy: before.energy * (1 - share) + after.energy * share,
    joints: [...before.joints, after.start],
  };
}

/** Returns the strength of the boundary before a section, 0..1. */
function strengthOf(section: Section): number {
  return section.boundary_strength ?? section.confidence;
}

/**
 * Returns the index of the last peak: the last chorus or drop that is loud enough. Without one, the loudest section of
 * the second half; -1 if there is none.
 */
function lastPeakOf(sections: readonly Section[]): number {
  const last = sections.findLastIndex((section) => PEAKS.has(section.label) && section.energy >= 0.5);
  if (last >= 0) return last;
  const half = Math.floor(sections.length / 2);
  return sections.reduce((best, { energy, label }, i) => {
    if (i < half || label === "outro" || label === "intro") return best;
    return best < 0 || energy >= sections[best]!.energy ? i : best;
  }, -1);
}

function sectionsOf(analysis: SongAnalysis): readonly Section[] {
  if (analysis.structure.sections.length > 0) return analysis.structure.sections;
  return [{ start: 0, end: analysis.duration, label: "verse" as const, energy: 0.5, intensity: 0.5, confidence: 0 }];
}

/** Snaps a time to the nearest downbeat, or to the nearest beat if downbeats are uncertain. */
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

/** Ranks sections 0..4 by energy within the song. The label moves a section by at most one. */
function rankSections(sections: readonly Span[]): {
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
  return { ranks: keepPeakRare(ranks, sections), isFlat };
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

/** Highest rank per label, however loud the section is. A build or a verse leaves the top to what follows it. */
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

/** Keeps the top rank for the loudest few sections of the song: at most a quarter of it beside the loudest. */
function keepPeakRare(ranks: readonly Rank[], sections: readonly Span[]): Rank[] {
  const lengthOf = (i: number) => sections[i]!.end - sections[i]!.start;
  let left = TOP_SHARE * sections.reduce((sum, _, i) => sum + lengthOf(i), 0);
  const tops = ranks
    .flatMap((rank, i) => (rank === 4 ? [i] : []))
    .toSorted((a, b) => sections[b]!.energy - sections[a]!.energy || b - a);
  const kept = new Set(tops.filter((i, place) => place === 0 || (left -= lengthOf(i)) >= 0));
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
