import { rideLoudness } from "../patterns/hold-wash.ts";
import { sparkle } from "../patterns/pixels.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Brightness relative to the target of the section. */
const PAR = 1.2;
const WASH = 0.25;
/** Variants of the wash, which is low and still, or breathes. */
const WASHES = [
  { intent: "static_crossfade", params: {} },
  { intent: "slow_breathing", params: { depth: 0.3, period_beats: 16 } },
] as const;
/** Variants of the pars, phrases alternating: bars per breath, one after another or all at once. */
const BREATHS = [
  [
    { intent: "breathing", bars: 4 },
    { intent: "breathing", bars: 2 },
  ],
  [
    { intent: "slow_wave", bars: 4, direction: 1 },
    { intent: "slow_wave", bars: 4, direction: -1 },
  ],
  [
    { intent: "slow_wave", bars: 2, direction: -1 },
    { intent: "breathing", bars: 4 },
  ],
] as const;

/** Writes a break: the wash is nearly dark, the pars breathe in the second color, and nothing hits. */
export function writeBreak(context: LookContext): void {
  const { section, form } = context;
  const [lead, accent] = leadsOf(context);
  const why = nameOf(section);
  const wash = wayOf(context, "wash", WASHES);
  const breaths = wayOf(context, "breath", BREATHS);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    const arrives = i === 0 && section.index > 0 && form.hasBeat;
    const from = arrives ? phrase.from - 1 : phrase.from;
    const fade_seconds = fadeSeconds(context, arrives ? 1 : 2);
    const { intent, bars, ...way } = breaths[i % 2]!;
    put(context, {
      role: "wash",
      from,
      to: phrase.to,
      intent: wash.intent,
      palette: [lead],
      params: { level: rideLoudness(context, phrase, WASH), ...wash.params, fade_seconds },
      reason: `${why}: the wash leaves, dark enough to listen`,
    });
    put(context, {
      role: "par",
      from,
      to: phrase.to,
      intent,
      palette: [accent],
      least: seenFrom(accent),
      params: {
        level: rideLoudness(context, phrase, PAR),
        depth: 0.35,
        period_beats: bars * form.beatsPerBar,
        ...way,
        fade_seconds,
      },
      reason: `${why}: a slow ${intent === "breathing" ? "breath" : "wave"} of the second colour`,
    });
    sparkle(context, phrase, accent);
  }
}
