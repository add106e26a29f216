import { moveLamps } from "../patterns/move-lamps.ts";
import { patternsFor } from "../patterns/pool.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Mean brightness of the pars beside the wash. */
const PAR = 0.3;

/** The intro backwards: the lamps come to rest, then the wash fades with the sound. */
export function writeOutro(context: LookContext): void {
  const { section, target, next } = context;
  const [lead, accent] = leadsOf(context);
  const { own } = patternsFor(context, "quiet");
  const phrases = phrasesOf(context);
  for (const [i, phrase] of phrases.entries()) {
    const isLast = i === phrases.length - 1;
    const isEntry = i === 0 && section.index > 0;
    put(context, {
      role: "wash",
      from: isEntry ? phrase.from - 1 : phrase.from,
      to: phrase.to,
      intent: "slow_fade",
      palette: [lead],
      params: {
        level: target,
        to_level: isLast && !next ? 0 : target,
        fade_seconds: fadeSeconds(context, 1),
      },
      reason: `${nameOf(section)}: ${isLast ? "fades out with the sound" : "back to the base"}`,
    });
    if (isLast && phrases.length > 1) continue;
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
