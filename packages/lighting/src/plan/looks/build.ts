import { SINGER_FLOOR, SINGER_LEVEL, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { wholeBars } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats, fadeSeconds } from "../vocabulary/tempo.ts";

/** Rhythm tightens, colour goes to white, level stops short of full so the drop has room. */
export function writeBuild(context: LookContext, fromBeat: number): void {
  const { section, palette, form, next } = context;
  const why = nameOf(section);
  const end = section.endBeat;
  put(context, {
    role: "wash",
    from: fromBeat,
    to: end,
    intent: "ramp",
    palette: [palette.base],
    params: {
      level: washLevel(context, 0.42),
      to_level: context.sings ? SINGER_FLOOR : 0.2,
      fade_seconds: fadeSeconds(context, 1),
    },
    reason: `${why}: the wash is taken away to leave room for ${next?.label ?? "what follows"}`,
  });
  tighten(context, fromBeat);
  put(context, {
    role: "bar",
    from: fromBeat + wholeBars((end - fromBeat) * 0.25, form.beatsPerBar),
    to: end,
    intent: "ramp",
    palette: [palette.second],
    params: {
      level: 0.08,
      to_level: 0.55,
      to_white: 0.8,
    },
    reason: `${why}: the bars rise and lose their colour, stopping short of full`,
  });
  put(context, {
    role: "spot",
    from: fromBeat,
    to: end,
    intent: "static_crossfade",
    palette: [palette.base],
    params: {
      level: context.sings ? SINGER_LEVEL : 0.3,
      move_beats: 0,
      move_range: 0.1,
      fade_seconds: fadeSeconds(context, 1),
    },
    reason: `${why}: spots draw together in the centre`,
  });
}

/** Four stages, each half of what is left: 4, 2, 1 and 1/2 beats per step. */
function tighten(context: LookContext, fromBeat: number): void {
  const { section, palette, form, next } = context;
  const end = section.endBeat;
  const bar = form.beatsPerBar;
  const length = end - fromBeat;
  const stages = [
    { from: fromBeat, step: bar === 3 ? 3 : 4 },
    { from: fromBeat + wholeBars(length * 0.5, bar), step: bar === 3 ? 3 : 2 },
    { from: fromBeat + wholeBars(length * 0.75, bar), step: 1 },
    { from: end - bar, step: 0.5 },
  ].filter((stage, i, all) => i === 0 || stage.from > all[i - 1]!.from);
  for (const [i, stage] of stages.entries()) {
    const share = i / Math.max(1, stages.length - 1);
    put(context, {
      role: "par",
      from: stage.from,
      to: stages[i + 1]?.from ?? end,
      intent: stage.step <= 1 ? "chase" : "beat_pulse",
      palette: [palette.base],
      params: {
        level: 0.35 + 0.15 * share,
        to_level: 0.4 + 0.2 * share,
        floor: 0.15,
        step_beats: stage.step,
        decay_beats: Math.min(2, stage.step),
        cells: bar === 3 ? 3 : 4,
        white: 0.5 * share,
        to_white: i === stages.length - 1 ? 0.9 : 0.5 * share,
      },
      reason: `${nameOf(section)}: ${everyBeats(stage.step)} now, tighter towards ${next?.label ?? "the end"}`,
    });
  }
}

/** Put the build recipe over the last bars of a section that leads into a confident drop. */
export function writeRiser(context: LookContext): void {
  const { section, form } = context;
  const bars = Math.floor((section.endBeat - section.startBeat) / form.beatsPerBar);
  if (section.label === "build" || bars < 8) return;
  const from = section.endBeat - (bars >= 16 ? 8 : 4) * form.beatsPerBar;
  context.lanes.darken(form.clock.timeAt(from), section.end);
  writeBuild(context, from);
}
