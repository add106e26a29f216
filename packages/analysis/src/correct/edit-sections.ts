import { nearestIndex, type Seconds, type Section } from "@followspot/contract";
import { round } from "../basics/maths.ts";
import { barLength, isGridMoved, type Corrected, type LooseSection } from "./corrected.ts";

/** Edges closer than this are one edge. */
const EDGE_SLACK: Seconds = 0.05;

/** A user's edge was not measured, so the strength of the change there is unknown. */
const NEW_EDGE = { boundary_strength: undefined } as const;

/** Moves the edge nearest to `at` to `to`, unless it would cross another. */
export function moveEdge(state: Corrected, at: Seconds, to: Seconds): Corrected {
  const index = edgeAt(state, at);
  if (index < 0) return state;
  const shown = snapSections(state);
  const from = shown[index]!.start;
  if (to <= shown[index - 1]!.start + EDGE_SLACK || to >= shown[index]!.end - EDGE_SLACK) return state;
  return {
    ...state,
    sections: shown.map((section, i) =>
      i === index ? { ...sure(section, NEW_EDGE), start: to, isDecided: true } : section,
    ),
    // Events at the edge move with it.
    drops: state.drops.map((drop) =>
      Math.abs(drop.time - from) <= barLength(state.grid) / 2 ? { ...drop, time: to, confidence: 1 } : drop,
    ),
  };
}

/** Changes the label of the section at `at`. */
export function relabel(state: Corrected, at: Seconds, label: Section["label"]): Corrected {
  const index = sectionAt(state, at);
  const named = (section: LooseSection) => sure(section, { label, label_probabilities: undefined });
  const sections = state.sections.map((section, i) => (i === index ? named(section) : section));
  return { ...state, sections };
}

/** Splits the section at `at` into two with the same label. */
export function splitSection(state: Corrected, at: Seconds): Corrected {
  const index = sectionAt(state, at);
  const shown = snapSections(state);
  const section = shown[index];
  if (!section || at <= section.start + EDGE_SLACK || at >= section.end - EDGE_SLACK) return state;
  const halves = [sure(section), { ...sure(section, NEW_EDGE), start: at, isDecided: true }];
  return { ...state, sections: shown.toSpliced(index, 1, ...halves) };
}

/** Removes the edge nearest to `at`. The earlier section keeps its label and key; levels are averaged by length. */
export function mergeSections(state: Corrected, at: Seconds): Corrected {
  const index = edgeAt(state, at);
  if (index < 0) return state;
  const shown = snapSections(state);
  const [first, second] = [shown[index - 1]!, shown[index]!];
  const [a, b] = [first.end - first.start, second.end - second.start];
  const share = a + b > 0 ? a / (a + b) : 0.5;
  const mixed = (level: "energy" | "intensity") => round(share * first.own[level] + (1 - share) * second.own[level], 3);
  const joined = {
    ...sure(first, { energy: mixed("energy"), intensity: mixed("intensity") }),
    end: second.end,
  };
  return { ...state, sections: shown.toSpliced(index - 1, 2, joined) };
}

/** Returns a section with a user's changes, at full confidence. */
function sure(section: LooseSection, said: Partial<LooseSection["own"]> = {}): LooseSection {
  return { ...section, own: { ...section.own, ...said, confidence: 1 } };
}

/**
 * Snaps sections to the bars of the grid. An unedited section keeps its edge as long as the bars are the detected ones.
 */
export function snapSections({ grid, sections, duration }: Corrected): LooseSection[] {
  const bars = grid.downbeats.map((i) => grid.beats[i]!);
  const isMoved = isGridMoved(grid);
  const bar = barLength(grid);
  const starts: Seconds[] = [];
  sections.forEach((section, i) => {
    const before = starts[i - 1] ?? 0;
    if (i === 0) return starts.push(section.start);
    const snapped = isMoved || section.isDecided ? nearestTime(bars, section.start) : section.start;
    const after = sections[i + 1]?.start ?? duration;
    // Two edges never share a bar: the second one stays where it is. An edge also stays if no bar is near.
    const isFree = snapped > before && snapped < after && Math.abs(snapped - section.start) <= bar;
    return starts.push(isFree ? snapped : section.start);
  });
  return sections.map((section, i) => ({
    ...section,
    start: starts[i]!,
    end: i + 1 < sections.length ? starts[i + 1]! : section.end,
  }));
}

/** Returns the time nearest to `time` in an ascending list, or `time` itself if the list is empty. */
export const nearestTime = (ascending: readonly Seconds[], time: Seconds): Seconds =>
  ascending[nearestIndex(ascending, time)] ?? time;

/**
 * Returns the index of the section whose shown start is nearest to `at`. Index 0, the start of the song, is not an
 * edge.
 */
function edgeAt(state: Corrected, at: Seconds): number {
  const starts = snapSections(state).map((section) => section.start);
  if (starts.length < 2) return -1;
  const index = 1 + nearestIndex(starts.slice(1), at);
  // An edge more than two bars away is a different one, because the song was analyzed again.
  return Math.abs(starts[index]! - at) <= 2 * barLength(state.grid) ? index : -1;
}

function sectionAt(state: Corrected, at: Seconds): number {
  return snapSections(state).findLastIndex((section) => section.start <= at + EDGE_SLACK);
}
