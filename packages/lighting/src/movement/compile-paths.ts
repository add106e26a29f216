import type { RigLight } from "@followspot/contract";
import { padSpeedOf, padTravelOf, panAt, tiltAt, type Aims } from "../aims.ts";
import type { BeatClock } from "../beat-clock.ts";
import type { HeadPaths, Lane } from "../compiled-show.ts";
import type { CompiledCue } from "../intents.ts";
import { AT, figurePan, figureTilt, ROW } from "./head-paths.ts";
import { reachOf } from "./reach.ts";
import type { RowPlace } from "./row.ts";
import { RAMP_SECONDS, travelSeconds } from "./travel.ts";

/** Moves longer than this are made dark, degrees of one axis. */
export const DARK_FROM_DEGREES = 20;
/** Duration of a lit move if there is time for it, so that it is visible, beats. */
const LIT_TRAVEL_BEATS = 2;
/**
 * In shorter cues heads stay where they are, unless it was dark before, seconds. Otherwise they would move all the
 * time.
 */
const SHORTEST_STAY_SECONDS = 1.2;
/** Share of a cue during which a head stays lit before it leaves for the next one. */
const LEAST_LIT = 0.5;
/** Moves shorter than this are no move, degrees. */
const NOWHERE = 0.05;

/** A head with the inputs for computing its path. */
export interface TurningHead {
  readonly light: RigLight;
  /** Undefined for a head without pan and tilt. */
  readonly row: RowPlace | undefined;
  /** The lane whose cues it follows. */
  readonly lane: Lane | undefined;
}

export function compilePaths(heads: readonly TurningHead[], aims: Aims, clock: BeatClock): HeadPaths {
  const first = new Int32Array(heads.length).fill(-1);
  let rows = 0;
  for (const [h, { row, lane }] of heads.entries()) {
    if (!row || !lane || lane.cues.length === 0) continue;
    first[h] = rows;
    rows += lane.cues.length;
  }
  const paths: HeadPaths = { first, times: new Float64Array(2 * rows), rows: new Float32Array(ROW * rows) };
  for (const [h, { light, row, lane }] of heads.entries())
    if (first[h]! >= 0) new PathWriter(paths, aims, clock, h, light, row!).write(lane!.cues);
  return paths;
}

/** Writes the rows of one head. */
class PathWriter {
  readonly #paths: HeadPaths;
  readonly #aims: Aims;
  readonly #clock: BeatClock;
  readonly #h: number;
  readonly #light: RigLight;
  readonly #row: RowPlace;
  readonly #panTravel: number;
  readonly #tiltTravel: number;
  readonly #panSpeed: number;
  readonly #tiltSpeed: number;

  constructor(paths: HeadPaths, aims: Aims, clock: BeatClock, h: number, light: RigLight, row: RowPlace) {
    const travel = padTravelOf(light);
    const speed = padSpeedOf(light);
    this.#paths = paths;
    this.#aims = aims;
    this.#clock = clock;
    this.#h = h;
    this.#light = light;
    this.#row = row;
    this.#panTravel = travel.pan;
    this.#tiltTravel = travel.tilt;
    this.#panSpeed = speed.pan;
    this.#tiltSpeed = speed.tilt;
  }

  write(cues: readonly CompiledCue[]): void {
    const first = this.#paths.first[this.#h]!;
    for (const [k, cue] of cues.entries()) {
      this.#place(first + k, cue);
      if (k === 0) this.#appear(first, cue);
      else this.#travel(first + k, cues[k - 1]!, cue);
    }
  }

  /** Sets position and extent of a head in a cue. The extent is what its speed allows in the shortest beat. */
  #place(r: number, cue: CompiledCue): void {
    const h = this.#h;
    const ranges = this.#aims.ranges;
    const panMost = ranges[2 * h]!;
    const tiltMost = ranges[2 * h + 1]!;
    const panShare = this.#aims.shares[2 * h]!;
    const tiltShare = this.#aims.shares[2 * h + 1]!;
    const across = within((cue.pan - 0.5) * panShare, panMost);
    const up = within((cue.tilt - 0.5) * tiltShare, tiltMost);
    const rows = this.#paths.rows.subarray(ROW * r, ROW * (r + 1));
    rows[AT.pan] = clamp(panAt(this.#aims, h, cue.place) + across);
    rows[AT.tilt] = clamp(tiltAt(this.#aims, h, cue.place) + up);
    if (cue.figure < 0) return;
    const drawn = { figure: cue.figure, size: cue.moveRange, spread: cue.direction * cue.moveSpread };
    const reach = reachOf(this.#aims, h, this.#light, this.#row, drawn, { pan: across, tilt: up });
    const asked = reach.cycleSeconds / (cue.moveBeats * cue.shortestBeat);
    const size = asked > 1 ? 1 / asked : 1;
    rows[AT.panReach] = reach.pan * size;
    rows[AT.tiltReach] = reach.tilt * size;
    rows[AT.late] = reach.late;
  }

  /** Before the first cue of its lane, a head waits where that cue begins. */
  #appear(r: number, cue: CompiledCue): void {
    const beat = this.#clock.beatAt(cue.start);
    const rows = this.#paths.rows.subarray(ROW * r, ROW * (r + 1));
    rows[AT.toPan] = rows[AT.fromPan] = figurePan(this.#paths, r, cue, beat);
    rows[AT.toTilt] = rows[AT.fromTilt] = figureTilt(this.#paths, r, cue, beat);
    this.#paths.times.fill(cue.start, 2 * r, 2 * r + 2);
  }

  /**
   * Computes the move from one cue to the next. It ends at the start of the next cue, and begins as soon as the head is
   * dark.
   */
  #travel(r: number, before: CompiledCue, cue: CompiledCue): void {
    const { times } = this.#paths;
    const rows = this.#paths.rows.subarray(ROW * r, ROW * (r + 1));
    const last = this.#paths.rows.subarray(ROW * (r - 1), ROW * r);
    const startBeat = this.#clock.beatAt(cue.start);
    const goal = (at: number) => {
      const beat = at <= cue.start ? startBeat : this.#clock.beatAt(at);
      rows[AT.toPan] = figurePan(this.#paths, r, cue, beat);
      rows[AT.toTilt] = figureTilt(this.#paths, r, cue, beat);
    };
    const leaveAt = (at: number) => {
      const beat = this.#clock.beatAt(at);
      rows[AT.fromPan] = figurePan(this.#paths, r - 1, before, beat);
      rows[AT.fromTilt] = figureTilt(this.#paths, r - 1, before, beat);
    };
    const arrived = times[2 * r - 1]!;
    goal(cue.start);
    leaveAt(before.end);
    // A movement that continues unchanged needs no move.
    if (arrived <= before.end && cue.start - before.end < NOWHERE && this.#away(rows) < NOWHERE) {
      times.fill(cue.start, 2 * r, 2 * r + 2);
      return;
    }
    // Measured between the far ends of both movements, so that there is enough time wherever the move begins and ends.
    const panWay = this.#panTravel * farthest(rows, last, AT.pan, AT.panReach);
    const tiltWay = this.#tiltTravel * farthest(rows, last, AT.tilt, AT.tiltReach);
    const needed = Math.max(travelSeconds(panWay, this.#panSpeed), travelSeconds(tiltWay, this.#tiltSpeed));
    const isInDark = cue.start - before.end >= needed;
    if (!isInDark && cue.end - cue.start < SHORTEST_STAY_SECONDS) return this.#stay(r, before);
    const lit = Math.max(arrived, before.start);
    const earliest = lit + (before.end - lit) * LEAST_LIT;
    leaveAt(Math.max(earliest, Math.min(before.end, cue.start - needed)));
    const isDark = this.#away(rows) > DARK_FROM_DEGREES;
    const seen = Math.min(LIT_TRAVEL_BEATS * cue.shortestBeat, cue.start - earliest);
    const seconds = isDark ? needed : Math.max(needed, seen);
    const leaves = Math.max(earliest, Math.min(before.end, cue.start - seconds));
    const arrives = leaves + seconds;
    if (arrives > cue.end) return this.#stay(r, before);
    leaveAt(leaves);
    if (arrives > cue.start) goal(arrives);
    rows[AT.isDark] = this.#away(rows) > DARK_FROM_DEGREES ? 1 : 0;
    rows[AT.ramp] = Math.min(0.5, 1 - (needed - RAMP_SECONDS) / seconds);
    times[2 * r] = leaves;
    times[2 * r + 1] = arrives;
  }

  /** Keeps the head in place for a cue that ends before it could arrive. */
  #stay(r: number, before: CompiledCue): void {
    const rows = this.#paths.rows.subarray(ROW * r, ROW * (r + 1));
    const beat = this.#clock.beatAt(before.end);
    rows[AT.pan] = rows[AT.toPan] = rows[AT.fromPan] = figurePan(this.#paths, r - 1, before, beat);
    rows[AT.tilt] = rows[AT.toTilt] = rows[AT.fromTilt] = figureTilt(this.#paths, r - 1, before, beat);
    rows[AT.panReach] = rows[AT.tiltReach] = 0;
    this.#paths.times.fill(before.end, 2 * r, 2 * r + 2);
  }

  /** Returns the length of a move on its longer axis, degrees. */
  #away(rows: Float32Array): number {
    return Math.max(
      Math.abs(rows[AT.toPan]! - rows[AT.fromPan]!) * this.#panTravel,
      Math.abs(rows[AT.toTilt]! - rows[AT.fromTilt]!) * this.#tiltTravel,
    );
  }
}

/** Returns the largest distance between two rows, as a share of the travel. */
const farthest = (a: Float32Array, b: Float32Array, at: number, reach: number): number =>
  Math.abs(a[at]! - b[at]!) + Math.abs(a[reach]!) + Math.abs(b[reach]!);

const within = (value: number, most: number): number => Math.min(most, Math.max(-most, value));
const clamp = (value: number): number => within(value - 0.5, 0.5) + 0.5;
