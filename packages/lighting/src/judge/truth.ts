import type { Curve, SectionLabel, SongAnalysis } from "@followspot/contract";
import { curveMean, soundOf } from "../curves.ts";
import { clamp } from "../maths.ts";
import { quantile } from "./statistics.ts";

/** A section of a song, with its loudness. */
export interface TrueSection {
  readonly label: SectionLabel;
  /** Start and end, seconds. */
  readonly start: number;
  readonly end: number;
  /** Mean of the energy curve, 0..1. */
  readonly loudness: number;
  /** 0 quietest .. 4 loudest within the song; the label shifts it by at most one. */
  readonly rank: number;
}

/** Reference that a show is judged against: known by construction, or from an analysis. */
export interface SongTruth {
  readonly id: string;
  /** "" if unknown. */
  readonly genre: string;
  /** Seconds, including silence at both ends. */
  readonly duration: number;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly beatsPerBar: number;
  readonly bpm: number;
  /** Whether beats are certain enough to expect light on them. */
  readonly hasBeat: boolean;
  readonly sections: readonly TrueSection[];
  /** Times of drops, seconds. */
  readonly drops: readonly number[];
  /** Time ranges with vocals, [from, to] in seconds. */
  readonly sung: readonly (readonly [number, number])[];
  /** Loudness within the song, 0..1. */
  readonly energy: Curve;
  /** Bass within the song, 0..1. */
  readonly bass: Curve;
  readonly soundStart: number;
  readonly soundEnd: number;
  /** Whether sections differ too little in loudness for one of them to be a peak. */
  readonly isFlat: boolean;
}

/** Facts known by construction of a composed song. Times in seconds. */
export interface KnownSong {
  readonly id: string;
  readonly genre: string;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly beatsPerBar: number;
  readonly tempo: number;
  readonly sections: readonly { readonly start: number; readonly end: number; readonly label: string }[];
  readonly drops: readonly number[];
  readonly vocals: readonly (readonly [number, number])[];
}

/** Range of section loudness below which a song has no peak (about 3 dB). */
const FLAT_RANGE = 0.15;
/** Adjacent sections of one label whose loudness differs by less are merged, because the edge is inaudible. */
const SAME_LOUDNESS = 0.05;
/** Confidence from which beats and drops of an analysis are taken as true. */
const SURE_BEAT = 0.4;
const SURE_DROP = 0.6;
const SUNG = 0.5;

/** Returns the truth of a song known by construction, with the loudness of its analysis. */
export function truthOfKnown(song: KnownSong, heard: SongAnalysis): SongTruth {
  return complete(heard, {
    ...song,
    bpm: song.tempo,
    hasBeat: song.beats.length >= 8,
    sections: song.sections.map((section) => ({ ...section, label: labelOf(section.label) })),
    sung: song.vocals,
  });
}

/** Returns the best estimate of a song's truth from its analysis alone. */
export function truthOfAnalysis(analysis: SongAnalysis): SongTruth {
  const { sections } = analysis.structure;
  const whole = { start: 0, end: analysis.duration, label: "verse" as const };
  return complete(analysis, {
    id: analysis.song_id,
    genre: analysis.insights.genre_analysis.primary_genre,
    beats: analysis.beats,
    downbeats: analysis.downbeats,
    beatsPerBar: Math.max(1, analysis.grid.beats_per_bar),
    bpm: analysis.tempo > 0 ? analysis.tempo : 120,
    hasBeat: analysis.beats.length >= 8 && analysis.grid.confidence >= SURE_BEAT,
    sections: sections.length > 0 ? sections : [whole],
    drops: analysis.drop_predictions.filter((drop) => drop.confidence >= SURE_DROP).map((drop) => drop.time),
    sung: sungSpans(analysis.vocals.presence),
  });
}

interface Known extends Omit<
  SongTruth,
  "duration" | "sections" | "energy" | "bass" | "soundStart" | "soundEnd" | "isFlat"
> {
  readonly sections: readonly { readonly start: number; readonly end: number; readonly label: SectionLabel }[];
}

function complete(heard: SongAnalysis, known: Known): SongTruth {
  const { energy_curve, frequency_bands } = heard.dynamics;
  const { start, end } = soundOf(heard);
  const cut = known.sections
    .map((section, i) => ({
      ...section,
      start: i === 0 ? Math.max(start, section.start) : section.start,
      end: i === known.sections.length - 1 ? Math.min(end, Math.max(section.end, section.start)) : section.end,
    }))
    .filter((section) => section.end - section.start > 0.5)
    .map((section) => ({ ...section, loudness: curveMean(energy_curve, section.start, section.end) }));
  const sections = mergeSame(cut);
  const loudnesses = sections.map((section) => section.loudness);
  const low = Math.min(...loudnesses);
  const range = Math.max(...loudnesses) - low;
  const isFlat = sections.length < 2 || range < FLAT_RANGE;
  const ranked = sections.map((section): TrueSection => {
    const share = range > 0 ? (section.loudness - low) / range : 0.5;
    const rank = isFlat ? 2 + NUDGE[section.label] : Math.round(clamp(share * 4 + 0.75 * NUDGE[section.label], 0, 4));
    const { label, loudness } = section;
    return { label, start: section.start, end: section.end, loudness, rank };
  });
  return {
    id: known.id,
    genre: known.genre,
    duration: heard.duration,
    beats: known.beats,
    downbeats: known.downbeats,
    beatsPerBar: known.beatsPerBar,
    bpm: known.bpm,
    hasBeat: known.hasBeat,
    sections: ranked,
    drops: known.drops.filter((t) => t > start + 1 && t < end - 1),
    sung: known.sung,
    energy: energy_curve,
    bass: frequency_bands.bass,
    soundStart: start,
    soundEnd: end,
    isFlat,
  };
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

interface Stretch {
  readonly label: SectionLabel;
  readonly start: number;
  readonly end: number;
  readonly loudness: number;
}

function mergeSame(sections: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const section of sections) {
    const last = merged.at(-1);
    if (last?.label === section.label && Math.abs(last.loudness - section.loudness) < SAME_LOUDNESS) {
      merged[merged.length - 1] = { ...last, end: section.end };
    } else merged.push(section);
  }
  return merged;
}

function labelOf(label: string): SectionLabel {
  return label in NUDGE ? (label as SectionLabel) : label === "solo" ? "bridge" : "verse";
}

function sungSpans({ hop_seconds, values }: Curve): [number, number][] {
  const spans: [number, number][] = [];
  values.forEach((v, i) => {
    if (v < SUNG) return;
    const last = spans.at(-1);
    if (last && i * hop_seconds <= last[1] + 1e-6) last[1] = (i + 1) * hop_seconds;
    else spans.push([i * hop_seconds, (i + 1) * hop_seconds]);
  });
  return spans;
}

/** Returns the length of a usual bar: the median of the true ones, seconds. */
export function barSeconds(truth: SongTruth): number {
  const bars = truth.downbeats.slice(1).map((t, i) => t - truth.downbeats[i]!);
  return bars.length > 0 ? quantile(bars, 0.5) : (truth.beatsPerBar * 60) / truth.bpm;
}

/**
 * Returns the starts of bars during the sound, seconds; every two seconds if no downbeats are known. The last one ends
 * the last bar.
 */
export function barLines(truth: SongTruth): number[] {
  const bar = truth.downbeats.length > 1 ? barSeconds(truth) : 2;
  const known = truth.downbeats.filter((t) => t >= truth.soundStart - bar / 2 && t < truth.soundEnd - bar / 4);
  if (truth.downbeats.length > 1 && known.length > 1) return [...known, known.at(-1)! + bar];
  const count = Math.max(1, Math.floor((truth.soundEnd - truth.soundStart) / bar));
  return Array.from({ length: count + 1 }, (_, i) => truth.soundStart + i * bar);
}

/** Returns the times of the edges between sections, seconds. */
export function trueEdges(truth: SongTruth): number[] {
  return truth.sections.slice(1).map((section) => section.start);
}
