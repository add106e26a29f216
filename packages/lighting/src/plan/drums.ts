import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import type { BeatClock } from "../beat-clock.ts";

type Strokes = NonNullable<LightingPlan["strokes"]>;
export type Drum = keyof Strokes;
const DRUMS = ["kick", "snare"] as const satisfies readonly Drum[];

/** Strokes farther from every eighth than this are fills and ghost notes: lit, they would only look late. */
const GRID_SECONDS = 0.06;
/** Nearer strokes of one drum would ask for more flashes than are allowed. */
const APART_SECONDS = 0.36;
/** Kicks per beat from which they are simply the beat. */
const SIMPLY_THE_BEAT = 0.8;
/** An eighth of the bar is part of a rhythm when it is struck in at least this share of the bars. */
const USUAL = 0.5;
/** A rhythm leads when so many of its bars are alike, each but for one stroke. */
const ALIKE = 0.7;
/** Shorter sections have no rhythm of their own. */
const LEAST_BARS = 4;

/** What the drums of a section say. */
export interface Rhythm {
  /** The kick is on every beat: light is, too. */
  readonly isFourOnTheFloor: boolean;
  /** Drums whose bar repeats and says more than the beat does. */
  readonly leading: readonly Drum[];
}

/** A stretch of a song, seconds and beats. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly startBeat: number;
  readonly endBeat: number;
}

/**
 * The rhythm of each section, and the strokes lamps hit with: where a drum leads, the bar that it repeats, completed, as
 * what was heard has holes; elsewhere none.
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

/** Beats that are struck, each once. */
function onBeats(times: readonly number[], clock: BeatClock): number {
  const struck = times.map((t) => Math.round(clock.beatAt(t)));
  return new Set(struck.filter((beat, i) => Math.abs(clock.timeAt(beat) - times[i]!) <= GRID_SECONDS)).size;
}

/** The bar a drum repeats, as eighths of it; none where its bars are not alike, or where it strikes too often to be lit. */
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
