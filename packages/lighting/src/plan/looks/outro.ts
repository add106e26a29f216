import { lightSinger } from "../patterns/singer-light.ts";
import { WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** The intro backwards: roles leave one by one, then the wash fades with the sound. */
export function writeOutro(context: LookContext): void {
  const { section, palette, form } = context;
  const why = nameOf(section);
  const phrases = phrasesOf(context);
  for (const [i, phrase] of phrases.entries()) {
    const isLast = i === phrases.length - 1;
    const level = washLevel(context, WASH[section.rank] * (1 - 0.1 * i));
    put(context, {
      role: "wash",
      ...phrase,
      intent: "slow_fade",
      palette: [palette.base],
      params: {
        level,
        to_level: isLast && !context.next ? 0 : level,
        fade_seconds: fadeSeconds(context, 2),
      },
      reason: isLast ? `${why}: fades out with the sound` : `${why}: back to the base`,
    });
    if (i >= Math.max(1, phrases.length - 1)) continue;
    put(context, {
      role: "par",
      ...phrase,
      intent: "breathing",
      palette: [palette.second],
      params: {
        level: 0.35,
        to_level: isLast ? 0 : 0.35,
        depth: 0.6,
        period_beats: 4 * form.beatsPerBar,
        fade_seconds: fadeSeconds(context, 2),
      },
      reason: `${why}: the second colour leaves first`,
    });
  }
  if (context.sings) lightSinger(context, "static");
}
