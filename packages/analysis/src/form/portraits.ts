import { clamp, deviation, mean } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";
import { dropEvidence, dropLikelihood, synthShare } from "./drops.ts";
import { likeness, type Likeness } from "./likeness.ts";
import type { BarRange } from "./structure.ts";

/** Features of a section as input of the labeling; the values are in the order of FEATURES. */
export type Portrait = Readonly<Record<Feature, number>>;

/** Levels of a bar that a section is measured by. */
const LEVELS = {
  energy: (b: Bar) => b.energy,
  bass: (b: Bar) => b.bass,
  treble: (b: Bar) => b.treble,
  density: (b: Bar) => b.density,
  kick: (b: Bar) => b.players.kick,
  snare: (b: Bar) => b.players.snare,
  hat: (b: Bar) => b.players.hat,
  drums: (b: Bar) => b.players.drums,
  voice: (b: Bar) => b.players.vocal,
  pad: (b: Bar) => b.players.pad + b.players.strings,
  lead: (b: Bar) => b.players.lead + b.players.reed + b.players.brass,
} as const satisfies Readonly<Record<string, (bar: Bar) => number>>;
type Level = keyof typeof LEVELS;
const LEVEL_NAMES = Object.keys(LEVELS) as Level[];
/** Levels whose change from the previous section and to the next one is a feature. */
const STEPS = ["energy", "bass", "density", "kick", "voice", "treble"] as const satisfies readonly Level[];
/** Smallest deviation of a level, so that one that hardly changes is not amplified. */
const LEAST_SPREAD = 0.08;

const PLACE = ["first", "last", "second", "lastButOne", "middle", "middleSquared", "logBars", "lengthShare"] as const;
const SHAPE = ["rise", "trebleRise", "rollRise", "lastDip", "slowStart", "nextLouder", "gapBefore"] as const;
const EVIDENCE = ["drop", "dropNext", "edge", "edgeNext"] as const;
const REPEATS = [
  "heardBefore",
  "heardAgain",
  "chordsBefore",
  "chordsAgain",
  "kinds",
  "kindEnergy",
  "kindShare",
  "kindFirst",
  "kindLast",
  "kindOpens",
  "kindCloses",
  "likePrevious",
  "likeNext",
] as const;
const SONG = ["dance", "songKick", "songDrop", "songVoice", "songRange", "parts"] as const;

type Of<T extends string, S extends string> = `${T}${S}`;
export type Feature =
  | Of<Level, "Relative">
  | Of<(typeof STEPS)[number], "FromBefore" | "ToNext">
  | Of<"energy" | "bass" | "density" | "voice", "BelowTop">
  | "energyLevel"
  | "bassLevel"
  | "kickLevel"
  | "voiceLevel"
  | (typeof PLACE)[number]
  | (typeof SHAPE)[number]
  | (typeof EVIDENCE)[number]
  | (typeof REPEATS)[number]
  | (typeof SONG)[number];

interface Segment {
  readonly bars: readonly Bar[];
  readonly level: Readonly<Record<Level, number>>;
}

/** Similarity from which two sections are of one kind, 0..1. */
const ONE_KIND = 0.5;

/** Measures each section relative to its song and its neighbors. */
export function portray(bars: readonly Bar[], ranges: readonly BarRange[]): Portrait[] {
  const segments = ranges.map(({ from, to }) => segmentOf(bars.slice(from, to)));
  const alike = likeness(bars, ranges);
  const synths = synthShare(bars);
  const dropAt = ranges.map(({ from }) => dropLikelihood(dropEvidence(bars, from, synths)));
  const top = (level: Level) => Math.max(...segments.map((s) => s.level[level]));
  const spread = perLevel((level) => Math.max(LEAST_SPREAD, deviation(bars.map(LEVELS[level]))));
  const middle = perLevel((level) => mean(bars.map(LEVELS[level])));
  const song: Record<(typeof SONG)[number], number> = {
    dance: synths,
    songKick: middle.kick,
    songDrop: Math.max(...dropAt),
    songVoice: middle.voice,
    songRange: deviation(bars.map(LEVELS.energy)),
    parts: ranges.length / 10,
  };
  return segments.map((segment, i) => {
    const before = segments[i - 1];
    const next = segments[i + 1];
    const step = (level: Level, other: Segment | undefined) =>
      other ? (segment.level[level] - other.level[level]) / Math.max(2 * LEAST_SPREAD, spread[level]) : 0;
    return {
      ...named(LEVEL_NAMES, "Relative", (l) => (segment.level[l] - middle[l]) / spread[l]),
      ...named(STEPS, "FromBefore", (l) => step(l, before)),
      ...named(STEPS, "ToNext", (l) => step(l, next)),
      ...named(["energy", "bass", "density", "voice"] as const, "BelowTop", (l) => top(l) - segment.level[l]),
      energyLevel: segment.level.energy,
      bassLevel: segment.level.bass,
      kickLevel: segment.level.kick,
      voiceLevel: segment.level.voice,
      ...place(ranges, i),
      ...shape(bars, ranges[i]!),
      drop: dropAt[i]!,
      dropNext: dropAt[i + 1] ?? 0,
      edge: i === 0 ? 0 : ranges[i]!.confidence,
      edgeNext: ranges[i + 1]?.confidence ?? 0,
      ...repeats(ranges, segments, alike, i),
      ...song,
    };
  });
}

function segmentOf(bars: readonly Bar[]): Segment {
  return { bars, level: perLevel((level) => mean(bars.map(LEVELS[level]))) };
}

function perLevel(measure: (level: Level) => number): Record<Level, number> {
  return Object.fromEntries(LEVEL_NAMES.map((level) => [level, measure(level)])) as Record<Level, number>;
}

function named<T extends string, S extends string>(
  names: readonly T[],
  suffix: S,
  measure: (name: T) => number,
): Record<Of<T, S>, number> {
  return Object.fromEntries(names.map((name) => [name + suffix, measure(name)])) as Record<Of<T, S>, number>;
}

function place(ranges: readonly BarRange[], i: number): Record<(typeof PLACE)[number], number> {
  const total = ranges.at(-1)!.to;
  const { from, to } = ranges[i]!;
  const middle = (from + to) / 2 / total;
  return {
    first: Number(i === 0),
    last: Number(i === ranges.length - 1),
    second: Number(i === 1),
    lastButOne: Number(i === ranges.length - 2),
    middle,
    middleSquared: middle * middle,
    logBars: Math.log2((to - from) / 8),
    lengthShare: (to - from) / total,
  };
}

/** Bars that determine where a change leads. */
const PHRASE = 8;

function shape(bars: readonly Bar[], { from, to }: BarRange): Record<(typeof SHAPE)[number], number> {
  const own = bars.slice(from, to);
  const quarter = Math.max(1, Math.floor(own.length / 4));
  const tail = own.slice(-quarter);
  const head = own.slice(0, quarter);
  const between = (measure: (bar: Bar) => number) => mean(tail.map(measure)) - mean(head.map(measure));
  const energy = mean(own.map(LEVELS.energy));
  const following = bars.slice(from + PHRASE, from + 2 * PHRASE).map(LEVELS.energy);
  const now = mean(bars.slice(from, from + PHRASE).map(LEVELS.energy));
  return {
    rise: between(LEVELS.energy),
    trebleRise: between(LEVELS.treble),
    rollRise: own.at(-1)!.players.snare - mean(head.map(LEVELS.snare)),
    lastDip: own.length > 1 ? own.at(-1)!.energy - energy : 0,
    slowStart: own[0]!.energy - energy,
    nextLouder: following.length > 0 ? mean(following) - now : 0,
    gapBefore: from > 0 ? now - Math.min(...bars.slice(Math.max(0, from - 2), from).map(LEVELS.energy)) : 0,
  };
}

function repeats(
  ranges: readonly BarRange[],
  segments: readonly Segment[],
  { sound, chords }: Likeness,
  i: number,
): Record<(typeof REPEATS)[number], number> {
  const all = ranges.map((_, j) => j);
  const total = ranges.at(-1)!.to;
  const kind = all.filter((j) => j === i || sound[i]![j]! > ONE_KIND);
  const most = (row: readonly number[], among: readonly number[]) => Math.max(0, ...among.map((j) => row[j]!));
  const earlier = all.slice(0, i);
  const later = all.slice(i + 1);
  const bars = (j: number) => ranges[j]!.to - ranges[j]!.from;
  const weight = kind.reduce((sum, j) => sum + bars(j), 0);
  const inner = all.slice(1, -1);
  const songEnergy = mean(segments.map((s) => s.level.energy));
  return {
    heardBefore: most(sound[i]!, earlier),
    heardAgain: most(sound[i]!, later),
    chordsBefore: most(chords[i]!, earlier),
    chordsAgain: most(chords[i]!, later),
    kinds: kind.length / 4,
    kindEnergy: kind.reduce((sum, j) => sum + bars(j) * segments[j]!.level.energy, 0) / weight - songEnergy,
    kindShare: weight / total,
    kindFirst: ranges[kind[0]!]!.from / total,
    kindLast: ranges[kind.at(-1)!]!.to / total,
    kindOpens: inner.length > 0 ? clamp(i === inner[0] ? 1 : sound[i]![inner[0]!]!) : 0,
    kindCloses: inner.length > 0 ? clamp(i === inner.at(-1) ? 1 : sound[i]![inner.at(-1)!]!) : 0,
    likePrevious: i > 0 ? sound[i]![i - 1]! : 0,
    likeNext: i + 1 < ranges.length ? sound[i]![i + 1]! : 0,
  };
}
