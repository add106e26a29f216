import { drawTogether } from "../beams/write-beams.ts";
import { bounce } from "../patterns/bounce.ts";
import { fill } from "../patterns/fill.ts";
import { rhythmOf } from "../patterns/pattern.ts";
import { run } from "../patterns/run.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { wholeBars } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats } from "../vocabulary/tempo.ts";

/**
 * Brightness of the wash at the start and end of a build, relative to the target: mostly dark at once, or fading slowly.
 * In no other section is the wash so dark against the other fixtures.
 */
const WASHES = [
  { from: 0.3, to: 0.3 },
  { from: 0.45, to: 0.3 },
];
/** Share of a build after which the bars join. */
const BARS_JOIN = 0.25;
/** White at the end of the last bar, 0..1. */
const MOST_WHITE = 0.7;
/** Patterns that the pars tighten. */
const PATTERNS = [fill, run, bounce];

/**
 * Writes a build: pars add or follow one another, doubling in speed several times. The last bar goes to white, and the
 * light stops short of full.
 */
export function writeBuild(context: LookContext, fromBeat: number): void {
  const { section, palette, form, next, target } = context;
  const why = nameOf(section);
  const end = section.endBeat;
  const wash = wayOf(context, "wash", WASHES);
  put(context, {
    role: "wash",
    from: fromBeat,
    to: end,
    intent: "ramp",
    palette: [palette.base],
    params: { level: wash.from * target, to_level: wash.to * target },
    reason: `${why}: the wash is taken away to leave room for ${next?.label ?? "what follows"}`,
  });
  tighten(context, fromBeat);
  const lastBar = Math.max(fromBeat, end - form.beatsPerBar);
  put(context, {
    role: "bar",
    from: fromBeat + wholeBars((end - fromBeat) * BARS_JOIN, form.beatsPerBar),
    to: lastBar,
    intent: "ramp",
    palette: [palette.second],
    params: { level: 0.3 * target, to_level: 1.1 * target },
    reason: `${why}: the bars rise, stopping short of full`,
  });
  put(context, {
    role: "bar",
    from: lastBar,
    to: end,
    intent: "ramp",
    palette: [palette.second],
    params: { level: 1.1 * target, to_level: 1.3 * target, to_white: MOST_WHITE },
    reason: `${why}: the last bar goes to white`,
  });
}

/**
 * Splits the build into four stages. Each takes half of the remaining time and is twice as fast as the previous one.
 */
function tighten(context: LookContext, fromBeat: number): void {
  const { section, palette, form, next, target } = context;
  const end = section.endBeat;
  const bar = form.beatsPerBar;
  const length = end - fromBeat;
  const starts = [0, 0.5, 0.75].map((share) => fromBeat + wholeBars(length * share, bar));
  const stages = [...starts, end - bar].filter((from, i, all) => i === 0 || from > all[i - 1]!);
  const fastest = bar % 2 === 0 && form.bpm < 168 ? 0.5 : 1;
  const pattern = wayOf(context, "pattern", PATTERNS);
  const rhythm = rhythmOf(context, pattern, 1);
  for (const [i, from] of stages.entries()) {
    const step = form.isLoose ? bar : Math.min(bar, fastest * 2 ** (stages.length - 1 - i));
    const share = i / Math.max(1, stages.length - 1);
    put(context, {
      role: "par",
      from,
      to: stages[i + 1] ?? end,
      intent: pattern.intent,
      palette: [palette.base],
      params: {
        level: (0.6 + 0.9 * share) * target,
        to_level: (0.8 + 1.1 * share) * target,
        floor: (0.2 + 0.3 * share) * target,
        ...pattern.params({ ...rhythm, step, glide: 0.2, hit: 0 }),
        ...(i === stages.length - 1 && i > 0 && { to_white: MOST_WHITE }),
      },
      reason: `${nameOf(section)}: ${pattern.says}, ${everyBeats(step)} now, tighter towards ${next?.label ?? "the end"}`,
    });
  }
}

/** Writes the build recipe over the last bars of a section that leads into a confident drop. */
export function writeRiser(context: LookContext): void {
  const { section, form } = context;
  const bars = Math.floor((section.endBeat - section.startBeat) / form.beatsPerBar);
  if (section.label === "build" || bars < 8) return;
  const from = section.endBeat - (bars >= 16 ? 8 : 4) * form.beatsPerBar;
  context.lanes.darken(form.clock.timeAt(from), section.end);
  writeBuild(context, from);
  drawTogether(context, from);
}
