import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Sections that get quieter by more than this fade in; the others are there on the one. */
const FALLS = -0.08;
/** Beats of a fade into a section; it ends on the one. */
const ARRIVES_BEATS = 1;

/** The wash in one colour for a phrase. At the start of a section it is there on the one: cut, or faded so as to arrive. */
export function holdWash(context: LookContext, phrase: Phrase, i: number, color: string, factor = 1): void {
  const { section, before, form, target, lift } = context;
  const isEntry = i === 0;
  const fades = isEntry && before !== undefined && section.step < FALLS && form.hasBeat;
  const level = Math.max(0.05, (target + lift(form.clock.timeAt(phrase.from), form.clock.timeAt(phrase.to))) * factor);
  put(context, {
    role: "wash",
    from: fades ? phrase.from - ARRIVES_BEATS : phrase.from,
    to: phrase.to,
    intent: isEntry && !fades ? "static_snap" : "static_crossfade",
    palette: [color],
    params: {
      level,
      fade_seconds: fades ? fadeSeconds(context, ARRIVES_BEATS) : isEntry ? 0 : fadeSeconds(context, 1),
    },
    reason: `${nameOf(section)}: ${fades ? "its colour arrives on the one" : isEntry ? "its colour, cut in on the one" : "holds its colour, as loud as the phrase"}`,
  });
}
