import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import type { BeatClock } from "../beat-clock.ts";

type Strokes = NonNullable<LightingPlan["strokes"]>;
export type Drum = keyof Strokes;
const DRUMS = ["kick", "snare"] as const satisfies readonly Drum[];

/**
 * Strokes farther than this from every eighth note are fills and ghost notes, seconds. Lit, they would only look late.
 */
const GRID_SECONDS = 0.06;
/** Shortest interval between strokes of one drum, seconds. Closer strokes would exceed the flash limit. */
const APART_SECONDS = 0.36;
/** Share of beats with a kick from which the kick is simply the beat. */
const SIMPLY_THE_BEAT = 0.8;
/** Share of the bars in which an eighth note must be struck to belong to the rhythm. */
const USUAL = 0.5;
/** Share of bars that must match the rhythm, each except for one stroke, for a drum to lead. */
const ALIKE = 0.7;
/** Shorter sections have no rhythm of their own, bars. */
const LEAST_BARS = 4;

/** Rhythm of the drums in a section. */
export interface Rhythm {
  /** Whether the kick is on every beat, so that the light is, too. */
  readonly isFourOnTheFloor: boolean;
  /** Drums whose bar repeats and differs from the plain beat. */
  readonly leading: readonly Drum[];
}

/** A time range of a song, in seconds and beats. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly startBeat: number;
  readonly endBeat: number;
}

/**
 * Returns the rhythm of each section and the strokes that fixtures hit on. If a drum leads, its repeated bar is filled
 * in throughout the section, because detection misses strokes. Otherwise there are no strokes.
 */
export function rhythmsOf(
  { drums }: SongAnalysis,
  clock: BeatClock,
  sections: readonly Stretch[],
  beatsPerBar: number,
): { readonly rhythms: readonly Rhythm[]; readonly strokes: Strokes } {
  const strokes: Record<Drum, number[]> = { kick: [], snare: [] };
  const rhythms = sections.map((section): Rhythm => {
    const heard = (drum: Drum) => (drums?.[drum] ?? []).filter((t) => t >= section.start && t < section.end);
    const beats = Math.max(1, section.endBeat - section.startBeat);
    const isFourOnTheFloor = onBeats(heard("kick"), clock) / beats >= SIMPLY_THE_BEAT;
    if (isFourOnTheFloor) return { isFourOnTheFloor, leading: [] };
    const leading = DRUMS.filter((drum) => {
      const bar = barOf(heard(drum), clock, section, beatsPerBar);
      if (bar.length === 0) return false;
      strokes[drum].push(...completed(bar, clock, section, beatsPerBar));
      return true;
    });
    return { isFourOnTheFloor, leading };
  });
  return { rhythms, strokes: { kick: apart(strokes.kick), snare: apart(strokes.snare) } };
}

/** Returns the number of beats that are struck. */
function onBeats(times: readonly number[], clock: BeatClock): number {
  const struck = times.map((t) => Math.round(clock.beatAt(t)));
  return new Set(struck.filter((beat, i) => Math.abs(clock.timeAt(beat) - times[i]!) <= GRID_SECONDS)).size;
}

/**
 * Returns the bar that a drum repeats, as indexes of eighth notes; empty if its bars are not alike, or if it strikes
 * too often to be lit.
 */
function barOf(times: readonly number[], clock: BeatClock, section: Stretch, beatsPerBar: number): readonly number[] {
  const bars = Math.floor((section.endBeat - section.startBeat) / beatsPerBar);
  const eighths = 2 * beatsPerBar;
  if (bars < LEAST_BARS) return [];
  const struck = Array.from({ length: bars }, () => new Set<number>());
  for (const t of times) {
    const eighth = Math.round(2 * (clock.beatAt(t) - section.startBeat));
    if (Math.abs(clock.timeAt(section.startBeat + eighth / 2) - t) > GRID_SECONDS) continue;
    struck[Math.floor(eighth / eighths)]?.add(eighth % eighths);
  }
  const places = Array.from({ length: eighths }, (_, place) => place);
  const usual = places.filter((place) => struck.filter((bar) => bar.has(place)).length >= USUAL * bars);
  const alike = struck.filter((bar) => places.filter((place) => bar.has(place) !== usual.includes(place)).length <= 1);
  return alike.length >= ALIKE * bars && usual.length <= beatsPerBar ? usual : [];
}

function completed(bar: readonly number[], clock: BeatClock, section: Stretch, beatsPerBar: number): number[] {
  const times: number[] = [];
  for (let beat = section.startBeat; beat < section.endBeat; beat += beatsPerBar)
    for (const eighth of bar) if (beat + eighth / 2 < section.endBeat) times.push(clock.timeAt(beat + eighth / 2));
  return times;
}

function apart(times: readonly number[]): number[] {
  const kept: number[] = [];
  for (const t of times) {
    if (t - (kept.at(-1) ?? Number.NEGATIVE_INFINITY) < APART_SECONDS) continue;
    kept.push(Math.round(Math.max(0, t) * 10_000) / 10_000);
  }
  return kept;
}
