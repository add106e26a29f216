import type { Cue, LightingPlan, Seconds, SongAnalysis } from "@followspot/contract";
import { intentFamily, nearestIndex, type IntentFamily } from "@followspot/contract";
import { num } from "./curve-path.ts";

/** Pixels before the start of the song. */
export const TIMELINE_OFFSET = 100;
export const CHUNK_WIDTH = 640;
/** Pixels per second. */
export const ZOOM = { initial: 100, factor: 1.5, least: 20, most: 500 } as const;
/** Wider blocks carry a label; narrower ones are merged into one path per colour. */
export const LABEL_WIDTH = 50;
/** Blocks of one colour this close are drawn as one. */
const MERGE_GAP = 2;
/** Fewest pixels between two bar numbers. */
const BAR_NUMBER_SPACING = 34;
/** Fewest pixels between two lines of the grid. */
const GRID_SPACING = 7;

export type Color = IntentFamily | "other";

export interface TimelineLane {
  readonly target: string;
  /** What people call the target. */
  readonly label: string;
  readonly cues: readonly Cue[];
  /** Longest cue: how far back a search for what is visible must go. */
  readonly longest: Seconds;
}

export const xOf = (t: Seconds, zoom: number): number => TIMELINE_OFFSET + t * zoom;
export const timeOf = (x: number, zoom: number): Seconds => (x - TIMELINE_OFFSET) / zoom;

export function clampZoom(zoom: number): number {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
}

/** Where a click seeks to; undefined outside the song. */
export function seekTime(x: number, zoom: number, duration: Seconds): Seconds | undefined {
  const t = timeOf(x, zoom);
  return t >= 0 && t <= duration ? t : undefined;
}

/** Wide enough for the playhead to reach the end while it stays centred. */
export function contentWidth(duration: Seconds, zoom: number, viewport: number): number {
  return TIMELINE_OFFSET + duration * zoom + viewport / 2;
}

/** Scroll position that centres `t`; at the start of the song the playhead runs up to the centre first. */
export function centredScroll(t: Seconds, zoom: number, viewport: number): number {
  return Math.max(0, xOf(t, zoom) - viewport / 2);
}

/** Scroll position while the playhead is followed: a song that is seen whole stays where it is. */
export function followScroll(t: Seconds, duration: Seconds, zoom: number, viewport: number): number {
  return xOf(duration, zoom) <= viewport ? 0 : centredScroll(t, zoom, viewport);
}

/** Scroll position that keeps `t` under the pixel `viewX` of the viewport. */
export function scrollFor(t: Seconds, viewX: number, zoom: number): number {
  return Math.max(0, xOf(t, zoom) - viewX);
}

/** First and last chunk to mount: the visible ones and one on each side. */
export function mountedChunks(scroll: number, viewport: number, width: number): readonly [number, number] {
  const last = Math.max(0, Math.ceil(width / CHUNK_WIDTH) - 1);
  const clamp = (index: number): number => Math.min(last, Math.max(0, index));
  return [
    clamp(Math.floor(scroll / CHUNK_WIDTH) - 1),
    clamp(Math.floor((scroll + Math.max(0, viewport - 1)) / CHUNK_WIDTH) + 1),
  ];
}

/** Pixels that stay free behind a stretch that is fitted. */
const FIT_MARGIN = 12;

/** Zoom that shows `seconds` between the names of the lanes and the edge of the viewport, however long they are. */
export function wholeZoom(seconds: Seconds, viewport: number): number {
  if (!(seconds > 0)) return ZOOM.initial;
  return Math.min(ZOOM.most, Math.max(1, viewport - TIMELINE_OFFSET - FIT_MARGIN) / seconds);
}

/** The same within the limits of the zoom. */
export const fitZoom = (seconds: Seconds, viewport: number): number => clampZoom(wholeZoom(seconds, viewport));

// ---- rows ------------------------------------------------------------------------------------

/** Top and height of each row above the lanes. */
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
/** Top and height of a block inside its lane. */
export const BLOCK = { top: 16, height: 22 } as const;

export function timelineHeight(laneCount: number): number {
  return LANES_TOP + laneCount * LANE_HEIGHT + 8;
}

/** Whether y is on the numbers of the bars, where a loop is drawn. */
export const isOnRuler = (y: number): boolean => y >= ROWS.bars.top && y < ROWS.waveform.top;
/** Whether y is on the names of the sections. */
export const isOnSections = (y: number): boolean => y >= 0 && y < ROWS.bars.top;

/** Lane under y, hit anywhere in its height. */
export function laneAt(y: number, laneCount: number): number | undefined {
  const lane = Math.floor((y - LANES_TOP) / LANE_HEIGHT);
  return lane >= 0 && lane < laneCount ? lane : undefined;
}

/** Level 0..1 of a height in a lane: full at the top of its blocks, dark at their bottom; in steps of 5 %. */
export function levelAt(y: number): number {
  const below = ((y - LANES_TOP) % LANE_HEIGHT) - BLOCK.top;
  return Math.round(20 * (1 - Math.min(1, Math.max(0, below / BLOCK.height)))) / 20;
}

/** Whether y is on the blocks of its lane and not on the free space between. */
export function isOnBlock(y: number): boolean {
  const within = (y - LANES_TOP) % LANE_HEIGHT;
  return y >= LANES_TOP && within >= BLOCK.top && within <= BLOCK.top + BLOCK.height;
}

/** Tempo 60..240 BPM as 0..1. */
export function tempoLevel(bpm: number): number {
  return Math.min(1, Math.max(0, (bpm - 60) / 180));
}

// ---- lanes -----------------------------------------------------------------------------------

/** Lanes that lamps play, in the order roles are thought of on a stage; groups after roles, in the order of the plan. */
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

/** "role:wash" → "Wash", a group id → the name of the group. */
export function targetLabel(target: string, groupNames: ReadonlyMap<string, string>): string {
  const role = /^role:(.+)$/.exec(target)?.[1] ?? (target === "all" ? "all" : undefined);
  if (role) return role[0]!.toUpperCase() + role.slice(1);
  return groupNames.get(target) ?? target;
}

export const intentLabel = (intent: string): string => intent.replaceAll("_", " ");
export const intentColor = (intent: string): Color => intentFamily(intent) ?? "other";

/** Index of the first item whose key is not before `value`. */
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

/** Cues of a lane that touch [from, to]. */
export function cuesBetween(lane: TimelineLane, from: Seconds, to: Seconds): Cue[] {
  const found: Cue[] = [];
  for (let i = lowerBound(lane.cues, from - lane.longest, (cue) => cue.time); i < lane.cues.length; i++) {
    const cue = lane.cues[i]!;
    if (cue.time > to) break;
    if (cue.time + cue.duration >= from) found.push(cue);
  }
  return found;
}

/** The cue of a lane that runs at t. */
export function cueAt(lane: TimelineLane, t: Seconds): Cue | undefined {
  return cuesBetween(lane, t, t).findLast((cue) => t >= cue.time && t < cue.time + cue.duration);
}

/** The cue under a pointer; `slack` seconds make blocks of a few pixels easy to hit. */
export function cueNear(lane: TimelineLane, t: Seconds, slack: Seconds): Cue | undefined {
  return cueAt(lane, t) ?? cuesBetween(lane, t - slack, t + slack)[0];
}

export interface ActiveCue {
  readonly lane: TimelineLane;
  readonly cue: Cue;
}

/** What every lane does at t, lanes in order, lanes at rest left out. */
export function activeCues(lanes: readonly TimelineLane[], t: Seconds): ActiveCue[] {
  return lanes.flatMap((lane) => {
    const cue = cueAt(lane, t);
    return cue ? [{ lane, cue }] : [];
  });
}

export interface LabelledBlock {
  readonly cue: Cue;
  /** Relative to the chunk; a block that crosses an edge reaches a little over it, so its corners are cut off there. */
  readonly x: number;
  readonly width: number;
  readonly labelX: number;
  readonly label: string;
  readonly color: Color;
}

export interface LaneBlocks {
  readonly labelled: readonly LabelledBlock[];
  /** Narrow blocks: colour → one path in the lane's own coordinates. */
  readonly merged: ReadonlyMap<Color, string>;
}

const OVERREACH = 8;
/** Rough advance of the label font, to cut labels before they leave their block. */
const GLYPH_WIDTH = 6.4;

/** The blocks of one lane inside chunk `index`. */
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
/** Wider than any letter of the label font. */
const WIDEST_GLYPH = 2 * GLYPH_WIDTH;

/**
 * What this chunk draws of the label of a block from..to, at from + LABEL_INSET; "" where no letter reaches into the chunk.
 * A label on the border of two chunks is drawn by both, each cut at its edge, so that it is read as one.
 */
export function labelInChunk(text: string, from: number, to: number): string {
  const label = fitText(text, to - from - LABEL_INSET - 4);
  const x = from + LABEL_INSET;
  return x < CHUNK_WIDTH && x + label.length * WIDEST_GLYPH > 0 ? label : "";
}

/** The text as far as it fits, "" when not even three letters do. */
export function fitText(text: string, room: number): string {
  const letters = Math.floor(room / GLYPH_WIDTH);
  if (letters >= text.length) return text;
  return letters < 4 ? "" : `${text.slice(0, letters - 1).trimEnd()}…`;
}

function addToRuns(runs: Map<Color, { from: number; to: number }[]>, color: Color, from: number, to: number): void {
  let list = runs.get(color);
  if (!list) runs.set(color, (list = []));
  const last = list.at(-1);
  // Blocks wide enough to be told apart stay apart.
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
  /** x of lines relative to the chunk. */
  readonly beats: readonly number[];
  readonly bars: readonly number[];
  readonly numbers: readonly { readonly x: number; readonly bar: number }[];
}

/** Beat and bar lines of chunk `index`, thinned so that they never become a grey surface. */
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

/** Vertical lines as one path. */
export function linesPath(xs: readonly number[], top: number, bottom: number): string {
  return xs.map((x) => `M${num(x)},${top}V${bottom}`).join("");
}

/** The member of a sorted list nearest to a time; the time itself in an empty one. */
export function nearestTime(sorted: readonly number[], time: number): number {
  return sorted[nearestIndex(sorted, time)] ?? time;
}

/** A beat that is at most this near, pixels, is meant. */
const SNAP_PIXELS = 12;

/** The beat that is meant by a pointer at `time`; the time itself where none is near. */
export function snapToBeat(beats: readonly Seconds[], time: Seconds, zoom: number): Seconds {
  const beat = nearestTime(beats, time);
  return Math.abs(beat - time) * zoom <= SNAP_PIXELS ? beat : time;
}

/** Of sorted times the one before or after t; from on one, the next in that direction. */
export function neighbouringTime(times: readonly Seconds[], t: Seconds, direction: 1 | -1): Seconds | undefined {
  if (direction > 0) return times[lowerBound(times, t + 0.01, identity)];
  return times[lowerBound(times, t - 0.01, identity) - 1];
}
