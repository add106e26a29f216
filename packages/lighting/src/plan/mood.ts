import type { ShowMood, SongAnalysis } from "@followspot/contract";
import { clamp, mean } from "../maths.ts";

/** Character of a song, apart from its form. */
export interface Mood {
  /** 0 a lullaby .. 1 hard techno: how fast, dense and loud. */
  readonly drive: number;
  /** -1 dark .. 1 bright: a weak guess from key mode and tempo. */
  readonly valence: number;
}

/** Moods that a user can choose. They do not affect the form of the song. */
const CHOSEN: Record<ShowMood, { readonly drive: (heard: number) => number; readonly valence: number }> = {
  calm: { drive: (heard) => heard * 0.4, valence: 0.1 },
  warm: { drive: (heard) => 0.2 + heard * 0.5, valence: 0.7 },
  bright: { drive: (heard) => 0.35 + heard * 0.55, valence: 1 },
  dark: { drive: (heard) => heard, valence: -1 },
  wild: { drive: (heard) => 0.65 + heard * 0.35, valence: 0 },
};

/**
 * Drive of genres whose shows should have their own look, by what their names contain. Without a match the sound
 * decides.
 */
const GENRE_DRIVE: readonly (readonly [RegExp, number])[] = [
  [/ballad|ambient|classical|orchestra|acoustic|folk|lullaby/, 0.1],
  [/jazz|blues|bossa|soul|reggae|waltz|chill|r&b/, 0.3],
  [/hip.?hop|trap|country|funk|pop|latin|salsa|swing/, 0.5],
  [/rock|disco|indie|dubstep|synth/, 0.65],
  [/house|trance|metal|punk|edm|electro|garage/, 0.85],
  [/techno|drum and bass|dnb|hardcore|hardstyle|jungle/, 1],
];
/** How far a genre detected with full confidence moves the drive. */
const GENRE_WEIGHT = 0.8;
/** Loudness of quiet and of loud masters, LUFS. */
const LOUDNESS = { quiet: -20, loud: -8 };
/** Raw drive of calm and of wild dance songs. The range between them is stretched to the whole range of drive. */
const COMMON = { calm: 0.22, wild: 0.76 };
const PACE = { slow: 65, fast: 165 };

/**
 * Factor on the tempo for meters whose counted beats are faster than the felt ones, by beats per bar: waltzes and 6/8.
 */
const FELT: Readonly<Record<number, number>> = { 3: 0.6, 6: 0.5 };

/** Derives the mood from tempo, density, loudness and genre; `chosen` by a user changes it. */
export function moodOf(analysis: SongAnalysis, chosen?: ShowMood): Mood {
  const { genre_analysis, key_info } = analysis.insights;
  const felt = analysis.tempo * (FELT[analysis.grid.beats_per_bar] ?? 1);
  const pace = clamp((felt - PACE.slow) / (PACE.fast - PACE.slow));
  const loud = clamp((analysis.dynamics.loudness - LOUDNESS.quiet) / (LOUDNESS.loud - LOUDNESS.quiet));
  const dense = densityOf(analysis);
  const heard = (0.45 * pace + 0.25 * loud + 0.3 * dense) * drummed(analysis);
  const genre = GENRE_DRIVE.find(([name]) => name.test(genre_analysis.primary_genre.toLowerCase()))?.[1] ?? heard;
  const trust = GENRE_WEIGHT * clamp(genre_analysis.confidence);
  const drive = clamp((heard + (genre - heard) * trust - COMMON.calm) / (COMMON.wild - COMMON.calm));
  const modeSign = key_info.mode === "major" ? 1 : key_info.mode === "minor" ? -1 : 0;
  const valence = clamp(0.6 * modeSign * key_info.confidence + 0.5 * (pace - 0.4), -1, 1);
  if (!chosen) return { drive, valence };
  return { drive: clamp(CHOSEN[chosen].drive(drive)), valence: CHOSEN[chosen].valence };
}

/** Factor on the drive without drums, and kick and snare strokes per second from which the drive is full. */
const DRUMLESS = 0.6;
const DRUMMED = 1.5;

/** Reduces the drive of songs without drums, which are calm at any tempo. */
function drummed({ drums, duration }: SongAnalysis): number {
  if (!drums) return 1;
  const perSecond = (drums.kick.length + drums.snare.length) / Math.max(1, duration);
  return DRUMLESS + (1 - DRUMLESS) * clamp(perSecond / DRUMMED);
}

/** Returns how intense the sections are and how clear their beat is, 0..1. */
function densityOf(analysis: SongAnalysis): number {
  const { sections } = analysis.structure;
  const intensity = sections.length > 0 ? mean(sections.map((section) => section.intensity)) : 0.5;
  const beat = analysis.grid.confidence;
  return clamp(0.5 * intensity + 0.5 * beat * intensity);
}
