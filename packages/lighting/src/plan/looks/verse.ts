import { closePhrase } from "../patterns/close-phrase.ts";
import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { quietPixels } from "../patterns/pixels.ts";
import { patternsFor } from "../patterns/pool.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { CHANGE_BARS, phrasesOf, shortStretchesOf, turnOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Mean brightness relative to the target of the section. The pars join the wash, which is alone in an intro. */
const PAR = 0.85;
const BAR = 0.65;
const REST = 0.4;

/**
 * Writes a verse: the base color is steady while the pars move slowly. The bars are steady, and move in a later or
 * louder verse. A long verse turns over every 16 bars.
 */
export function writeVerse(context: LookContext): void {
  const { section, target } = context;
  const [lead, accent] = leadsOf(context);
  const { own, other } = patternsFor(context, "quiet");
  const isRicher = section.occurrence > 1 || section.isLoud;
  const way = context.random() < 0.5 ? 0 : 1;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    const turn = turnOf(context, phrase);
    holdWash(context, phrase, i, lead, { least: seenFrom(lead) });
    const pattern = i % 2 === 0 ? own : other;
    const movesBars = isRicher || turn > 0;
    const stretches = section.isLoud ? shortStretchesOf(context, phrase, CHANGE_BARS) : [phrase];
    for (const [k, stretch] of stretches.entries()) {
      const direction = (i + k + way) % 2 === 0 ? -1 : 1;
      const move = { phrase: stretch, direction, pattern, rest: REST, palette: [accent] } as const;
      moveLamps(context, { role: "par", mean: target * PAR, ...move });
      // A verse that returns, or continues, keeps its light and adds movement.
      if (movesBars)
        moveLamps(context, { role: "bar", mean: target * BAR, ...move, pixels: quietPixels(context, direction) });
    }
    if (!movesBars)
      put(context, {
        role: "bar",
        ...phrase,
        intent: "static_crossfade",
        palette: [accent],
        params: { level: target * BAR, fade_seconds: fadeSeconds(context, 1) },
        reason: `${nameOf(section)}: the bars stand, and move when the verse comes back`,
      });
  }
  closePhrase(context);
}
