import { lastAtOrBefore, type HazeCue } from "@followspot/contract";
import { panAt, tiltAt } from "./aims.ts";
import type { CompiledShow, HeadOrder, Lane } from "./compiled-show.ts";
import { GRID_HZ } from "./flash-limiter.ts";
import { HAZE_AT, setPlannedHaze } from "./haze.ts";
import { setLight } from "./head-light.ts";
import { setOptics } from "./head-optics.ts";
import { setMoment, WASH_ZOOM } from "./intents.ts";
import { lightOnTheWay, phaseOfLane, turnHead } from "./movement/head-paths.ts";

const NO_HAZE: readonly HazeCue[] = [];
/** Beats that a lit beam takes to change its width. */
const ZOOM_BEATS = 2;

/**
 * Sets every head's state for a song time, flash limiter included. Negative times and NaN count as 0. Allocation free.
 * Near a limited moment the time is rounded to the nearest grid tick, so that exactly the checked light is shown.
 */
export function setStates(show: CompiledShow, at: number): void {
  const t = Number.isFinite(at) ? Math.max(0, at) : 0;
  const tick = Math.round(t * GRID_HZ);
  show.fullWhite.fill(0);
  show.haze[HAZE_AT.desk] = 0;
  setPlannedHaze(show.haze, show.plan.haze ?? NO_HAZE, t);
  const isNearLimit = show.limits.zone?.[tick] === 1;
  setUnlimitedStates(show, isNearLimit ? tick / GRID_HZ : t);
  if (!isNearLimit) return;
  const rig = show.limits.rig?.[tick] ?? 1;
  for (let h = 0; h < show.headCount; h++) {
    const gain = rig * (show.limits.heads[h]?.[tick] ?? 1);
    if (gain < 1) show.level[h] = show.level[h]! * gain;
  }
}

/** Sets every head's state without the limiter, as the plan requests it. */
export function setUnlimitedStates(show: CompiledShow, t: number): void {
  setLightOf(show, show.order, t);
  const { movers, optics } = show.order;
  setOptics(show, optics, t);
  for (let i = 0; i < movers.length; i++) setAim(show, movers[i]!, show.headLanes[movers[i]!]![0], t);
}

/** Sets level and color only, of some heads, without the limiter. */
export function setLightOf(show: CompiledShow, heads: HeadOrder, t: number): void {
  setLanes(show, t);
  setLight(show, heads);
  darkenTurning(show, heads.turners, t);
}

/** Darkens heads while they make a long move. */
function darkenTurning(show: CompiledShow, heads: Int32Array, t: number): void {
  for (let i = 0; i < heads.length; i++) {
    const h = heads[i]!;
    const share = lightOnTheWay(show.paths, h, show.headLanes[h]![0]!, t);
    if (share < 1) show.level[h] = show.level[h]! * share * share;
  }
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
  lane.at = i;
  lane.phase = phaseOfLane(lane, t, beat);
  const previous = i > 0 ? lane.cues[i - 1] : undefined;
  lane.isLit = t >= cue.start && t < cue.end;
  // While dark, the wheel and the zoom already move to what the next cue needs.
  const next = t >= cue.end ? lane.cues[i + 1] : undefined;
  const shown = lane.isLit || !next ? cue : next;
  const at = lane.isLit ? t : shown.start;
  setMoment(lane.now, shown, at, lane.isLit ? beat : shown.anchorBeat, curveAt(show, shown.band, t));
  lane.blend = 1;
  lane.zoomBlend = 1;
  if (!lane.isLit) return;
  const since = t - cue.start;
  const isFading = cue.fadeSeconds > 0 && since < cue.fadeSeconds;
  const opens = beat - cue.anchorBeat < ZOOM_BEATS && previous !== undefined && previous.end >= cue.start - 1e-6;
  if (!isFading && !opens) return;
  if (isFading) lane.blend = since / cue.fadeSeconds;
  if (opens) lane.zoomBlend = Math.min(1, Math.max(0, (beat - cue.anchorBeat) / ZOOM_BEATS));
  if (previous && previous.end >= cue.start - 1e-6) {
    setMoment(lane.before, previous, t, beat, curveAt(show, previous.band, t));
  } else {
    lane.before.cue = undefined;
  }
}

/** Sets pan, tilt and zoom of a head. Without a cue it is at home with a medium beam. */
function setAim(show: CompiledShow, h: number, lane: Lane | undefined, t: number): void {
  if (!lane?.now.cue) {
    show.pan[h] = panAt(show.aims, h, 0);
    show.tilt[h] = tiltAt(show.aims, h, 0);
    show.zoom[h] = 0.5;
    return;
  }
  if (show.paths.first[h]! >= 0) turnHead(show, h, lane, t);
  let { zoom } = lane.now;
  if (lane.zoomBlend < 1 && lane.before.cue) zoom = lane.before.zoom + (zoom - lane.before.zoom) * lane.zoomBlend;
  show.zoom[h] = show.isWash[h] === 1 ? Math.max(WASH_ZOOM, zoom) : zoom;
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
