import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { patternsFor } from "../patterns/pool.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";

/**
 * Mean brightness of the pars relative to the target. The wash is almost alone in an intro; the pars join in the verse.
 */
const PAR = 0.12;

/** Brightness of the first light of a song relative to the target, and bars over which it grows to it. */
const FIRST_LIGHT = 0.6;
const GROWS_BARS = 4;

/**
 * Writes an intro: the first light of the song grows. Driven intros move at once, others at once or from the second
 * phrase on.
 */
export function writeIntro(context: LookContext): void {
  const { section, target, mood, form } = context;
  const [lead, accent] = leadsOf(context);
  const least = seenFrom(lead);
  const { own } = patternsFor(context, "quiet");
  const movesAtOnce = wayOf(context, "entry", [false, true]) || mood.drive > 0.6;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    const isFirst = section.index === 0 && i === 0;
    const grown = isFirst ? Math.min(phrase.to, phrase.from + GROWS_BARS * form.beatsPerBar) : phrase.from;
    if (isFirst)
      put(context, {
        role: "wash",
        from: phrase.from,
        to: grown,
        intent: "slow_fade",
        palette: [lead],
        least,
        params: { level: FIRST_LIGHT * target, to_level: target },
        reason: `${nameOf(section)}: the first light grows over the first bars`,
      });
    if (grown < phrase.to) holdWash(context, { from: grown, to: phrase.to }, isFirst ? 1 : i, lead, { least });
    const moves = i > 0 || section.index > 0 || movesAtOnce;
    if (moves)
      moveLamps(context, {
        role: "par",
        pattern: own,
        phrase,
        palette: [accent],
        mean: target * PAR,
        rest: 0.2,
      });
  }
}
