import {
  LEAST_TAPS,
  type Correction,
  type Drop,
  type Seconds,
  type Section,
  type SongAnalysis,
  type SongCorrections,
  type TempoFactor,
} from "@followspot/contract";

/** The insight under which a person reads what was corrected. */
export const CORRECTED = "corrected by hand";
/** Who answers for beats or downbeats a person decided, among the engines. */
const BY_HAND = { engine: CORRECTED, version: "1" } as const;
/** The warning of an analysis whose grid corrections belong to another grid. */
export const SET_ASIDE = "corrections_set_aside";

const FACTORS: Record<TempoFactor, number> = { "2": 2, "1/2": 1 / 2, "3/2": 3 / 2, "2/3": 2 / 3 };
/** A grid that was heard again moved when its tempo or its bars differ by more than this. */
const TEMPO_DRIFT = 0.02;
const BAR_DRIFT: Seconds = 0.1;
/**
 * Taps this close to a simple multiple of the heard tempo follow the heard beats, which know every change of
 * tempo. Four taps are rough; the more there are, the closer they must be.
 */
const TAP_DRIFT = { most: 0.06, least: 0.015 } as const;
const TAP_MULTIPLES = [1, 2, 1 / 2, 3 / 2, 2 / 3, 3, 1 / 3, 4, 1 / 4];
/** Nobody taps more exactly than this share of a beat; a smaller offset is left alone. */
const TAP_OFFSET = 0.15;
/** Beats outside this tempo (BPM) light nothing. */
const TEMPO = { least: 20, most: 400 } as const;
/** Beats around a point of the tempo curve. */
const CURVE_BEATS = 8;
const EDGE_SLACK: Seconds = 0.05;

/** Beats with the places of their downbeats: what edits of the grid change. */
interface Grid {
  readonly beats: readonly Seconds[];
  /** Indices of beats, ascending. */
  readonly downbeats: readonly number[];
  readonly beatsPerBar: number;
  readonly isStraight: boolean;
  /** A person decided where the beats are, or which of them begin a bar. */
  readonly isTempoDecided: boolean;
  readonly isBarDecided: boolean;
  /** Beats were made anew, so the swing that was heard between the old ones says nothing. */
  readonly isRemade: boolean;
}

/** A section whose start is not snapped to a bar yet; an edit of sections settles it where it is seen. */
type LooseSection = Section & { readonly isDecided: boolean };

interface Corrected {
  readonly grid: Grid;
  readonly sections: readonly LooseSection[];
  readonly drops: readonly Drop[];
}

/** What corrections remember of the heard grid; where no bar was heard, 0 stands for both. */
export function heardGrid(heard: SongAnalysis): SongCorrections["heard"] {
  return {
    tempo: heard.tempo,
    beats_per_bar: heard.grid.beats_per_bar,
    first_downbeat: heard.downbeats[0] ?? 0,
    last_downbeat: heard.downbeats.at(-1) ?? 0,
  };
}

/** Whether a person decided where the beats are, or which of them begin bars. */
export function isByHand({ insights }: SongAnalysis, what: "beats" | "downbeats"): boolean {
  return insights.engines[what]?.engine === CORRECTED;
}

/** Whether edits of tempo and bars mean the same on this analysis as on the one they were made on. */
export function correctionsFit(heard: SongAnalysis, { heard: then, edits }: SongCorrections): boolean {
  if (!edits.some(isRelative)) return true;
  if (then.beats_per_bar !== heard.grid.beats_per_bar) return false;
  if (Math.abs(then.tempo - heard.tempo) > TEMPO_DRIFT * Math.max(then.tempo, 1)) return false;
  return [then.first_downbeat, then.last_downbeat].every((time) => isOnBar(heard.downbeats, time));
}

/** Whether a bar begins at a time. Beyond the first and last one heard, bars go on as long as those. */
function isOnBar(downbeats: readonly Seconds[], time: Seconds): boolean {
  const bar = nearest(downbeats, time, 0);
  const distance = Math.abs(bar - time);
  const isOutside = time < downbeats[0]! || time > downbeats.at(-1)!;
  if (downbeats.length < 2 || !isOutside) return distance <= BAR_DRIFT;
  const length = time < bar ? downbeats[1]! - bar : bar - downbeats.at(-2)!;
  const missed = Math.abs(distance - Math.round(distance / length) * length);
  return missed <= BAR_DRIFT + TEMPO_DRIFT * distance;
}

/** Says something about the beats that were heard; tapped beats and sections stand for themselves. */
export const isRelative = ({ kind }: Correction): boolean => kind === "tempo" || kind === "downbeat" || kind === "bar";

/**
 * The analysis as a person corrected it. Edits are applied in order to what was heard; where the heard
 * grid moved since, those that were relative to it are left out and a warning says so.
 *
 * @returns `heard` itself when there is nothing to correct
 */
export function correctAnalysis(heard: SongAnalysis, corrections: SongCorrections | null): SongAnalysis {
  if (!corrections || corrections.edits.length === 0) return heard;
  const fits = correctionsFit(heard, corrections);
  const edits = fits ? corrections.edits : corrections.edits.filter((edit) => !isRelative(edit));
  const start: Corrected = {
    grid: {
      beats: heard.beats,
      downbeats: heard.downbeats.map((time) => nearestIndex(heard.beats, time)).filter((i) => i >= 0),
      beatsPerBar: heard.grid.beats_per_bar,
      isStraight: heard.grid.stable,
      isTempoDecided: false,
      isBarDecided: false,
      isRemade: false,
    },
    sections: heard.structure.sections.map((section) => ({ ...section, isDecided: false })),
    drops: heard.drop_predictions,
  };
  const corrected = edits.reduce((state, edit) => applyEdit(state, edit, heard.duration), start);
  return describe(heard, corrected, edits, fits);
}

function applyEdit(state: Corrected, edit: Correction, duration: Seconds): Corrected {
  switch (edit.kind) {
    case "tempo":
      return { ...state, grid: scaleTempo(state.grid, FACTORS[edit.factor]) };
    case "downbeat":
      return { ...state, grid: shiftDownbeat(state.grid, edit.beats) };
    case "bar":
      return { ...state, grid: layBars({ ...state.grid, beatsPerBar: edit.beats, isBarDecided: true }) };
    case "tap":
      return { ...state, grid: followTaps(state.grid, edit.times, duration) };
    case "edge":
      return moveEdge(state, edit.at, edit.to, duration);
    case "label":
      return { ...state, sections: relabel(state, edit.at, edit.label, duration) };
    case "split":
      return { ...state, sections: split(state, edit.at, duration) };
    case "merge":
      return { ...state, sections: merge(state, edit.at, duration) };
    default:
      return edit satisfies never;
  }
}

// ---- beats and bars ----------------------------------------------------------------------------

/** Beats `factor` times as dense, counted from the first downbeat; between heard beats they lie on a line. */
function scaleTempo(grid: Grid, factor: number): Grid {
  const { beats } = grid;
  if (beats.length < 2) return grid;
  const tempo = tempoOf(beats, grid.isStraight) * factor;
  if (tempo < TEMPO.least || tempo > TEMPO.most) return grid;
  return { ...spread(grid, factor, grid.downbeats[0] ?? 0), isTempoDecided: true, isRemade: true };
}

/** Beats at every 1/factor of the old index through `anchor`, a place in the old index that becomes a downbeat. */
function spread(grid: Grid, factor: number, anchor: number): Grid {
  const { beats } = grid;
  const last = beats.length - 1;
  const first = Math.ceil((0 - anchor) * factor - 1e-9);
  const places: number[] = [];
  for (let j = first; anchor + j / factor <= last + 1e-9; j++) places.push(anchor + j / factor);
  const made = places.map((place) => timeAt(beats, Math.min(last, Math.max(0, place))));
  const phase = ((-first % grid.beatsPerBar) + grid.beatsPerBar) % grid.beatsPerBar;
  return layBars({ ...grid, beats: made, downbeats: [phase] });
}

/** Regular bars through the first downbeat there is, over all beats. */
function layBars(grid: Grid): Grid {
  const { beats, beatsPerBar } = grid;
  const phase = (grid.downbeats[0] ?? 0) % beatsPerBar;
  const downbeats: number[] = [];
  for (let i = phase; i < beats.length; i += beatsPerBar) downbeats.push(i);
  return { ...grid, downbeats };
}

function shiftDownbeat(grid: Grid, by: number): Grid {
  const { beats, beatsPerBar } = grid;
  const bars = grid.downbeats.length > 0 ? grid.downbeats : [0];
  const moved = bars.map((i) => i + by);
  for (let i = moved[0]! - beatsPerBar; i >= 0; i -= beatsPerBar) moved.unshift(i);
  for (let i = moved.at(-1)! + beatsPerBar; i < beats.length; i += beatsPerBar) moved.push(i);
  return { ...grid, downbeats: moved.filter((i) => i >= 0 && i < beats.length), isBarDecided: true };
}

/**
 * The grid somebody tapped. Taps at a simple multiple of the beats that are there choose among them and
 * move them by a share of a beat; any other tempo is a straight line through the whole song.
 */
function followTaps(grid: Grid, taps: readonly Seconds[], duration: Seconds): Grid {
  const line = fitTaps(taps);
  if (!line || line.bpm < TEMPO.least || line.bpm > TEMPO.most) return grid;
  const decided = { isTempoDecided: true, isRemade: true } as const;
  const period = 60 / line.bpm;
  const [from, to] = [Math.min(...taps), Math.max(...taps)];
  const around = grid.beats.filter((time) => time >= from - 2 * period && time <= to + 2 * period);
  const local = around.length >= 2 ? (60 * (around.length - 1)) / (around.at(-1)! - around[0]!) : 0;
  const slack = Math.max(TAP_DRIFT.least, (TAP_DRIFT.most * LEAST_TAPS) / taps.length);
  const factor = TAP_MULTIPLES.find((multiple) => Math.abs(line.bpm / (local * multiple) - 1) < slack);
  if (factor === undefined) {
    const first = line.anchor - Math.floor(line.anchor / period) * period;
    const beats: Seconds[] = [];
    for (let i = 0; first + i * period < duration; i++) beats.push(first + i * period);
    const bar = grid.downbeats.map((i) => grid.beats[i]!);
    const downbeat = nearestIndex(beats, nearest(bar, line.anchor, line.anchor));
    return layBars({ ...grid, ...decided, beats, downbeats: [Math.max(0, downbeat)], isStraight: true });
  }
  // Where the taps fall between the beats, first as a share of a tapped beat, then of a heard one.
  const anchor = grid.downbeats[0] ?? 0;
  const shift = circularMean(taps.map((tap) => (placeOf(grid.beats, tap) - anchor) * factor)) / factor;
  const isOnBeats = Math.abs(shift - Math.round(shift)) < TAP_OFFSET / Math.max(1, factor);
  return { ...spread(grid, factor, anchor + (isOnBeats ? Math.round(shift) : shift)), ...decided };
}

/** Tempo and a beat of the least-squares line through taps; a tap that was left out is counted. Undefined for fewer than four. */
export function fitTaps(taps: readonly Seconds[]): { readonly bpm: number; readonly anchor: Seconds } | undefined {
  const times = [...new Set(taps)].sort((a, b) => a - b);
  if (times.length < LEAST_TAPS) return undefined;
  const period = median(times.slice(1).map((time, i) => time - times[i]!));
  if (!(period > 0)) return undefined;
  const beats: number[] = [0];
  times.slice(1).forEach((time, i) => beats.push(beats[i]! + Math.max(1, Math.round((time - times[i]!) / period))));
  const { slope, offset } = fitLine(beats, times);
  return slope > 0 ? { bpm: 60 / slope, anchor: Math.max(0, offset) } : undefined;
}

// ---- sections ----------------------------------------------------------------------------------

/** Sections on the bars of the grid. A section that was not touched keeps its edge while the bars are those that were heard. */
function snapSections({ grid, sections }: Corrected, duration: Seconds): LooseSection[] {
  const bars = grid.downbeats.map((i) => grid.beats[i]!);
  const isMoved = grid.isTempoDecided || grid.isBarDecided;
  const bar = barLength(grid);
  const starts: Seconds[] = [];
  sections.forEach((section, i) => {
    const before = starts[i - 1] ?? 0;
    if (i === 0) return starts.push(section.start);
    const snapped = isMoved || section.isDecided ? nearest(bars, section.start, section.start) : section.start;
    const after = sections[i + 1]?.start ?? duration;
    // Two edges never share a bar: the second one stays where it is. Nor does an edge go where no bar is near.
    const isFree = snapped > before && snapped < after && Math.abs(snapped - section.start) <= bar;
    return starts.push(isFree ? snapped : section.start);
  });
  return sections.map((section, i) => ({
    ...section,
    start: starts[i]!,
    end: i + 1 < sections.length ? starts[i + 1]! : section.end,
  }));
}

/** Index of the section whose shown start is nearest to `at`; 0, the start of the song, is no edge. */
function edgeAt(state: Corrected, at: Seconds, duration: Seconds): number {
  const starts = snapSections(state, duration).map((section) => section.start);
  if (starts.length < 2) return -1;
  const index = 1 + nearestIndex(starts.slice(1), at);
  // An edge that is more than two bars away is another one: the song was analysed anew.
  return Math.abs(starts[index]! - at) <= 2 * barLength(state.grid) ? index : -1;
}

function moveEdge(state: Corrected, at: Seconds, to: Seconds, duration: Seconds): Corrected {
  const index = edgeAt(state, at, duration);
  if (index < 0) return state;
  const shown = snapSections(state, duration);
  const from = shown[index]!.start;
  if (to <= shown[index - 1]!.start + EDGE_SLACK || to >= shown[index]!.end - EDGE_SLACK) return state;
  return {
    ...state,
    sections: shown.map((section, i) =>
      i === index ? { ...section, start: to, isDecided: true, confidence: 1 } : section,
    ),
    // What happened at the edge happens where the edge is now.
    drops: state.drops.map((drop) =>
      Math.abs(drop.time - from) <= barLength(state.grid) / 2 ? { ...drop, time: to, confidence: 1 } : drop,
    ),
  };
}

function relabel(state: Corrected, at: Seconds, label: Section["label"], duration: Seconds): LooseSection[] {
  const index = sectionAt(state, at, duration);
  return state.sections.map((section, i) => (i === index ? { ...section, label, confidence: 1 } : section));
}

function split(state: Corrected, at: Seconds, duration: Seconds): readonly LooseSection[] {
  const index = sectionAt(state, at, duration);
  const shown = snapSections(state, duration);
  const section = shown[index];
  if (!section || at <= section.start + EDGE_SLACK || at >= section.end - EDGE_SLACK) return state.sections;
  const halves = [
    { ...section, confidence: 1 },
    { ...section, start: at, isDecided: true, confidence: 1 },
  ];
  return shown.toSpliced(index, 1, ...halves);
}

/** The earlier section keeps its label; levels are those of both, by length. */
function merge(state: Corrected, at: Seconds, duration: Seconds): readonly LooseSection[] {
  const index = edgeAt(state, at, duration);
  if (index < 0) return state.sections;
  const shown = snapSections(state, duration);
  const [first, second] = [shown[index - 1]!, shown[index]!];
  const [a, b] = [first.end - first.start, second.end - second.start];
  const share = a + b > 0 ? a / (a + b) : 0.5;
  const joined = {
    ...first,
    end: second.end,
    energy: share * first.energy + (1 - share) * second.energy,
    intensity: share * first.intensity + (1 - share) * second.intensity,
    confidence: 1,
  };
  return shown.toSpliced(index - 1, 2, joined);
}

function sectionAt(state: Corrected, at: Seconds, duration: Seconds): number {
  return snapSections(state, duration).findLastIndex((section) => section.start <= at + EDGE_SLACK);
}

const barLength = ({ beats, beatsPerBar }: Grid): Seconds =>
  beats.length < 2 ? 4 : (beatsPerBar * (beats.at(-1)! - beats[0]!)) / (beats.length - 1);

// ---- the result --------------------------------------------------------------------------------

function describe(heard: SongAnalysis, state: Corrected, edits: readonly Correction[], fits: boolean): SongAnalysis {
  const { grid } = state;
  const isMoved = grid.isTempoDecided || grid.isBarDecided;
  const beats = grid.isTempoDecided ? times(grid.beats, heard.duration) : heard.beats;
  const downbeats = isMoved
    ? grid.downbeats.map((i) => beats[i]).filter((time) => time !== undefined)
    : heard.downbeats;
  const swing = grid.isRemade ? 0.5 : heard.grid.swing;
  const tempo = grid.isTempoDecided ? round(tempoOf(beats, grid.isStraight), 2) : heard.tempo;
  const sections = snapSections(state, heard.duration).map(
    ({ start, end, label, energy, intensity, confidence }): Section => ({
      start: round(start, 4),
      end: round(end, 4),
      label,
      energy: round(energy, 3),
      intensity: round(intensity, 3),
      confidence,
    }),
  );
  const warnings = heard.insights.warnings.filter((warning) => warning !== SET_ASIDE);
  return {
    ...heard,
    tempo,
    beats,
    downbeats,
    offbeats: grid.isTempoDecided
      ? times(
          beats.slice(1).map((time, i) => beats[i]! + (time - beats[i]!) * swing),
          heard.duration,
        )
      : heard.offbeats,
    grid: {
      beats_per_bar: grid.beatsPerBar,
      tempo_curve_bpm: grid.isTempoDecided ? tempoCurve(grid) : heard.grid.tempo_curve_bpm,
      confidence: grid.isTempoDecided ? 1 : heard.grid.confidence,
      downbeat_confidence: grid.isBarDecided ? 1 : heard.grid.downbeat_confidence,
      stable: grid.isStraight,
      swing,
    },
    structure: { sections },
    drop_predictions: snapDrops(state.drops, isMoved, beats, downbeats),
    insights: {
      ...heard.insights,
      tempo_info: grid.isTempoDecided
        ? { bpm: tempo, confidence: 1, stable: grid.isStraight }
        : heard.insights.tempo_info,
      pattern_reasoning: {
        ...heard.insights.pattern_reasoning,
        ...(edits.length > 0 && { [CORRECTED]: explain(edits, tempo, grid.beatsPerBar) }),
      },
      engines: {
        ...heard.insights.engines,
        ...(grid.isTempoDecided && { beats: BY_HAND }),
        ...(grid.isBarDecided && { downbeats: BY_HAND }),
      },
      warnings: fits ? warnings : [...warnings, SET_ASIDE],
    },
  };
}

/** A drop on its bar; on its beat when no bar is within a beat. Of two on one place the surer stays. */
function snapDrops(
  drops: readonly Drop[],
  isMoved: boolean,
  beats: readonly Seconds[],
  downbeats: readonly Seconds[],
): Drop[] {
  const beat = beats.length < 2 ? 0.5 : (beats.at(-1)! - beats[0]!) / (beats.length - 1);
  const snapped = drops.map((drop): Drop => {
    if (!isMoved) return { ...drop, time: round(drop.time, 4) };
    const bar = nearest(downbeats, drop.time, drop.time);
    return { ...drop, time: Math.abs(bar - drop.time) <= beat + 1e-6 ? bar : nearest(beats, drop.time, drop.time) };
  });
  const best = new Map<number, Drop>();
  for (const drop of snapped) {
    const other = best.get(drop.time);
    if (!other || drop.confidence > other.confidence) best.set(drop.time, drop);
  }
  return [...best.values()].sort((a, b) => a.time - b.time);
}

/** Tempo per bar from the line through the eight beats around it; points only where it moves. */
function tempoCurve({ beats, downbeats }: Grid): SongAnalysis["grid"]["tempo_curve_bpm"] {
  if (beats.length < 4) return [];
  const reach = Math.min(CURVE_BEATS, beats.length);
  const points: { time: number; bpm: number }[] = [];
  for (const i of [0, ...downbeats.filter((at) => at > 0)]) {
    const from = Math.min(beats.length - reach, Math.max(0, i - reach / 2)) | 0;
    const window = beats.slice(from, from + reach);
    const bpm = round(60 / fitLine([...window.keys()], window).slope, 2);
    const last = points.at(-1);
    if (!last || Math.abs(last.bpm - bpm) >= 0.3) points.push({ time: round(beats[i]!, 4), bpm });
  }
  return points;
}

function explain(edits: readonly Correction[], tempo: number, beatsPerBar: number): string {
  const kinds = new Set(edits.map((edit) => edit.kind));
  const parts: string[] = [];
  if (kinds.has("tempo") || kinds.has("tap")) parts.push(`tempo ${Math.round(tempo)} BPM`);
  if (kinds.has("bar")) parts.push(`bars of ${beatsPerBar} beats`);
  if (kinds.has("downbeat")) parts.push("the first beat of the bar");
  if (kinds.has("edge") || kinds.has("split") || kinds.has("merge") || kinds.has("label")) parts.push("sections");
  const text = parts.join(", ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

// ---- numbers -----------------------------------------------------------------------------------

function tempoOf(beats: readonly Seconds[], isStraight: boolean): number {
  if (beats.length < 2) return 0;
  if (isStraight) return 60 / fitLine([...beats.keys()], beats).slope;
  return 60 / median(beats.slice(1).map((time, i) => time - beats[i]!));
}

/** Time at a place between beats. */
function timeAt(beats: readonly Seconds[], place: number): Seconds {
  const i = Math.min(beats.length - 2, Math.max(0, Math.floor(place)));
  return beats[i]! + (place - i) * (beats[i + 1]! - beats[i]!);
}

/** Place between beats at a time; the first and last beat length go on beyond the ends. */
function placeOf(beats: readonly Seconds[], time: Seconds): number {
  const after = beats.findIndex((beat) => beat > time);
  const i = Math.min(beats.length - 2, Math.max(0, (after < 0 ? beats.length : after) - 1));
  return i + (time - beats[i]!) / (beats[i + 1]! - beats[i]!);
}

/** Mean of shares of a beat on the circle, -0.5..0.5. */
function circularMean(shares: readonly number[]): number {
  const turn = 2 * Math.PI;
  const x = shares.reduce((sum, share) => sum + Math.cos(share * turn), 0);
  const y = shares.reduce((sum, share) => sum + Math.sin(share * turn), 0);
  return Math.atan2(y, x) / turn;
}

function fitLine(xs: readonly number[], ys: readonly number[]): { slope: number; offset: number } {
  const n = xs.length;
  const meanX = xs.reduce((sum, x) => sum + x, 0) / n;
  const meanY = ys.reduce((sum, y) => sum + y, 0) / n;
  let product = 0;
  let square = 0;
  for (let i = 0; i < n; i++) {
    product += (xs[i]! - meanX) * (ys[i]! - meanY);
    square += (xs[i]! - meanX) ** 2;
  }
  const slope = square > 0 ? product / square : 0;
  return { slope, offset: meanY - slope * meanX };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Index of the nearest time, -1 in an empty list. */
function nearestIndex(sorted: readonly Seconds[], time: Seconds): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < time) low = middle + 1;
    else high = middle;
  }
  if (low === sorted.length) return sorted.length - 1;
  return low > 0 && time - sorted[low - 1]! <= sorted[low]! - time ? low - 1 : low;
}

function nearest(sorted: readonly Seconds[], time: Seconds, otherwise: Seconds): Seconds {
  return sorted[nearestIndex(sorted, time)] ?? otherwise;
}

function times(values: readonly Seconds[], duration: Seconds): Seconds[] {
  return values.filter((time) => time >= 0 && time <= duration).map((time) => round(time, 4));
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
