import { rideLoudness } from "../patterns/hold-wash.ts";
import { lightSinger } from "../patterns/singer-light.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Brightness beside what the section is to have. */
const PAR = 1.2;
const WASH = 0.25;

/** The wash is all but gone, the pars breathe in the second colour; nothing hits. */
export function writeBreak(context: LookContext): void {
  const { section, form } = context;
  const [lead, accent] = leadsOf(context);
  const why = nameOf(section);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    const arrives = i === 0 && section.index > 0 && form.hasBeat;
    const from = arrives ? phrase.from - 1 : phrase.from;
    const fade_seconds = fadeSeconds(context, arrives ? 1 : 2);
    put(context, {
      role: "wash",
      from,
      to: phrase.to,
      intent: "static_crossfade",
      palette: [lead],
      params: { level: rideLoudness(context, phrase, WASH), fade_seconds },
      reason: `${why}: the wash leaves, dark enough to listen`,
    });
    put(context, {
      role: "par",
      from,
      to: phrase.to,
      intent: "breathing",
      palette: [accent],
      params: {
        level: rideLoudness(context, phrase, PAR),
        depth: 0.35,
        period_beats: (i % 2 === 0 ? 4 : 2) * form.beatsPerBar,
        fade_seconds,
      },
      reason: `${why}: a slow breath of the second colour`,
    });
  }
  lightSinger(context, "sweep");
}
