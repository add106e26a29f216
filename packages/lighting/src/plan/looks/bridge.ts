import { closePhrase } from "../patterns/close-phrase.ts";
import { lightSinger } from "../patterns/singer-light.ts";
import { ACCENT, WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** The second colour leads, a wave goes through both, the bars follow the music. */
export function writeBridge(context: LookContext): void {
  const { section, palette, form } = context;
  const why = nameOf(section);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    put(context, {
      role: "wash",
      ...phrase,
      intent: "static_crossfade",
      palette: [palette.second],
      params: {
        level: washLevel(context, WASH[section.rank] * (1 + 0.04 * i)),
        fade_seconds: fadeSeconds(context, 2),
      },
      reason: `${why}: a hue of its own`,
    });
    put(context, {
      role: "par",
      ...phrase,
      intent: "slow_wave",
      palette: [palette.second, palette.base],
      params: {
        level: ACCENT[section.rank] * 0.75,
        depth: 0.5,
        period_beats: 2 * form.beatsPerBar,
        direction: i % 2 === 0 ? 1 : -1,
        spread: "alternate",
        fade_seconds: fadeSeconds(context, 2),
      },
      reason: `${why}: a wave in both its colours`,
    });
    put(context, {
      role: "bar",
      ...phrase,
      intent: "reactive",
      palette: [palette.second],
      params: { level: 0.42, floor: 0.25, band: "mid" },
      reason: `${why}: the bars listen to the middle of the band`,
    });
  }
  lightSinger(context, "slow");
  closePhrase(context);
}
