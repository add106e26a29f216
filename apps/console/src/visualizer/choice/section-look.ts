import type { Cue, LightingPlan, Look, Seconds, ShowWishes } from "@followspot/contract";
import { DARK, type Changed } from "./change-wishes.ts";
import { choiceStrings } from "./choice.strings.ts";

const text = choiceStrings.looks;

export type PlannedSection = NonNullable<LightingPlan["sections"]>[number];

/** Shortest cue that is worth placing, seconds; a shorter one is invisible. */
const SHORTEST = 0.05;
/** Largest difference of two times that count as equal, seconds. */
const SAME = 1e-3;
/** Maximum number of locked cues per song. */
const MOST_KEPT = 500;
/** Length of a beat in a song without detected beats, seconds. */
const USUAL_BEAT = 0.5;
/** A look is stretched to the length of the section if the two differ by less than this, beats. */
const STRETCHED_BEATS = 1;

/** Extracts the look of one section: its cues in beats from the section's start, independent of the song. */
export function lookOf({ beats, event_lanes }: LightingPlan, { start, end }: PlannedSection): Look {
  const from = beatAt(beats, start);
  const cues = Object.entries(event_lanes).flatMap(([target, lane]) =>
    lane.flatMap(({ time, duration, intent, palette, params, energy }) => {
      const [begins, ends] = [Math.max(time, start), Math.min(time + duration, end)];
      if (ends - begins < SHORTEST) return [];
      const at = beatAt(beats, begins);
      return [{ target, at: at - from, beats: beatAt(beats, ends) - at, intent, palette, params, energy }];
    }),
  );
  return { beats: beatAt(beats, end) - from, cues };
}

/**
 * Locks a look into a section. It replaces all planned and locked cues there.
 * @param reason origin of the look, shown with each cue
 */
export function putLook(
  wishes: ShowWishes,
  plan: LightingPlan,
  section: PlannedSection,
  look: Look,
  reason: string,
): Changed {
  const { start, end, label } = section;
  const others = wishes.kept.filter(({ cue }) => cue.time < start - SAME || cue.time >= end - SAME);
  const own = Map.groupBy(begunAgain(look, plan, section), ({ target }) => target);
  const targets = new Set([...Object.keys(plan.event_lanes), ...own.keys()]);
  const put = [...targets].filter(isOf(plan)).flatMap((target) => {
    // A locked cue from before the section that reaches into it stays.
    const reached = others.filter((kept) => kept.target === target && kept.cue.time < start);
    const free = Math.max(start, ...reached.map(({ cue }) => cue.time + cue.duration));
    const cues = (own.get(target) ?? []).map(({ from, to, cue }) => ({ from: Math.max(from, free), to, cue }));
    const lit = cues.filter(({ from, to }) => to - from >= SHORTEST);
    return [...lit, ...darkBetween(lit, free, end, plan, target)].map(({ from, to, cue }) => ({
      target,
      cue: { ...cue, time: round(from), duration: round(to - from), section: label, reason },
    }));
  });
  const kept = [...others, ...put];
  return kept.length > MOST_KEPT ? { problem: text.tooMany(MOST_KEPT) } : { wishes: { ...wishes, kept } };
}

/** Copies the look of one section to all other sections with the same label. */
export function copyLook(wishes: ShowWishes, plan: LightingPlan, section: PlannedSection): Changed {
  const look = lookOf(plan, section);
  return sectionsLike(plan, section).reduce<Changed>(
    (changed, other) =>
      "problem" in changed ? changed : putLook(changed.wishes, plan, other, look, text.copiedReason(section.label)),
    { wishes },
  );
}

/** Returns the other sections with the same label. */
export const sectionsLike = ({ sections = [] }: LightingPlan, section: PlannedSection): readonly PlannedSection[] =>
  sections.filter((other) => other.label === section.label && other.start !== section.start);

interface Stretch {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly cue: Omit<Cue, "time" | "duration" | "section" | "reason">;
}

/** Converts the cues of a look to song seconds and repeats the look until the section ends. */
function begunAgain(look: Look, { beats }: LightingPlan, { start, end }: PlannedSection) {
  const from = beatAt(beats, start);
  const length = beatAt(beats, end) - from;
  const turns = Math.max(1, Math.round(length / look.beats));
  const stretch = Math.abs(length - turns * look.beats) < STRETCHED_BEATS ? length / (turns * look.beats) : 1;
  const found: (Stretch & { readonly target: string })[] = [];
  for (let turn = from; turn < from + length - 1e-6; turn += look.beats * stretch) {
    for (const { target, at, beats: lasts, ...cue } of look.cues) {
      const begins = timeAt(beats, turn + at * stretch);
      const ends = Math.min(end, timeAt(beats, turn + (at + lasts) * stretch));
      if (ends - begins >= SHORTEST) found.push({ target, from: begins, to: ends, cue });
    }
  }
  return found;
}

/** Returns dark cues for the times when the plan has light but the look has none. */
function darkBetween(
  lit: readonly Stretch[],
  start: Seconds,
  end: Seconds,
  plan: LightingPlan,
  target: string,
): readonly Stretch[] {
  const planned = plan.event_lanes[target] ?? [];
  const edges = [start, ...lit.flatMap(({ from, to }) => [from, to]), end];
  const gaps: Stretch[] = [];
  for (let i = 0; i < edges.length; i += 2) {
    const [from, to] = [edges[i]!, edges[i + 1]!];
    const isLit = planned.some(({ time, duration }) => time < to - SAME && time + duration > from + SAME);
    if (to - from < SHORTEST || !isLit) continue;
    const { intent = "fade", params = {} } = DARK;
    gaps.push({ from, to, cue: { intent, params, palette: plan.palette.slice(0, 1), energy: 0 } });
  }
  return gaps;
}

/** Accepts targets that exist in this plan. Roles fit every song; a group of a saved look may have been deleted. */
const isOf =
  ({ event_lanes }: LightingPlan) =>
  (target: string): boolean =>
    target === "all" || target.startsWith("role:") || target in event_lanes;

/** Converts song seconds to beats from the first beat, linear between beats and beyond both ends. */
function beatAt(beats: readonly Seconds[], time: Seconds): number {
  if (beats.length < 2) return time / USUAL_BEAT;
  const next = beats.findIndex((beat) => beat > time);
  const i = Math.min(beats.length - 2, Math.max(0, (next < 0 ? beats.length : next) - 1));
  return i + (time - beats[i]!) / (beats[i + 1]! - beats[i]!);
}

function timeAt(beats: readonly Seconds[], beat: number): Seconds {
  if (beats.length < 2) return beat * USUAL_BEAT;
  const i = Math.min(beats.length - 2, Math.max(0, Math.floor(beat)));
  return beats[i]! + (beat - i) * (beats[i + 1]! - beats[i]!);
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
