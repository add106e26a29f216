import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { patternsFor } from "../patterns/pool.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Mean brightness of the wash and of the pars, relative to the target of the section. */
const WASH = 0.85;
const PAR = 0.6;
/**
 * Brightness of resting pars relative to lit ones. Softer than in earlier quiet sections, because nothing should hit
 * any more.
 */
const REST = 0.4;
/** Share of light that the pars still have when the wash is out; they fade last. */
const LEFT = 0.4;

/** Writes an outro: unlike in an intro, the pars keep some light. Everything fades with the sound, slowly at first. */
export function writeOutro(context: LookContext): void {
  const { section, target, next } = context;
  const [lead, accent] = leadsOf(context);
  const { own } = patternsFor(context, "quiet");
  const phrases = phrasesOf(context);
  for (const [i, phrase] of phrases.entries()) {
    const fades = i === phrases.length - 1 && !next;
    const isEntry = i === 0 && section.index > 0;
    if (fades)
      put(context, {
        role: "wash",
        from: isEntry ? phrase.from - 1 : phrase.from,
        to: phrase.to,
        intent: "ramp",
        palette: [lead],
        least: seenFrom(lead),
        params: { level: WASH * target, to_level: 0, fade_seconds: fadeSeconds(context, 1) },
        reason: `${nameOf(section)}: fades out with the sound`,
      });
    else holdWash(context, phrase, i, lead, { factor: WASH, least: seenFrom(lead) });
    moveLamps(context, {
      role: "par",
      pattern: own,
      phrase,
      palette: [accent],
      mean: target * PAR,
      rest: REST,
      ...(fades && { left: LEFT }),
    });
  }
}
