import { lightSinger } from "../patterns/singer-light.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** One group breathes; nothing hits. */
export function writeBreak(context: LookContext): void {
  const { section, form, target, lift } = context;
  const [lead] = leadsOf(context);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    const arrives = i === 0 && section.index > 0 && form.hasBeat;
    put(context, {
      role: "wash",
      from: arrives ? phrase.from - 1 : phrase.from,
      to: phrase.to,
      intent: "breathing",
      palette: [lead],
      params: {
        level: Math.max(0.08, target * 1.1 + lift(form.clock.timeAt(phrase.from), form.clock.timeAt(phrase.to))),
        depth: context.sings ? 0.1 : 0.35,
        period_beats: (i % 2 === 0 ? 4 : 2) * form.beatsPerBar,
        fade_seconds: arrives ? fadeSeconds(context, 1) : fadeSeconds(context, 2),
      },
      reason: `${nameOf(section)}: one group breathes, dark enough to listen`,
    });
  }
  lightSinger(context, "sweep");
}
