import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { patternsFor } from "../patterns/pool.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";

/** Mean brightness of the pars beside the wash, which has an intro nearly for itself: a verse is where they join it. */
const PAR = 0.12;

/** Light grows from black with the first phrase of the song; driven intros move at once, others from their second phrase on or at once. */
export function writeIntro(context: LookContext): void {
  const { section, target, mood } = context;
  const [lead, accent] = leadsOf(context);
  const least = seenFrom(lead);
  const { own } = patternsFor(context, "quiet");
  const movesAtOnce = wayOf(context, "entry", [false, true]) || mood.drive > 0.6;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    if (section.index === 0 && i === 0)
      put(context, {
        role: "wash",
        ...phrase,
        intent: "slow_fade",
        palette: [lead],
        least,
        params: { level: 0.6 * target, to_level: target },
        reason: `${nameOf(section)}: light grows from black over the first phrase`,
      });
    else holdWash(context, phrase, i, lead, { least });
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
