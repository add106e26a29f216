import type { Cue, LightingPlan, Seconds, SongAnalysis } from "@followspot/contract";
import { intentFamily, nearestIndex, type IntentFamily } from "@followspot/contract";
import { num } from "./curve-path.ts";

/** Pixels before the start of the song. */
export const TIMELINE_OFFSET = 100;
export const CHUNK_WIDTH = 640;
/** Pixels per second. */
export const ZOOM = { initial: 100, factor: 1.5, least: 20, most: 500 } as const;
/** Width above which a block carries a label, pixels; narrower blocks are merged into one path per color. */
export const LABEL_WIDTH = 50;
/** Gap below which blocks of one color are drawn as one, pixels. */
const MERGE_GAP = 2;
/** Minimum distance of two bar numbers, pixels. */
const BAR_NUMBER_SPACING = 34;
/** Minimum distance of two grid lines, pixels. */
const GRID_SPACING = 7;

export type Color = IntentFamily | "other";

export interface TimelineLane {
  readonly target: string;
  /** Display name of the target. */
  readonly label: string;
  readonly cues: readonly Cue[];
  /** Length of the longest cue, seconds: how far before the visible range a search must start. */
  readonly longest: Seconds;
}

export const xOf = (t: Seconds, zoom: number): number => TIMELINE_OFFSET + t * zoom;
export const timeOf = (x: number, zoom: number): Seconds => (x - TIMELINE_OFFSET) / zoom;

export function clampZoom(zoom: number): number {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
}

/** Returns the time that a click at `x` seeks to; undefined outside the song. */
export function seekTime(x: number, zoom: number, duration: Seconds): Seconds | undefined {
  const t = timeOf(x, zoom);
  return t >= 0 && t <= duration ? t : undefined;
}

/** Returns the content width in pixels that allows the centered playhead to reach the end of the song. */
export function contentWidth(duration: Seconds, zoom: number, viewport: number): number {
  return TIMELINE_OFFSET + duration * zoom + viewport / 2;
}

/** Returns the scroll position that centers `t`. At the start of the song the playhead first moves to the center. */
export function centredScroll(t: Seconds, zoom: number, viewport: number): number {
  return Math.max(0, xOf(t, zoom) - viewport / 2);
}

/** Returns the scroll position that follows the playhead. A song that fits into the viewport does not scroll. */
export function followScroll(t: Seconds, duration: Seconds, zoom: number, viewport: number): number {
  return xOf(duration, zoom) <= viewport ? 0 : centredScroll(t, zoom, viewport);
}

/** Returns the scroll position that puts `t` at the pixel `viewX` of the viewport. */
export function scrollFor(t: Seconds, viewX: number, zoom: number): number {
  return Math.max(0, xOf(t, zoom) - viewX);
}

/** Returns the first and last chunk to mount: the visible ones and one more on each side. */
export function mountedChunks(scroll: number, viewport: number, width: number): readonly [number, number] {
  const last = Math.max(0, Math.ceil(width / CHUNK_WIDTH) - 1);
  const clamp = (index: number): number => Math.min(last, Math.max(0, index));
  return [
    clamp(Math.floor(scroll / CHUNK_WIDTH) - 1),
    clamp(Math.floor((scroll + Math.max(0, viewport - 1)) / CHUNK_WIDTH) + 1),
  ];
}

/** Free pixels after a range that is fitted into the view. */
const FIT_MARGIN = 12;

/** Returns the zoom that fits `seconds` between the lane names and the edge of the viewport, without a lower limit. */
export function wholeZoom(seconds: Seconds, viewport: number): number {
  if (!(seconds > 0)) return ZOOM.initial;
  return Math.min(ZOOM.most, Math.max(1, viewport - TIMELINE_OFFSET - FIT_MARGIN) / seconds);
}

/** Returns the same zoom, limited to the range of the zoom buttons. */
export const fitZoom = (seconds: Seconds, viewport: number): number => clampZoom(wholeZoom(seconds, viewport));

// ---- rows ------------------------------------------------------------------------------------

/** Top and height of each row above the lanes, pixels. */
export const ROWS = {
  sections: { top: 6, height: 20 },
  bars: { top: 28, height: 16 },
  waveform: { top: 46, height: 58 },
  energy: { top: 112, height: 42 },
  bands: { top: 162, height: 36 },
  vocals: { top: 206, height: 32 },
  tempo: { top: 246, height: 22 },
  drops: { top: 270, height: 16 },
} as const;
export const LANES_TOP = 292;
export const LANE_HEIGHT = 44;
/** Top and height of a block inside its lane, pixels. */
export const BLOCK = { top: 16, height: 22 } as const;

export function timelineHeight(laneCount: number): number {
  return LANES_TOP + laneCount * LANE_HEIGHT + 8;
}

/** Returns whether y is on the bar numbers, where a loop can be drawn. */
export const isOnRuler = (y: number): boolean => y >= ROWS.bars.top && y < ROWS.waveform.top;
/** Returns whether y is on the section names. */
export const isOnSections = (y: number): boolean => y >= 0 && y < ROWS.bars.top;

/** Returns the index of the lane at y, including the space around its blocks. */
export function laneAt(y: number, laneCount: number): number | undefined {
  const lane = Math.floor((y - LANES_TOP) / LANE_HEIGHT);
  return lane >= 0 && lane < laneCount ? lane : undefined;
}

/** Returns the level 0..1 for a height in a lane: 1 at the top of its blocks, 0 at their bottom, in steps of 5 %. */
export function levelAt(y: number): number {
  const below = ((y - LANES_TOP) % LANE_HEIGHT) - BLOCK.top;
  return Math.round(20 * (1 - Math.min(1, Math.max(0, below / BLOCK.height)))) / 20;
}

/** Returns whether y is on the blocks of a lane, not on the space between lanes. */
export function isOnBlock(y: number): boolean {
  const within = (y - LANES_TOP) % LANE_HEIGHT;
  return y >= LANES_TOP && within >= BLOCK.top && within <= BLOCK.top + BLOCK.height;
}

/** Maps a tempo of 60..240 BPM to 0..1. */
export function tempoLevel(bpm: number): number {
  return Math.min(1, Math.max(0, (bpm - 60) / 180));
}

// ---- lanes -----------------------------------------------------------------------------------

/**
 * Returns the lanes that fixtures play: roles in their usual order on a stage, then groups in the order of the plan.
 */
export function timelineLanes(
  plan: LightingPlan,
  labelOf: (target: string) => string,
  isPlayed: (target: string) => boolean = () => true,
): TimelineLane[] {
  return Object.entries(plan.event_lanes)
    .filter(([target]) => isPlayed(target))
    .map(([target, cues]) => ({
      target,
      label: labelOf(target),
      cues: isSorted(cues) ? cues : cues.toSorted((a, b) => a.time - b.time),
      longest: cues.reduce((most, cue) => Math.max(most, cue.duration), 0),
    }))
    .toSorted((a, b) => roleOrder(a.target) - roleOrder(b.target));
}

const ROLE_ORDER = ["all", "role:wash", "role:bar", "role:par", "role:spot", "role:strobe", "role:effect"];

function roleOrder(target: string): number {
  const order = ROLE_ORDER.indexOf(target);
  return order < 0 ? ROLE_ORDER.length : order;
}

function isSorted(cues: readonly Cue[]): boolean {
  return cues.every((cue, i) => i === 0 || cues[i - 1]!.time <= cue.time);
}

/** Returns the display name of a target: "role:wash" → "Wash", a group ID → the name of the group. */
export function targetLabel(target: string, groupNames: ReadonlyMap<string, string>): string {
  const role = /^role:(.+)$/.exec(target)?.[1] ?? (target === "all" ? "all" : undefined);
  if (role) return role[0]!.toUpperCase() + role.slice(1);
  return groupNames.get(target) ?? target;
}

export const intentLabel = (intent: string): string => intent.replaceAll("_", " ");
export const intentColor = (intent: string): Color => intentFamily(intent) ?? "other";

/** Returns the index of the first item whose key is not less than `value`. */
export function lowerBound<T>(items: readonly T[], value: number, keyOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(items[middle]!) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the cues of a lane that touch [from, to]. */
export function cuesBetween(lane: TimelineLane, from: Seconds, to: Seconds): Cue[] {
  const found: Cue[] = [];
  for (let i = lowerBound(lane.cues, from - lane.longest, (cue) => cue.time); i < lane.cues.length; i++) {
    const cue = lane.cues[i]!;
    if (cue.time > to) break;
    if (cue.time + cue.duration >= from) found.push(cue);
  }
  return found;
}

/** Returns the cue of a lane that is active at t. */
export function cueAt(lane: TimelineLane, t: Seconds): Cue | undefined {
  return cuesBetween(lane, t, t).findLast((cue) => t >= cue.time && t < cue.time + cue.duration);
}

/** Returns the cue under a pointer; `slack` seconds make very narrow blocks easy to hit. */
export function cueNear(lane: TimelineLane, t: Seconds, slack: Seconds): Cue | undefined {
  return cueAt(lane, t) ?? cuesBetween(lane, t - slack, t + slack)[0];
}

export interface ActiveCue {
  readonly lane: TimelineLane;
  readonly cue: Cue;
}

/** Returns the active cue of each lane at t, in lane order, without idle lanes. */
export function activeCues(lanes: readonly TimelineLane[], t: Seconds): ActiveCue[] {
  return lanes.flatMap((lane) => {
    const cue = cueAt(lane, t);
    return cue ? [{ lane, cue }] : [];
  });
}

export interface LabelledBlock {
  readonly cue: Cue;
  /**
   * Position relative to the chunk. A block that crosses an edge extends slightly beyond it, so that its rounded
   * corners are clipped.
   */
  readonly x: number;
  readonly width: number;
  readonly labelX: number;
  readonly label: string;
  readonly color: Color;
}

export interface LaneBlocks {
  readonly labelled: readonly LabelledBlock[];
  /** Narrow blocks: color → one path in the lane's local coordinates. */
  readonly merged: ReadonlyMap<Color, string>;
}

const OVERREACH = 8;
/** Approximate advance of the label font, pixels; used to truncate labels to their block. */
const GLYPH_WIDTH = 6.4;

/** Returns the blocks of one lane inside chunk `index`. */
export function laneBlocks(lane: TimelineLane, index: number, zoom: number): LaneBlocks {
  const left = index * CHUNK_WIDTH;
  const cues = cuesBetween(lane, timeOf(left, zoom), timeOf(left + CHUNK_WIDTH, zoom));
  const labelled: LabelledBlock[] = [];
  const runs = new Map<Color, { from: number; to: number }[]>();
  for (const cue of cues) {
    const from = xOf(cue.time, zoom) - left;
    const to = from + cue.duration * zoom;
    const color = intentColor(cue.intent);
    if (to - from > LABEL_WIDTH) labelled.push(labelledBlock(cue, from, to, color));
    else addToRuns(runs, color, Math.max(from, -OVERREACH), Math.min(to, CHUNK_WIDTH + OVERREACH));
  }
  const merged = new Map<Color, string>();
  for (const [color, list] of runs) {
    merged.set(color, list.map(({ from, to }) => blockPath(from, Math.max(1, to - from - 1))).join(""));
  }
  return { labelled, merged };
}

function labelledBlock(cue: Cue, from: number, to: number, color: Color): LabelledBlock {
  const x = Math.max(from, -OVERREACH);
  const end = Math.min(to, CHUNK_WIDTH + OVERREACH);
  return {
    cue,
    x,
    width: Math.max(1, end - x - 1),
    labelX: from + LABEL_INSET,
    label: labelInChunk(intentLabel(cue.intent), from, to),
    color,
  };
}

export const LABEL_INSET = 8;
/** Upper limit of a letter's width in the label font, pixels. */
const WIDEST_GLYPH = 2 * GLYPH_WIDTH;

/**
 * Returns the part of a block's label that this chunk draws, at from + LABEL_INSET; empty if no letter reaches into the
 * chunk. Two chunks that share a label both draw it, each clipped at its edge, so that it reads as one.
 */
export function labelInChunk(text: string, from: number, to: number): string {
  const label = fitText(text, to - from - LABEL_INSET - 4);
  const x = from + LABEL_INSET;
  return x < CHUNK_WIDTH && x + label.length * WIDEST_GLYPH > 0 ? label : "";
}

/** Truncates the text to the available width; empty if not even three letters fit. */
export function fitText(text: string, room: number): string {
  const letters = Math.floor(room / GLYPH_WIDTH);
  if (letters >= text.length) return text;
  return letters < 4 ? "" : `${text.slice(0, letters - 1).trimEnd()}…`;
}

function addToRuns(runs: Map<Color, { from: number; to: number }[]>, color: Color, from: number, to: number): void {
  let list = runs.get(color);
  if (!list) runs.set(color, (list = []));
  const last = list.at(-1);
  // Blocks that are wide enough to be distinguished stay separate.
  if (last && from - last.to < MERGE_GAP && to - from < 4) last.to = Math.max(last.to, to);
  else list.push({ from, to });
}

function blockPath(x: number, width: number): string {
  const r = Math.min(3, width / 2);
  const w = num(width - 2 * r);
  const h = num(BLOCK.height - 2 * r);
  const c = num(r);
  return (
    `M${num(x + r)},${BLOCK.top}h${w}q${c},0 ${c},${c}v${h}q0,${c} -${c},${c}h-${w}q-${c},0 -${c},-${c}v-${h}` +
    `q0,-${c} ${c},-${c}z`
  );
}

// ---- grid ------------------------------------------------------------------------------------

export interface Grid {
  /** x of the beat lines, relative to the chunk. */
  readonly beats: readonly number[];
  readonly bars: readonly number[];
  readonly numbers: readonly { readonly x: number; readonly bar: number }[];
}

/** Returns the beat and bar lines of chunk `index`, thinned out so that they never merge into a gray area. */
export function gridOf(song: Pick<SongAnalysis, "beats" | "downbeats">, index: number, zoom: number): Grid {
  const left = index * CHUNK_WIDTH;
  const from = timeOf(left - 40, zoom);
  const to = timeOf(left + CHUNK_WIDTH, zoom);
  const x = (t: Seconds): number => xOf(t, zoom) - left;
  const barWidth = meanStep(song.downbeats) * zoom;
  const every = powerOfTwoAtLeast(BAR_NUMBER_SPACING / Math.max(barWidth, 1e-6));
  const lineEvery = powerOfTwoAtLeast(GRID_SPACING / Math.max(barWidth, 1e-6));
  const bars: number[] = [];
  const numbers: { x: number; bar: number }[] = [];
  for (let i = lowerBound(song.downbeats, from, identity); i < song.downbeats.length; i++) {
    const t = song.downbeats[i]!;
    if (t > to) break;
    if (i % lineEvery === 0) bars.push(x(t));
    if (i % every === 0) numbers.push({ x: x(t), bar: i + 1 });
  }
  const beats: number[] = [];
  if (meanStep(song.beats) * zoom >= GRID_SPACING) {
    for (let i = lowerBound(song.beats, from, identity); i < song.beats.length; i++) {
      const t = song.beats[i]!;
      if (t > to) break;
      beats.push(x(t));
    }
  }
  return { beats, bars, numbers };
}

const identity = (value: number): number => value;

function meanStep(times: readonly Seconds[]): Seconds {
  return times.length < 2 ? 0 : (times.at(-1)! - times[0]!) / (times.length - 1);
}

function powerOfTwoAtLeast(n: number): number {
  return Number.isFinite(n) && n > 1 ? 2 ** Math.ceil(Math.log2(n)) : 1;
}

/** Returns vertical lines as one SVG path. */
export function linesPath(xs: readonly number[], top: number, bottom: number): string {
  return xs.map((x) => `M${num(x)},${top}V${bottom}`).join("");
}

/** Returns the item of a sorted list that is nearest to a time; the time itself for an empty list. */
export function nearestTime(sorted: readonly number[], time: number): number {
  return sorted[nearestIndex(sorted, time)] ?? time;
}

/** Maximum distance at which a pointer snaps to a beat, pixels. */
const SNAP_PIXELS = 12;

/** Snaps a time to the nearest beat; returns the time itself if no beat is near. */
export function snapToBeat(beats: readonly Seconds[], time: Seconds, zoom: number): Seconds {
  const beat = nearestTime(beats, time);
  return Math.abs(beat - time) * zoom <= SNAP_PIXELS ? beat : time;
}

/** Returns the next time after t, or the last one before it. A time at t itself is skipped. */
export function neighbouringTime(times: readonly Seconds[], t: Seconds, direction: 1 | -1): Seconds | undefined {
  if (direction > 0) return times[lowerBound(times, t + 0.01, identity)];
  return times[lowerBound(times, t - 0.01, identity) - 1];
}
