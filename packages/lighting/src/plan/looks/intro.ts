import { lightSinger } from "../patterns/singer-light.ts";
import { SINGER_FLOOR, WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** The base colour grows from black; the second one joins as a slow breath. */
export function writeIntro(context: LookContext): void {
  const { section, palette, form } = context;
  const why = nameOf(section);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    const level = washLevel(context, WASH[section.rank] * (1 + 0.05 * i));
    put(context, {
      role: "wash",
      ...phrase,
      intent: i === 0 ? "slow_fade" : "static_crossfade",
      palette: [palette.base],
      params: {
        level: i === 0 ? Math.max(0.08, context.sings ? SINGER_FLOOR : 0.08) : level,
        to_level: level,
        fade_seconds: i === 0 ? 0 : fadeSeconds(context, 2),
      },
      reason: i === 0 ? `${why}: light grows from black over the first phrase` : `${why}: holds the base`,
    });
    if (section.rank < 1 && i === 0) continue;
    put(context, {
      role: "par",
      ...phrase,
      intent: "breathing",
      palette: [palette.second],
      params: {
        level: 0.3,
        depth: 0.7,
        period_beats: 4 * form.beatsPerBar,
        fade_seconds: fadeSeconds(context, 4),
      },
      reason: `${why}: a slow breath of the second colour`,
    });
  }
  lightSinger(context, "static");
}
