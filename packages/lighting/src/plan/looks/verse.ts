import { closePhrase } from "../patterns/close-phrase.ts";
import { lightSinger } from "../patterns/singer-light.ts";
import { ACCENT, WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** The base colour holds still while a wave crosses the stage; a later verse has the bars, too. */
export function writeVerse(context: LookContext): void {
  const { section, palette, form } = context;
  const why = nameOf(section);
  const isBusy = section.rank >= 3;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    put(context, {
      role: "wash",
      ...phrase,
      intent: "static_crossfade",
      palette: [palette.base],
      params: {
        level: washLevel(context, WASH[section.rank] * (1 + 0.05 * i)),
        fade_seconds: fadeSeconds(context, i === 0 ? 1.5 : 1),
      },
      reason: `${why}: the base colour, still, five percent up each phrase`,
    });
    const direction = (i + section.occurrence) % 2 === 0 ? -1 : 1;
    put(context, {
      role: "par",
      ...phrase,
      intent: "slow_wave",
      palette: [palette.base, palette.second],
      params: {
        level: ACCENT[section.rank] * 0.8,
        depth: isBusy ? 0.6 : 0.45,
        period_beats: (isBusy ? 2 : 4) * form.beatsPerBar,
        direction,
        spread: section.occurrence > 1 ? "alternate" : "one",
        fade_seconds: fadeSeconds(context, i === 0 ? 1.5 : 1),
      },
      reason: `${why}: a wave across the stage, turned round each phrase`,
    });
    // The second verse is recognisable and richer by one role.
    if (section.occurrence === 1 && !isBusy) continue;
    put(context, {
      role: "bar",
      ...phrase,
      intent: "slow_wave",
      palette: [palette.second],
      params: {
        level: ACCENT[section.rank] * 0.6,
        depth: 0.4,
        period_beats: 8 * form.beatsPerBar,
        direction: -direction,
        fade_seconds: fadeSeconds(context, 2),
      },
      reason: `${why}: occurrence ${section.occurrence} adds the bars`,
    });
  }
  lightSinger(context, "slow");
  closePhrase(context);
}
