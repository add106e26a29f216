import type { CompiledShow, HeadPaths, Lane } from "../compiled-show.ts";
import type { CompiledCue } from "../intents.ts";
import { FIGURES } from "./figures.ts";
import { travelled } from "./travel.ts";

/** Fade-out of a head before a dark move, and fade-in after one that ends late, seconds. */
const FADE_SECONDS = 0.15;

/** Offsets in a row: position and extent of the movement in a cue, and the move that leads there. */
export const AT = { pan: 0, tilt: 1, panReach: 2, tiltReach: 3, late: 4, fromPan: 5, fromTilt: 6, toPan: 7, toTilt: 8, ramp: 9, isDark: 10 } as const; // prettier-ignore
/** Numbers per row. */
export const ROW = 11;

/** Returns the pan of a head in a cue at a beat of the song, 0..1. */
export function figurePan({ rows }: HeadPaths, r: number, cue: CompiledCue, beat: number): number {
  const reach = rows[ROW * r + AT.panReach]!;
  const at = rows[ROW * r + AT.pan]!;
  return reach === 0 ? at : at + reach * FIGURES[cue.figure]!.panAt(phaseOf(cue, beat) - rows[ROW * r + AT.late]!);
}

export function figureTilt({ rows }: HeadPaths, r: number, cue: CompiledCue, beat: number): number {
  const reach = rows[ROW * r + AT.tiltReach]!;
  const at = rows[ROW * r + AT.tilt]!;
  return reach === 0 ? at : at + reach * FIGURES[cue.figure]!.tiltAt(phaseOf(cue, beat) - rows[ROW * r + AT.late]!);
}

const phaseOf = (cue: CompiledCue, beat: number): number => (beat - cue.moveAnchor) / cue.moveBeats;

/** Returns the phase of a lane's movement at a moment; after the last cue, that at its end. */
export function phaseOfLane(lane: Lane, t: number, beat: number): number {
  const cue = lane.cues[lane.at];
  if (!cue || cue.figure < 0) return 0;
  return phaseOf(cue, t < cue.end ? beat : lane.endBeat);
}

/** Sets pan and tilt of a head at a moment of its lane. Allocation free. */
export function turnHead({ paths, pan, tilt }: CompiledShow, h: number, lane: Lane, t: number): void {
  const { times, rows } = paths;
  const r = paths.first[h]! + lane.at;
  if (t < times[2 * r + 1]!) return goOn(paths, h, r, t, pan, tilt);
  if (lane.at + 1 < lane.cues.length && t >= times[2 * r + 2]!) return goOn(paths, h, r + 1, t, pan, tilt);
  const o = ROW * r;
  const panReach = rows[o + AT.panReach]!;
  const tiltReach = rows[o + AT.tiltReach]!;
  let across = rows[o + AT.pan]!;
  let up = rows[o + AT.tilt]!;
  if (panReach !== 0 || tiltReach !== 0) {
    const figure = FIGURES[lane.cues[lane.at]!.figure]!;
    const phase = lane.phase - rows[o + AT.late]!;
    if (panReach !== 0) across += panReach * figure.panAt(phase);
    if (tiltReach !== 0) up += tiltReach * figure.tiltAt(phase);
  }
  pan[h] = across;
  tilt[h] = up;
}

function goOn(
  { times, rows }: HeadPaths,
  h: number,
  r: number,
  t: number,
  pan: Float32Array,
  tilt: Float32Array,
): void {
  const leaves = times[2 * r]!;
  const seconds = times[2 * r + 1]! - leaves;
  const o = ROW * r;
  const share = seconds > 0 ? travelled((t - leaves) / seconds, rows[o + AT.ramp]!) : 1;
  pan[h] = rows[o + AT.fromPan]! + (rows[o + AT.toPan]! - rows[o + AT.fromPan]!) * share;
  tilt[h] = rows[o + AT.fromTilt]! + (rows[o + AT.toTilt]! - rows[o + AT.fromTilt]!) * share;
}

/** Whether a head is already on a dark move to the cue with index `at` of its lane. */
export function isDarkOnTheWay({ first, times, rows }: HeadPaths, h: number, at: number, t: number): boolean {
  const r = first[h]! + at;
  return first[h]! >= 0 && rows[ROW * r + AT.isDark] === 1 && t >= times[2 * r]!;
}

/**
 * Returns the share of its light that a head keeps during its moves, 0..1 perceptual. A dark move gives 0. Allocation
 * free.
 */
export function lightOnTheWay({ first, times, rows }: HeadPaths, h: number, lane: Lane, t: number): number {
  const r = first[h]! + lane.at;
  let light = 1;
  if (rows[ROW * r + AT.isDark] === 1) {
    const arrives = times[2 * r + 1]!;
    if (t < arrives) return 0;
    // If the head arrives late, it fades in. If it arrives on the beat, it is lit at once.
    if (arrives > lane.starts[lane.at]!) light = Math.min(1, (t - arrives) / FADE_SECONDS);
  }
  if (lane.at + 1 >= lane.cues.length || rows[ROW * (r + 1) + AT.isDark] === 0) return light;
  const leaves = times[2 * r + 2]!;
  if (t >= leaves) return 0;
  // If the cue ends before the head leaves, the head is dark anyway.
  return leaves >= lane.cues[lane.at]!.end ? light : Math.min(light, (leaves - t) / FADE_SECONDS);
}
