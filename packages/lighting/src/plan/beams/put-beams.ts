import { FIGURES, figureOf } from "../../movement/figures.ts";
import type { CueSpec } from "../lane-writer.ts";
import { SINGER_LEVEL } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats } from "../vocabulary/tempo.ts";
import { WORDS, type BeamLook } from "./beam-looks.ts";
import { inTheBeam, onSinger } from "./in-the-beam.ts";

/** Zoom of a beam that should be visible in the air, and of one that only lies there. */
const ZOOM = { loud: 0.1, quiet: 0.3 };

/** One stretch of beams. */
export interface BeamsOfBeats extends Phrase {
  readonly look: BeamLook;
  readonly pace: "loud" | "quiet";
  readonly intent: string;
  readonly color: string;
  /** Color of every other beam, unless the section has vocals. */
  readonly otherColor?: string | undefined;
  /** Brightness of the beams, and the parameters of their effect. */
  readonly level: number;
  readonly params?: CueSpec["params"];
  /** Beats per cycle of the movement effect, and its size, 0..1. */
  readonly cycle: number;
  readonly size: number;
  readonly direction?: 1 | -1;
  /** Appended to the description of position and movement. */
  readonly also?: string;
}

/**
 * Writes the cue of the moving heads for a stretch. In sections with vocals, one head or a pair stays on the singer:
 * both of a rig with two, those in the middle of a larger one.
 */
export function putBeams(context: LookContext, beams: BeamsOfBeats): void {
  const { look, pace, cycle, size, direction = 1, color, otherColor } = beams;
  const { sings, palette, target } = context;
  const inBeam = inTheBeam(context, look, pace);
  const soft = onSinger(context);
  put(context, {
    role: "spot",
    from: beams.from,
    to: beams.to,
    intent: beams.intent,
    palette: sings ? [color, palette.white] : otherColor ? [color, otherColor] : [color],
    params: {
      level: beams.level,
      ...beams.params,
      ...(!sings && otherColor && { spread: "alternate" }),
      aim: look.aim,
      ...(look.figure && { figure: look.figure, move_beats: cycle, move_range: Math.min(1, size), direction }),
      zoom: ZOOM[pace],
      ...inBeam.params,
      ...(sings && { singer: Math.max(SINGER_LEVEL, target), ...soft.params }),
    },
    reason:
      `${nameOf(context.section)}: ${saying(look, cycle)}${beams.also ?? ""}${inBeam.says}` +
      (sings ? ON_SINGER + soft.says : ""),
  });
}

/** Description of the singer's light for reasons. */
export const ON_SINGER = "; one beam or a pair stays white on the singer";

/** Formats a look: "beams cross over the band, a circle every 8 beats" */
export function saying({ aim, figure }: BeamLook, cycle: number): string {
  return figure ? `${WORDS[aim]}, ${FIGURES[figureOf(figure)]!.says} ${everyBeats(cycle)}` : WORDS[aim];
}
