import { FIGURES, figureOf } from "../../movement/figures.ts";
import type { CueSpec } from "../lane-writer.ts";
import { SINGER_LEVEL } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats } from "../vocabulary/tempo.ts";
import { WORDS, type BeamLook } from "./beam-looks.ts";
import { inTheBeam, onSinger } from "./in-the-beam.ts";

/** Width of a beam that is to be seen in the air, and of one that only lies there. */
const ZOOM = { loud: 0.1, quiet: 0.3 };

/** One stretch of beams. */
export interface BeamsOfBeats extends Phrase {
  readonly look: BeamLook;
  readonly pace: "loud" | "quiet";
  readonly intent: string;
  readonly color: string;
  /** Every other beam has this one, unless the part is sung. */
  readonly otherColor?: string | undefined;
  /** Brightness of the beams, and what their light does beside it. */
  readonly level: number;
  readonly params?: CueSpec["params"];
  /** Beats of a cycle of the figure, and its size, 0..1. */
  readonly cycle: number;
  readonly size: number;
  readonly direction?: 1 | -1;
  /** Said after where beams look and what they draw. */
  readonly also?: string;
}

/**
 * What the moving heads do for a stretch. In sung parts, one of them or a pair stays on the singer: of a rig of two
 * both do, of a larger one those in the middle.
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

/** How reasons say that a part is sung. */
export const ON_SINGER = "; one beam or a pair stays white on the singer";

/** "beams cross over the band, a circle every 8 beats" */
export function saying({ aim, figure }: BeamLook, cycle: number): string {
  return figure ? `${WORDS[aim]}, ${FIGURES[figureOf(figure)]!.says} ${everyBeats(cycle)}` : WORDS[aim];
}
