import { intentFamily, lastAtOrBefore, type Cue, type IntentFamily } from "@followspot/contract";
import type { BeatClock } from "./beat-clock.ts";
import { CHASE_SHAPES, isLit, type ChaseShape } from "./chase-shapes.ts";
import { fullBrightness, linearOfHex } from "./color.ts";
import { modulo } from "./maths.ts";
import { FIGURES, figureOf } from "./movement/figures.ts";
import { placeOfPosition } from "./movement/positions.ts";
import { BEAMS } from "./optics.ts";
import { PIXEL_SHAPES, pixelLevel, type PixelCue, type PixelShape } from "./pixels.ts";

/*
 * Meaning of the parameters of a cue: name, purpose, range, default. Levels are perceptual (square root of linear
 * light), 0..1. A row of fixtures is ordered from left to right.
 *
 *   level, to_level     peak at the start and at the end of the cue           0..1, to_level = level
 *   floor               rest level of pulse, chase, strobe and reactive       0..1, 0
 *   fade_seconds        crossfade from the previous look of the lane          >= 0, 0 (snap)
 *   step_beats          interval between hits or chase steps                  > 0, 1
 *   offset_beats        delay of the hits within the step: 1 of 2 = backbeat  >= 0, 0
 *   drum                pulse: hits on each stroke of "kick" or "snare" instead of every step_beats
 *   decay_beats         length of a hit; snap: time to reach to_level         > 0, 0.6
 *   period_beats        length of one wave or breath                          > 0, 16
 *   period_seconds      the same for songs without a grid; wins when > 0      >= 0, 0
 *   depth               modulation depth of wave and breathing                0..1, 0.3
 *   cells               number of cells that a chase divides its fixtures into  >= 1, 4
 *   width               number of cells that a run or bounce lights at once   >= 1, 1
 *   direction           of waves, chases and movement effects: 1 left to right, -1 right to left  1
 *   shape               order in which a chase visits the cells, see `chase-shapes`  "run"
 *   glide               share of a step that the crossfade between two cells takes  0..1, 0.2
 *   hit                 share of its light that a cell loses before the next step  0..1, 0
 *   turn_beats          beats after which the left and right halves alternate; 0 = both play   >= 0, 0
 *   turn_rest           share of its light that the resting half keeps        0..1, 0.5
 *   since_beats         beats already elapsed when a long cue was split and this is a later part   >= 0, 0
 *   spread              "one": the first color; "alternate": fixtures alternate between the colors, in pairs of
 *                       neighbors if the row has more than eight             "one"
 *   white, to_white     share of white mixed in, at the start and at the end  0..1, 0
 *   band                curve that a reactive cue follows: bass mid high energy  "energy"
 *   rate_hz, duty       strobe rate and duty cycle                            <= 3 and 0..1: 2.75, 0.4
 *   aim                 position that heads point at, see `HEAD_POSITIONS`    "home"
 *   figure              movement effect around that position, see `FIGURES`   "sway"
 *   move_beats          length of one cycle of the movement, 0 = still        >= 0, 0
 *   move_range          size of the movement; heads that are too slow reduce it  0..1, 0
 *   move_spread         phase delay from the first to the last fixture of a row, cycles  0..4, that of the figure
 *   pan, tilt           offset from the position; 0.5 = none                  0..1, 0.5
 *   singer              level of the heads that stay on the singer: still and white, in the last color of the palette,
 *                       see `singerCue`. Missing: these heads do what the others do
 *   for                 "singer": front light on the singer, which may be white      ""
 *   pixels              what fixtures with many heads do instead of all of the above, see `PIXEL_SHAPES`  ""
 *   pixel_beats         length of a run along the row, a wave or a sparkle    > 0, 4
 *   pixel_level         level of a lit pixel                                  0..1, level
 *   pixel_rest          level of a resting pixel, as a share of pixel_level   0..1, 0.2
 *   pixel_share         tail of a run, or share of the pixels that sparkle at a time  0..1, 0.4
 *   pixel_seed          seed of the sparkles                                  whole, 0
 *   beam                gobo, prism or frost, for fixtures that have one, see `BEAMS`  "open"
 *   gobo                gobo number; a fixture takes it modulo its own count  whole 0..255, 0
 *   gobo_turns          true: the gobo rotates slowly                         false
 *   singer_beam         the same as beam, for the heads on the singer         "open"
 *   zoom, to_zoom       beam width at both ends of the cue, narrow to wide    0..1, see `beamOf`
 */
export const FAMILY = {
  wave: 0,
  pulse: 1,
  chase: 2,
  strobe: 3,
  fade: 4,
  reactive: 5,
  breathing: 6,
  snap: 7,
  ramp: 8,
  crossfade: 9,
} as const satisfies Record<IntentFamily, number>;

export const BANDS = ["bass", "mid", "high", "energy"] as const;

/** Longest time a lane may strobe without a pause of {@link STROBE_PAUSE_SECONDS}, seconds. */
export const STROBE_LIMIT_SECONDS = 30;
export const STROBE_PAUSE_SECONDS = 1;

/** A cue as numbers only, which is what the frame loop reads. */
export interface CompiledCue extends PixelCue {
  readonly start: number;
  readonly end: number;
  readonly family: number;
  readonly level: number;
  readonly toLevel: number;
  readonly floor: number;
  readonly fadeSeconds: number;
  readonly stepBeats: number;
  readonly offsetBeats: number;
  readonly decayBeats: number;
  /** Beats of the drum strokes that the cue hits on, ascending; undefined if it hits on the beat grid. */
  readonly strokes: Float64Array | undefined;
  readonly periodBeats: number;
  readonly periodSeconds: number;
  readonly depth: number;
  readonly cells: number;
  readonly width: number;
  readonly direction: number;
  /** Index into `CHASE_SHAPES`. */
  readonly shape: number;
  readonly glide: number;
  readonly hit: number;
  readonly turnBeats: number;
  readonly turnRest: number;
  readonly alternates: boolean;
  readonly white: number;
  readonly toWhite: number;
  readonly band: number;
  readonly rateHz: number;
  readonly duty: number;
  /** Index into `FIGURES`, or -1 for heads that do not move. */
  readonly figure: number;
  readonly moveBeats: number;
  readonly moveRange: number;
  readonly moveSpread: number;
  /** Length of the shortest beat within the cue, seconds. */
  readonly shortestBeat: number;
  readonly pan: number;
  readonly tilt: number;
  /** Whether the cue is front light on the singer. */
  readonly isSingersLight: boolean;
  /** Position of the heads, a value of `placeOfPosition`. */
  readonly place: number;
  readonly zoom: number;
  readonly toZoom: number;
  /** A value of `BEAM`. */
  readonly beam: number;
  readonly gobo: number;
  readonly goboTurns: boolean;
  /** r, g, b of each palette color: linear, strongest channel 1. */
  readonly colors: Float32Array;
  readonly colorCount: number;
  /** Whole beat nearest to the start. Hits are counted from it. */
  readonly anchorBeat: number;
  /**
   * Beat from which the movement is counted. A movement that continues from the previous cue keeps that cue's anchor.
   */
  moveAnchor: number;
  /** Time after which a strobe shows steady light, seconds; see {@link STROBE_LIMIT_SECONDS}. */
  strobeUntil: number;
  /** Slots per color wheel of the rig: one per color, first without white, then with `white` and `toWhite` mixed in. */
  wheelSlots: readonly Uint8Array[];
}

/** Beats of the drum strokes, per drum. */
export type Strokes = Readonly<Record<string, Float64Array | undefined>>;

export function compileCue(cue: Cue, clock: BeatClock, strokes: Strokes): CompiledCue {
  const number = (name: string, fallback: number, low: number, high: number): number => {
    const value = cue.params[name];
    return typeof value === "number" && Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : fallback;
  };
  const level = number("level", 0.5, 0, 1);
  const white = number("white", 0, 0, 1);
  const colors = Float32Array.from(
    cue.palette.flatMap((hex) => {
      const { r, g, b } = fullBrightness(linearOfHex(hex));
      return [r, g, b];
    }),
  );
  const band = BANDS.indexOf(String(cue.params["band"] ?? "energy") as (typeof BANDS)[number]);
  const family = FAMILY[intentFamily(cue.intent) ?? "fade"];
  const moveBeats = number("move_beats", 0, 0, 256);
  const moveRange = number("move_range", 0, 0, 1);
  const figure = figureOf(cue.params["figure"]);
  const moves = moveBeats > 0 && moveRange > 0;
  const anchorBeat = Math.round(clock.beatAt(cue.time)) - Math.round(number("since_beats", 0, 0, 100_000));
  const beam = beamOf(family, moves);
  const zoom = number("zoom", beam.zoom, 0, 1);
  return {
    start: cue.time,
    end: cue.time + cue.duration,
    family,
    level,
    toLevel: number("to_level", level, 0, 1),
    floor: number("floor", 0, 0, 1),
    fadeSeconds: number("fade_seconds", 0, 0, 60),
    stepBeats: number("step_beats", 1, 0.125, 64),
    offsetBeats: number("offset_beats", 0, 0, 64),
    decayBeats: number("decay_beats", 0.6, 0.05, 64),
    strokes: strokes[String(cue.params["drum"] ?? "")],
    periodBeats: number("period_beats", 16, 0.25, 256),
    periodSeconds: number("period_seconds", 0, 0, 600),
    depth: number("depth", 0.3, 0, 1),
    cells: Math.round(number("cells", 4, 1, 64)),
    width: Math.round(number("width", 1, 1, 64)),
    direction: number("direction", 1, -1, 1) < 0 ? -1 : 1,
    shape: Math.max(0, CHASE_SHAPES.indexOf(String(cue.params["shape"] ?? "run") as ChaseShape)),
    glide: number("glide", 0.2, 0.02, 1),
    hit: number("hit", 0, 0, 1),
    turnBeats: number("turn_beats", 0, 0, 256),
    turnRest: number("turn_rest", 0.5, 0, 1),
    alternates: cue.params["spread"] === "alternate",
    white,
    toWhite: number("to_white", white, 0, 1),
    band: band < 0 ? 3 : band,
    rateHz: number("rate_hz", 2.75, 0.1, 25),
    duty: number("duty", 0.4, 0.05, 0.95),
    figure: moves ? figure : -1,
    moveBeats,
    moveRange,
    moveSpread: number("move_spread", FIGURES[figure]!.spread, 0, 4),
    shortestBeat: clock.shortestBeat(cue.time, cue.time + cue.duration),
    pan: number("pan", 0.5, 0, 1),
    tilt: number("tilt", 0.5, 0, 1),
    isSingersLight: cue.params["for"] === "singer",
    place: placeOfPosition(cue.params["aim"]),
    pixels: PIXEL_SHAPES.indexOf(String(cue.params["pixels"] ?? "") as PixelShape),
    pixelBeats: number("pixel_beats", 4, 0.25, 256),
    pixelLevel: number("pixel_level", -1, 0, 1),
    pixelRest: number("pixel_rest", 0.2, 0, 1),
    pixelShare: number("pixel_share", 0.4, 0.01, 1),
    pixelSeed: Math.round(number("pixel_seed", 0, 0, 0xffffffff)),
    zoom,
    beam: Math.max(0, BEAMS.indexOf(String(cue.params["beam"] ?? "open") as (typeof BEAMS)[number])),
    gobo: Math.round(number("gobo", 0, 0, 255)),
    goboTurns: cue.params["gobo_turns"] === true,
    toZoom: number("to_zoom", cue.params["zoom"] === undefined ? beam.toZoom : zoom, 0, 1),
    colors,
    colorCount: cue.palette.length,
    anchorBeat,
    moveAnchor: anchorBeat,
    strobeUntil: Number.POSITIVE_INFINITY,
    wheelSlots: [],
  };
}

/**
 * Returns the default beam width of a cue. Washes are wide, so that the beams meet. Hits and chases are narrower, so
 * that fixtures stand apart. Moving beams are narrow, so that the movement is visible. A build narrows the beam, so
 * that the next section can open it.
 */
function beamOf(family: number, travels: boolean): { readonly zoom: number; readonly toZoom: number } {
  if (family === FAMILY.ramp) return { zoom: travels ? 0.4 : 0.8, toZoom: 0.1 };
  const isWash = family === FAMILY.wave || family === FAMILY.breathing || family === FAMILY.fade;
  const isWide = isWash || family === FAMILY.crossfade || family === FAMILY.reactive;
  const zoom = travels ? 0.15 : isWide ? WASH_ZOOM : family === FAMILY.chase ? 0.3 : 0.5;
  return { zoom, toZoom: zoom };
}

/** Whether two cues share their movement: the same figure around the same position. */
export function movesAlike(a: CompiledCue, b: CompiledCue): boolean {
  return (
    a.place === b.place &&
    a.pan === b.pan &&
    a.tilt === b.tilt &&
    a.figure === b.figure &&
    a.moveBeats === b.moveBeats &&
    a.moveRange === b.moveRange &&
    a.moveSpread === b.moveSpread &&
    a.direction === b.direction
  );
}

/** Narrowest zoom of a wash, 0..1. */
export const WASH_ZOOM = 0.8;

/** The part of a cue that is the same for every head at one time. Reused from frame to frame. */
export interface CueMoment {
  cue: CompiledCue | undefined;
  peak: number;
  white: number;
  /** Phase of wave and breathing in cycles; of pulse and chase in steps. */
  phase: number;
  /** Level of the families that do not depend on the position in the row. */
  common: number;
  /** Share of its light that each half of the row shows; 1 while that half plays. */
  leftRests: number;
  rightRests: number;
  zoom: number;
  /** Cycles of the pixel effect, and the value of the curve that it may follow. */
  pixelPhase: number;
  curve: number;
}

export function newMoment(): CueMoment {
  const lit = { cue: undefined, peak: 0, white: 0, phase: 0, common: 0, leftRests: 1, rightRests: 1, zoom: 0 };
  return { ...lit, pixelPhase: 0, curve: 0 };
}

/** Tolerance for a time that should fall on a beat but comes out slightly earlier, beats. */
const ROUNDING_BEATS = 1e-6;
/** Share of a crossfade after which it looks complete. That share lies before the beat. */
const SEEN_BY = 0.4;

/** Fills `moment` for time `t`. `curve` is the current value of the cue's band. */
export function setMoment(moment: CueMoment, cue: CompiledCue, t: number, beat: number, curve: number): void {
  const span = cue.end - cue.start;
  const progress = span > 0 ? Math.min(1, Math.max(0, (t - cue.start) / span)) : 1;
  const beats = beat - cue.anchorBeat;
  moment.cue = cue;
  moment.peak = cue.level + (cue.toLevel - cue.level) * progress;
  moment.white = cue.white + (cue.toWhite - cue.white) * progress;
  moment.zoom = cue.zoom + (cue.toZoom - cue.zoom) * progress;
  moment.pixelPhase = beats / cue.pixelBeats;
  moment.curve = curve;
  moment.leftRests = 1;
  moment.rightRests = 1;
  if (cue.turnBeats > 0) {
    const isSecond = modulo(Math.floor((beats + ROUNDING_BEATS) / cue.turnBeats), 2) === 1;
    if (isSecond === cue.direction > 0) moment.leftRests = cue.turnRest;
    else moment.rightRests = cue.turnRest;
  }
  moment.common = moment.peak;
  switch (cue.family) {
    case FAMILY.wave:
    case FAMILY.breathing: {
      moment.phase = cue.periodSeconds > 0 ? (t - cue.start) / cue.periodSeconds : beats / cue.periodBeats;
      if (cue.family === FAMILY.breathing) {
        moment.common = moment.peak * (1 - cue.depth * (0.5 + 0.5 * Math.cos(2 * Math.PI * moment.phase)));
      }
      return;
    }
    case FAMILY.pulse: {
      const since = cue.strokes ? sinceStroke(cue.strokes, beat) : modulo(beats - cue.offsetBeats, cue.stepBeats);
      const left = Math.max(0, 1 - since / cue.decayBeats);
      const floor = Math.min(cue.floor, moment.peak);
      moment.common = floor + (moment.peak - floor) * left * left;
      return;
    }
    case FAMILY.chase:
      // To the eye, a crossfade passes its midpoint slightly earlier than in measured light.
      moment.phase = beats / cue.stepBeats + SEEN_BY * cue.glide;
      return;
    case FAMILY.strobe: {
      const isOn = t >= cue.strobeUntil || modulo((t - cue.start) * cue.rateHz, 1) < cue.duty;
      moment.common = isOn ? moment.peak : Math.min(cue.floor, moment.peak);
      return;
    }
    case FAMILY.reactive:
      moment.common = cue.floor + (moment.peak - cue.floor) * curve;
      return;
    case FAMILY.snap: {
      const settled = Math.min(1, Math.max(0, beats / cue.decayBeats));
      moment.common = cue.level + (cue.toLevel - cue.level) * settled;
      return;
    }
    case FAMILY.ramp:
      moment.common = cue.level + (cue.toLevel - cue.level) * progress ** 1.5;
      return;
    default:
      return;
  }
}

function sinceStroke(strokes: Float64Array, beat: number): number {
  const i = lastAtOrBefore(strokes, beat);
  return i < 0 ? Number.POSITIVE_INFINITY : beat - strokes[i]!;
}

/** Positions of heads. Per head: its place in the group, 0..1; its index and the number of heads in the group. */
export interface Places {
  readonly places: Float32Array;
  readonly indexes: Int32Array;
  readonly counts: Int32Array;
  /** 1 for pixels: heads of fixtures that have several. */
  readonly isPixel: Uint8Array;
  /**
   * For pixels: the column in the row of the group; and the index and count within the fixture, where a matrix counts
   * rows from the bottom.
   */
  readonly columns: Int32Array;
  readonly columnCounts: Int32Array;
  readonly ownIndexes: Int32Array;
  readonly ownCounts: Int32Array;
}

/** Returns the perceptual level of one head, 0..1. */
export function levelOf(moment: CueMoment, at: Places, h: number): number {
  const { places, indexes, counts } = at;
  const { cue } = moment;
  if (!cue || cue.pixels < 0 || at.isPixel[h] === 0) return levelAt(moment, places[h]!, indexes[h]!, counts[h]!);
  pixel.nth = indexes[h]!;
  pixel.index = at.columns[h]!;
  pixel.count = at.columnCounts[h]!;
  pixel.own = at.ownIndexes[h]!;
  pixel.ownCount = at.ownCounts[h]!;
  const share = places[h]! < 0.5 ? moment.leftRests : moment.rightRests;
  const peak = cue.pixelLevel < 0 ? moment.peak : cue.pixelLevel;
  return share * pixelLevel(cue, peak, moment.pixelPhase, moment.curve, pixel);
}

/** Scratch: position of the pixel being computed. */
const pixel = { nth: 0, index: 0, count: 1, own: 0, ownCount: 1 };

/**
 * Returns the perceptual level of one head. `place` is its position across the group, 0..1; `index` of `count` heads.
 */
function levelAt(moment: CueMoment, place: number, index: number, count: number): number {
  const cue = moment.cue;
  if (!cue) return 0;
  const share = place < 0.5 ? moment.leftRests : moment.rightRests;
  if (cue.family === FAMILY.wave) return share * waveLevel(moment.peak, moment.phase, cue.direction, cue.depth, place);
  if (cue.family === FAMILY.chase) return share * chaseLevel(moment, cue, place, index, count);
  return share * moment.common;
}

/** Computes {@link levelOf} for many heads, in their order. */
export function levelsAt(moment: CueMoment, at: Places, heads: Int32Array, out: Float64Array): void {
  const { places, indexes, counts } = at;
  const { cue, peak, phase } = moment;
  const n = heads.length;
  if (cue && (cue.turnBeats > 0 || cue.pixels >= 0)) {
    for (let i = 0; i < n; i++) out[i] = levelOf(moment, at, heads[i]!);
  } else if (cue?.family === FAMILY.wave) {
    const { direction, depth } = cue;
    for (let i = 0; i < n; i++) out[i] = waveLevel(peak, phase, direction, depth, places[heads[i]!]!);
  } else if (cue?.family === FAMILY.chase) {
    for (let i = 0; i < n; i++) {
      const h = heads[i]!;
      out[i] = levelAt(moment, places[h]!, indexes[h]!, counts[h]!);
    }
  } else out.fill(cue ? moment.common : 0, 0, n);
}

function waveLevel(peak: number, phase: number, direction: number, depth: number, place: number): number {
  const turn = phase - direction * place;
  return peak * (1 - depth * (0.5 + 0.5 * Math.cos(2 * Math.PI * turn)));
}

/** Crossfades from one cell to the next. The total light stays constant if as many heads fade in as out. */
function chaseLevel(moment: CueMoment, cue: CompiledCue, place: number, index: number, count: number): number {
  if (count < 2) return moment.peak * 0.7;
  const step = Math.floor(moment.phase);
  const into = moment.phase - step;
  const share = into < cue.glide ? into / cue.glide : 1;
  const now = isLit(cue, step, place, index, count) ? share : 0;
  const before = isLit(cue, step - 1, place, index, count) ? 1 - share : 0;
  const fade = 1 - cue.hit * Math.max(0, into - cue.glide);
  const floor = Math.min(cue.floor, moment.peak) ** 2;
  return Math.sqrt(floor + (moment.peak ** 2 - floor) * (now + before) * fade);
}
