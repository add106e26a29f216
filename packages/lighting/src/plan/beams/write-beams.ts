import type { SectionLabel } from "@followspot/contract";
import { hasHeldColor, leadsOf } from "../vocabulary/leads.ts";
import { SINGER_LEVEL } from "../vocabulary/levels.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf, stretchesOf, turnsOf, wholeSection, type Phrase } from "../vocabulary/phrases.ts";
import { putSeconds } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";
import {
  BRISK_BPM,
  CYCLE_BEATS,
  DRAWN_TOGETHER,
  GROWS,
  LOUD,
  MOVING,
  QUIET,
  SIZE,
  type BeamLook,
} from "./beam-looks.ts";
import { onSinger } from "./in-the-beam.ts";
import { ON_SINGER, putBeams } from "./put-beams.ts";

/**
 * Brightness of beams relative to the target of the section: alone, beside a singer, and at the start and end of a
 * build-up.
 */
const LEVEL = { alone: 0.7, besideSinger: 0.5, farOff: 0.35, near: 0.65 };
/** Share of its light that a half of the row keeps while the other half calls. */
const ANSWERING = 0.5;
/**
 * Pause before beams return in a section of falling energy, bars, and shortest phrase with such a pause. The previous
 * section keeps them to its end, so they move in the dark. A singer's light does not pause.
 */
const AFTER_FALL = { least: 4, bars: 1 };

const RECIPES: Record<SectionLabel, (context: LookContext) => void> = {
  intro: restOrMove,
  verse: restOrMove,
  build: (context) => drawTogether(context, context.section.startBeat),
  chorus: goThroughLooks,
  drop: goThroughLooks,
  break: restOrMove,
  bridge: restOrMove,
  outro: (context) => {
    if (context.sings) restOrMove(context);
  },
};

/** Writes the moving heads of one section into their lane. */
export function writeBeams(context: LookContext): void {
  if (context.form.hasBeat) RECIPES[context.section.label](context);
  else if (context.sings) restBesideSinger(context);
}

/** Bars per look in loud sections. More frequent moves would look like changes in the song. */
const LOOK_BARS = 8;

/**
 * Writes a loud section: it goes through the looks of its label. In choruses the halves of the row answer each other,
 * alternating slow and fast.
 */
function goThroughLooks(context: LookContext): void {
  const { section, form, target, palette } = context;
  const [, accent] = leadsOf(context);
  const looks = wayOf(context, "beams", LOUD);
  const size = SIZE.loud[section.rank] * (1 + GROWS * (section.occurrence - 1));
  const cycle = CYCLE_BEATS.loud[section.rank] * (form.bpm > BRISK_BPM ? 2 : 1);
  const stretches = phrasesOf(context).flatMap((phrase) => stretchesOf(context, phrase, LOOK_BARS));
  const answers = section.label === "chorus" && !form.isLoose;
  // Both halves together are as bright as beams without call and answer.
  const level = answers ? Math.min(1, (2 * target) / (1 + ANSWERING)) : target;
  for (const [i, stretch] of stretches.entries()) {
    putBeams(context, {
      ...stretch,
      // A section that returns starts with the next look of the list.
      look: looks[(i + section.occurrence - 1) % looks.length]!,
      pace: "loud",
      intent: answers ? "chase" : "static_snap",
      color: accent,
      otherColor: hasHeldColor(context, stretch) ? palette.held : undefined,
      level,
      ...(answers && {
        params: {
          shape: "sides",
          step_beats: (i % 2 === 0 ? 2 : 1) * form.beatsPerBar,
          floor: ANSWERING * level,
          glide: 0.3,
          hit: 0,
        },
        also: ", one half of the row answers the other",
      }),
      cycle,
      size,
      direction: i % 2 === 0 ? 1 : -1,
    });
  }
}

/**
 * Writes a quiet section with one look: a slow movement, or rest. A long one changes its look every 16 bars, unless it
 * has vocals. The quietest sections have no beams unless they have vocals, are breaks, or are loud verses.
 */
function restOrMove(context: LookContext): void {
  const { section, sings, form } = context;
  const { label, rank, isLoud } = section;
  if (label === "chorus" || label === "drop" || label === "build") return;
  if (!sings && rank < 2 && label !== "break" && !(isLoud && label === "verse")) return;
  const looks = isLoud ? MOVING : QUIET[label];
  const first = looks.indexOf(wayOf(context, "beams", looks));
  for (const [i, { from, to }] of (sings ? [wholeSection(context)] : turnsOf(context)).entries()) {
    const falls = i === 0 && !sings && section.step < 0 && to - from >= AFTER_FALL.least * form.beatsPerBar;
    const arrival = falls ? AFTER_FALL.bars * form.beatsPerBar : 0;
    restIn(context, { from: from + arrival, to }, looks[(first + i) % looks.length]!);
  }
}

function restIn(context: LookContext, phrase: Phrase, look: BeamLook): void {
  const { section, palette, sings, target } = context;
  putBeams(context, {
    ...phrase,
    look,
    pace: "quiet",
    intent: "static_crossfade",
    color: palette.second,
    level: (sings ? LEVEL.besideSinger : LEVEL.alone) * target,
    params: { fade_seconds: fadeSeconds(context, 1) },
    cycle: CYCLE_BEATS.quiet[section.rank],
    size: SIZE.quiet[section.rank],
  });
}

/** Writes a build: beams come together before something bigger, and rise in level. */
export function drawTogether(context: LookContext, fromBeat: number): void {
  const { section, palette, target } = context;
  putBeams(context, {
    from: fromBeat,
    to: section.endBeat,
    look: DRAWN_TOGETHER,
    pace: "loud",
    intent: "ramp",
    color: palette.base,
    level: LEVEL.farOff * target,
    params: { to_level: LEVEL.near * target, fade_seconds: fadeSeconds(context, 1) },
    cycle: 0,
    size: 0,
    also: ` and rise towards ${context.next?.label ?? "what follows"}`,
  });
}

/** Writes the beams of a song without a reliable beat: light on the singer, and nothing moves. */
function restBesideSinger(context: LookContext): void {
  const { section, palette, target } = context;
  const soft = onSinger(context);
  putSeconds(context, {
    role: "spot",
    from: section.start,
    to: section.end,
    intent: "static_crossfade",
    palette: [palette.second, palette.white],
    params: {
      level: LEVEL.besideSinger * target,
      fade_seconds: 2,
      aim: "floor",
      zoom: 0.5,
      singer: SINGER_LEVEL,
      ...soft.params,
    },
    reason: `${nameOf(section)}, no reliable beat: beams lie on the floor${ON_SINGER}${soft.says}`,
  });
}
