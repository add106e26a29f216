import { lightSinger } from "../patterns/singer-light.ts";
import { WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** One group breathes; nothing hits. */
export function writeBreak(context: LookContext): void {
  const { section, palette, form } = context;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    put(context, {
      role: "wash",
      ...phrase,
      intent: "breathing",
      palette: [palette.second],
      params: {
        level: washLevel(context, Math.max(0.42, WASH[section.rank] * 0.9)),
        depth: context.sings ? 0.1 : 0.5,
        period_beats: (i % 2 === 0 ? 4 : 2) * form.beatsPerBar,
        fade_seconds: fadeSeconds(context, 4),
      },
      reason: `${nameOf(section)}: one group breathes, dark enough to listen`,
    });
  }
  lightSinger(context, "sweep");
}
