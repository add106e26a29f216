import { closePhrase } from "../patterns/close-phrase.ts";
import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { patternsFor } from "../patterns/pool.ts";
import { lightSinger } from "../patterns/singer-light.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import type { LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";

/** The base colour holds still while the lamps move slowly; a later or louder verse has the bars, too. */
export function writeVerse(context: LookContext): void {
  const { section, target } = context;
  const [lead, accent] = leadsOf(context);
  const { own, other } = patternsFor(context, "quiet");
  const hasBars = section.occurrence > 1 || section.rank >= 3;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    holdWash(context, phrase, i, lead);
    const direction = (i + section.occurrence) % 2 === 0 ? -1 : 1;
    const pattern = i % 2 === 0 ? own : other;
    const light = { phrase, direction, level: target * 0.9, floor: target * 0.35 } as const;
    moveLamps(context, { role: "par", pattern, palette: [accent], ...light });
    // The second verse is recognisable and richer by one role.
    if (hasBars) moveLamps(context, { role: "bar", pattern, palette: [lead], ...light });
  }
  lightSinger(context, "slow");
  closePhrase(context);
}
