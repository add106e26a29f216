import { lastAtOrBefore } from "@followspot/contract";
import type { CompiledShow, Lane } from "./compiled-show.ts";
import { GRID_HZ } from "./flash-limiter.ts";
import { levelAt, setMoment, type CueMoment } from "./intents.ts";
import { DARK_TURN_FROM_SECONDS, darkTurn, showSlot, slotAt } from "./wheels.ts";

/** Beats a moving head takes to a new position when it is lit. */
const MOVE_BEATS = 2;
/**
 * Set every head's state for a song time, limiter included; before the song, and for no number, it is 0. Allocation free.
 * Near a limited moment it is taken to the nearest grid tick, so that what shines is exactly what was checked.
 */
export function setStates(show: CompiledShow, at: number): void {
  const t = Number.isFinite(at) ? Math.max(0, at) : 0;
  const tick = Math.round(t * GRID_HZ);
  const isNearLimit = show.limits.zone?.[tick] === 1;
  setUnlimitedStates(show, isNearLimit ? tick / GRID_HZ : t);
  if (!isNearLimit) return;
  const rig = show.limits.rig?.[tick] ?? 1;
  for (let h = 0; h < show.headCount; h++) {
    const gain = rig * (show.limits.heads[h]?.[tick] ?? 1);
    if (gain < 1) show.level[h] = show.level[h]! * gain;
  }
}

/** The same without the limiter: what the plan asks for. */
export function setUnlimitedStates(show: CompiledShow, t: number): void {
  setLanes(show, t);
  for (let h = 0; h < show.headCount; h++) setHead(show, h);
}

/** The same for some heads alone. */
export function setStatesOf(show: CompiledShow, heads: Int32Array, t: number): void {
  setLanes(show, t);
  for (let i = 0; i < heads.length; i++) setHead(show, heads[i]!);
}

function setLanes(show: CompiledShow, t: number): void {
  const beat = show.clock.beatAt(t);
  for (let i = 0; i < show.lanes.length; i++) setLane(show, show.lanes[i]!, t, beat);
}

function setLane(show: CompiledShow, lane: Lane, t: number, beat: number): void {
  lane.isLit = false;
  if (lane.cues.length === 0) return;
  const i = Math.max(0, lastAtOrBefore(lane.starts, t));
  const cue = lane.cues[i]!;
  const previous = i > 0 ? lane.cues[i - 1] : undefined;
  lane.isLit = t >= cue.start && t < cue.end;
  // In the dark a head travels to where the next cue wants it.
  const next = t >= cue.end ? lane.cues[i + 1] : undefined;
  const shown = lane.isLit || !next ? cue : next;
  const at = lane.isLit ? t : shown.start;
  setMoment(lane.now, shown, at, lane.isLit ? beat : shown.anchorBeat, curveAt(show, shown.band, t));
  lane.blend = 1;
  lane.moveBlend = 1;
  if (!lane.isLit) return;
  const since = t - cue.start;
  const isFading = cue.fadeSeconds > 0 && since < cue.fadeSeconds;
  const moves = beat - cue.anchorBeat < MOVE_BEATS && previous !== undefined && previous.end >= cue.start - 1e-6;
  if (!isFading && !moves) return;
  if (isFading) lane.blend = since / cue.fadeSeconds;
  if (moves) lane.moveBlend = Math.min(1, Math.max(0, (beat - cue.anchorBeat) / MOVE_BEATS));
  if (previous && previous.end >= cue.start - 1e-6) {
    setMoment(lane.before, previous, t, beat, curveAt(show, previous.band, t));
  } else {
    lane.before.cue = undefined;
  }
}

function setHead(show: CompiledShow, h: number): void {
  const lanes = show.headLanes[h]!;
  let best = -1;
  show.level[h] = 0;
  for (let i = 0; i < lanes.length; i++) {
    const lane = lanes[i]!;
    if (i === 0 && show.moves[h] === 1) setPosition(show, h, lane);
    // In the dark the wheel turns to what the next cue wants.
    if (i === 0 && show.wheelOf[h]! >= 0) setSlot(show, h, lane.now);
    if (!lane.isLit) continue;
    const index = show.indexes[h]!;
    const count = show.counts[h]!;
    const place = show.places[h]!;
    const now = levelAt(lane.now, place, index, count);
    const before = lane.blend < 1 ? levelAt(lane.before, place, index, count) : 0;
    const level = before + (now - before) * lane.blend;
    if (level <= best) continue;
    best = level;
    show.level[h] = level * level;
    if (show.wheelOf[h]! >= 0) setWheel(show, h, lane, index);
    else setColour(show, h, lane, now * lane.blend, before * (1 - lane.blend), index);
  }
}

/** A wheel changes from one look to the other half-way through a fade, in the dark where there is time for it. */
function setWheel(show: CompiledShow, h: number, lane: Lane, index: number): void {
  const wheel = show.wheelOf[h]!;
  const isFading = lane.blend < 1 && lane.before.cue !== undefined;
  setSlot(show, h, isFading && lane.blend < 0.5 ? lane.before : lane.now);
  const seconds = lane.now.cue!.fadeSeconds;
  if (!isFading || seconds < DARK_TURN_FROM_SECONDS) return;
  if (slotAt(lane.before, wheel, index) === slotAt(lane.now, wheel, index)) return;
  const share = darkTurn(lane.blend, seconds);
  show.level[h] = show.level[h]! * share * share;
}

function setSlot(show: CompiledShow, h: number, moment: CueMoment): void {
  if (moment.cue) showSlot(show, h, slotAt(moment, show.wheelOf[h]!, show.indexes[h]!));
}

/** Colours fade by how much light each of the two looks gives. */
function setColour(show: CompiledShow, h: number, lane: Lane, now: number, before: number, index: number): void {
  const sum = now + before;
  const share = sum > 0 ? now / sum : 1;
  const a = lane.now;
  const b = share < 1 && lane.before.cue ? lane.before : a;
  show.red[h] = channelOf(a, index, 0) * share + channelOf(b, index, 0) * (1 - share);
  show.green[h] = channelOf(a, index, 1) * share + channelOf(b, index, 1) * (1 - share);
  show.blue[h] = channelOf(a, index, 2) * share + channelOf(b, index, 2) * (1 - share);
}

function channelOf(moment: CueMoment, index: number, channel: number): number {
  const cue = moment.cue!;
  const k = cue.alternates ? index % cue.colorCount : 0;
  const value = cue.colors[k * 3 + channel]!;
  return value + (1 - value) * moment.white;
}

function setPosition(show: CompiledShow, h: number, lane: Lane): void {
  const now = lane.now.cue;
  if (!now) return;
  const side = (show.places[h]! - 0.5) * 2 * show.mirrors[h]!;
  let pan = panOf(lane.now, side);
  let tilt = tiltOf(lane.now);
  if (lane.moveBlend < 1 && lane.before.cue) {
    pan = panOf(lane.before, side) + (pan - panOf(lane.before, side)) * lane.moveBlend;
    tilt = tiltOf(lane.before) + (tilt - tiltOf(lane.before)) * lane.moveBlend;
  }
  show.pan[h] = pan;
  show.tilt[h] = tilt;
}

/** Pairs mirror: left lamps move left when right lamps move right. A quarter of the travel is plenty on a stage. */
function panOf(moment: CueMoment, side: number): number {
  const cue = moment.cue!;
  const sway = cue.moveRange * 0.25 * Math.sin(2 * Math.PI * moment.movePhase);
  return cue.pan + (side < 0 ? -sway : sway) + side * cue.moveRange * 0.1;
}

function tiltOf(moment: CueMoment): number {
  const cue = moment.cue!;
  return cue.tilt + cue.moveRange * 0.1 * Math.sin(4 * Math.PI * moment.movePhase);
}

function curveAt(show: CompiledShow, band: number, t: number): number {
  const curve = show.curves[band]!;
  if (curve.length === 0) return 0;
  const x = Math.max(0, t / show.curveHop);
  const i = Math.floor(x);
  const a = curve[Math.min(i, curve.length - 1)]!;
  const b = curve[Math.min(i + 1, curve.length - 1)]!;
  return Math.min(1, Math.max(0, a + (b - a) * (x - i)));
}
