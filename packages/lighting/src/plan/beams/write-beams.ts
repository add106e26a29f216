import type { SectionLabel } from "@followspot/contract";
import { leadsOf } from "../vocabulary/leads.ts";
import { SINGER_LEVEL } from "../vocabulary/levels.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { wholeSection } from "../vocabulary/phrases.ts";
import { put, putSeconds } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";
import { aimOf } from "./aim-of.ts";
import { MOVE_BEATS, MOVE_RANGE } from "./movements.ts";
import { lightSinger } from "./singer-light.ts";

const RECIPES: Record<SectionLabel, (context: LookContext) => void> = {
  intro: (context) => lightSinger(context, "static"),
  verse: (context) => lightSinger(context, "slow"),
  build: (context) => drawTogether(context, context.section.startBeat),
  chorus: fanOut,
  drop: fanOut,
  break: (context) => lightSinger(context, "sweep"),
  bridge: (context) => lightSinger(context, "slow"),
  outro: (context) => {
    if (context.sings) lightSinger(context, "static");
  },
};

/** Write what the moving heads of one section do into its lane. */
export function writeBeams(context: LookContext): void {
  if (context.form.hasBeat) RECIPES[context.section.label](context);
  else if (context.sings) restOnSinger(context);
}

/** Beams come to rest in the centre before something bigger. */
export function drawTogether(context: LookContext, fromBeat: number): void {
  const { section, palette, target } = context;
  put(context, {
    role: "spot",
    from: fromBeat,
    to: section.endBeat,
    intent: "static_crossfade",
    palette: [palette.base],
    params: {
      level: context.sings ? SINGER_LEVEL : 0.5 * target,
      move_beats: 0,
      move_range: 0.1,
      fade_seconds: fadeSeconds(context, 1),
      ...aimOf(context),
    },
    reason: `${nameOf(section)}: spots draw together in the centre`,
  });
}

/** Songs without a reliable beat: light on the singer, and nothing moves. */
function restOnSinger(context: LookContext): void {
  const { section, palette } = context;
  putSeconds(context, {
    role: "spot",
    from: section.start,
    to: section.end,
    intent: "static_crossfade",
    palette: [palette.white],
    params: { level: SINGER_LEVEL, fade_seconds: 2, ...aimOf(context) },
    reason: `${nameOf(section)}, no reliable beat: light on the singer`,
  });
}

function fanOut(context: LookContext): void {
  const { section, palette, target, sings } = context;
  const { rank } = section;
  const [, accent] = leadsOf(context);
  const sweep = MOVE_BEATS[rank] * wayOf(context, "sweep", [1, 2]);
  put(context, {
    role: "spot",
    ...wholeSection(context),
    intent: "static_snap",
    palette: [sings ? palette.white : accent],
    params: {
      level: Math.max(sings ? SINGER_LEVEL : 0, target),
      move_beats: sweep,
      move_range: MOVE_RANGE[rank],
      tilt: section.label === "drop" ? 0.6 : 0.5,
      ...aimOf(context),
    },
    reason: `${nameOf(section)}: ${sings ? "white on the singer" : `beams fan out, one sweep in ${sweep} beats`}`,
  });
}
