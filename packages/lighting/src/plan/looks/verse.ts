import { closePhrase } from "../patterns/close-phrase.ts";
import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { quietPixels } from "../patterns/pixels.ts";
import { patternsFor } from "../patterns/pool.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import type { LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";

/** Mean brightness of the accents beside the wash. */
const PAR = 0.6;
const BAR = 0.45;
const REST = 0.4;

/** The base colour holds still while the lamps move slowly; a later or louder verse has the bars, too. */
export function writeVerse(context: LookContext): void {
  const { section, target } = context;
  const [lead, accent] = leadsOf(context);
  const { own, other } = patternsFor(context, "quiet");
  const hasBars = section.occurrence > 1 || section.rank >= 3;
  const turn = context.random() < 0.5 ? 0 : 1;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    holdWash(context, phrase, i, lead);
    const direction = (i + turn) % 2 === 0 ? -1 : 1;
    const pattern = i % 2 === 0 ? own : other;
    const move = { phrase, direction, pattern, rest: REST } as const;
    moveLamps(context, { role: "par", palette: [accent], mean: target * PAR, ...move });
    // The second verse is recognisable and richer by one role.
    if (hasBars)
      moveLamps(context, {
        role: "bar",
        palette: [accent],
        mean: target * BAR,
        ...move,
        pixels: quietPixels(context, direction),
      });
  }
  closePhrase(context);
}
