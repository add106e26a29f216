import { intentFamily, type Cue, type IntentFamily } from "@followspot/contract";
import { cueWordsStrings as text } from "./cue-words.strings.ts";

type Params = Cue["params"];

/** Intent families whose light comes in pulses. */
const HITTING: readonly (IntentFamily | undefined)[] = ["pulse", "chase"];
const BREATHING: readonly (IntentFamily | undefined)[] = ["wave", "breathing"];
/** Level below which fixtures count as dark between pulses, 0..1. */
const DARK = 0.1;
/** White level up to which white is not mentioned, 0..1. */
const WHITE = 0.3;

/**
 * Describes a cue in words as it looks on stage. Includes only parameters that the cue's intent uses; the exact values
 * are shown separately.
 */
export function cueWords({ intent, params }: Pick<Cue, "intent" | "params">, beatsPerBar = 4): readonly string[] {
  const family = intentFamily(intent);
  return [
    ...levelWords(params),
    ...(HITTING.includes(family) ? hitWords(family, params, beatsPerBar) : []),
    ...(BREATHING.includes(family) ? waveWords(family, params, beatsPerBar) : []),
    ...(family === "reactive" ? [oneOf(text.follows, params["band"] ?? "energy")] : []),
    ...(family === "strobe" ? [text.flashes(numberOf(params, "rate_hz", 2.75))] : []),
    ...turnWords(params, beatsPerBar),
    ...colorWords(params),
    ...beamWords(params, beatsPerBar),
  ].filter((words) => words !== undefined);
}

function levelWords(params: Params): readonly string[] {
  const level = params["level"];
  if (typeof level !== "number") return [];
  const [from, to] = [word(text.levels, level), word(text.levels, numberOf(params, "to_level", level))];
  return [from === to ? text.steady(from) : text.changing(from, to)];
}

function hitWords(
  family: IntentFamily | undefined,
  params: Params,
  beatsPerBar: number,
): readonly (string | undefined)[] {
  const step = numberOf(params, "step_beats", 1);
  const isBackbeat = step === 2 && numberOf(params, "offset_beats", 0) === 1;
  const shape = family === "chase" ? (params["shape"] ?? "run") : undefined;
  return [
    shape === "run" ? `${text.shapes.run}, ${sideOf(params)}` : oneOf(text.shapes, shape),
    oneOf(text.drums, params["drum"]) ?? (isBackbeat ? text.backbeat : everyBeats(step, beatsPerBar)),
    numberOf(params, "floor", 0) < DARK ? text.dark : text.lit,
  ];
}

function waveWords(family: IntentFamily | undefined, params: Params, beatsPerBar: number): readonly string[] {
  const seconds = numberOf(params, "period_seconds", 0);
  const long = seconds > 0 ? text.seconds(short(seconds)) : lasting(numberOf(params, "period_beats", 16), beatsPerBar);
  return family === "wave" ? [`${sideOf(params)}, ${long}`] : [text.breath(long)];
}

function turnWords(params: Params, beatsPerBar: number): readonly string[] {
  const turn = numberOf(params, "turn_beats", 0);
  const fade = numberOf(params, "fade_seconds", 0);
  return [
    ...(turn > 0 ? [text.turns(lasting(turn, beatsPerBar))] : []),
    ...(fade > 0 ? [text.softly(short(fade))] : []),
  ];
}

function colorWords(params: Params): readonly string[] {
  return [
    ...(params["spread"] === "alternate" ? [text.alternating] : []),
    ...(Math.max(numberOf(params, "white", 0), numberOf(params, "to_white", 0)) > WHITE ? [text.white] : []),
    ...(params["for"] === "singer" || "singer" in params ? [text.singer] : []),
  ];
}

function beamWords(params: Params, beatsPerBar: number): readonly (string | undefined)[] {
  const zoom = params["zoom"];
  const isMoving = numberOf(params, "move_beats", 0) > 0 && numberOf(params, "move_range", 0) > 0;
  return [
    ...(typeof zoom === "number" ? [zoomWords(zoom, numberOf(params, "to_zoom", zoom))] : []),
    oneOf(text.beams, params["beam"]),
    oneOf(text.aims, params["aim"]),
    ...(isMoving
      ? [text.draws(String(params["figure"] ?? "sway"), lasting(numberOf(params, "move_beats", 0), beatsPerBar))]
      : []),
    oneOf(text.pixels, params["pixels"]),
  ];
}

function zoomWords(from: number, to: number): string {
  const [before, after] = [word(text.widths, from), word(text.widths, to)];
  return before === after ? text.zoom(before) : text.zooming(before, after);
}

const sideOf = (params: Params): string => (numberOf(params, "direction", 1) < 0 ? text.waves.right : text.waves.left);

function everyBeats(beats: number, beatsPerBar: number): string {
  if (beats % beatsPerBar === 0) return text.everyBars(beats / beatsPerBar);
  return oneOf(text.often, String(beats)) ?? text.everyBeats(short(beats));
}

const lasting = (beats: number, beatsPerBar: number): string =>
  beats % beatsPerBar === 0 ? text.bars(beats / beatsPerBar) : text.beats(short(beats));

/** Returns the word for a level 0..1 on a scale of equal steps. */
function word(words: readonly string[], part: number): string {
  // The index is clamped to the list.
  return words[Math.min(words.length - 1, Math.max(0, Math.round(part * (words.length - 1))))]!;
}

/** Returns the text of a key; undefined for a key without a text. */
function oneOf(words: Readonly<Record<string, string>>, key: unknown): string | undefined {
  return typeof key === "string" && Object.hasOwn(words, key) ? words[key] : undefined;
}

function numberOf(params: Params, name: string, otherwise: number): number {
  const value = params[name];
  return typeof value === "number" ? value : otherwise;
}

const short = (value: number): number => Math.round(value * 100) / 100;
