import { closePhrase } from "../patterns/close-phrase.ts";
import { holdWash } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import { meter } from "../patterns/pixels.ts";
import { mirror } from "../patterns/mirror.ts";
import { ripple } from "../patterns/ripple.ts";
import { sides } from "../patterns/sides.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";

/** Mean brightness relative to the target of the section. */
const WASH = 0.4;
const PAR = 1.1;

/** Patterns of the pars, the softest ones. */
const PATTERNS = [ripple, mirror, sides];

/** Writes a bridge: the second color leads, the pars move softly in the contrast, and the bars follow the music. */
export function writeBridge(context: LookContext): void {
  const { section, target } = context;
  const [lead, accent] = leadsOf(context);
  const pixels = meter("mid");
  const pattern = wayOf(context, "pattern", PATTERNS);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    holdWash(context, phrase, i, lead, { factor: WASH });
    const direction = i % 2 === 0 ? 1 : -1;
    moveLamps(context, {
      role: "par",
      pattern,
      phrase,
      palette: [accent],
      direction,
      mean: target * PAR,
      rest: 0.4,
      least: seenFrom(accent),
    });
    put(context, {
      role: "bar",
      ...phrase,
      intent: "reactive",
      palette: [lead],
      least: seenFrom(lead),
      params: { level: target, floor: target * 0.5, band: "mid", ...pixels.params },
      reason: `${nameOf(section)}: the bars listen to the middle of the band; ${pixels.says}`,
    });
  }
  closePhrase(context);
}
