import { closePhrase } from "../patterns/close-phrase.ts";
import { rideLoudness } from "../patterns/hold-wash.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import type { Pattern } from "../patterns/pattern.ts";
import { patternsFor } from "../patterns/pool.ts";
import { burst } from "../patterns/strobe-burst.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf, stretchesOf, wholeSection, type Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";

/** What a phrase begins with is brighter than what it holds by this. */
const HIT = 0.2;
const HIT_BEATS = 2;
/** Brightness of the wash beside what the section is to have, below the top rank and at it; the accents have it all. */
const WASH = { below: 0.8, top: 0.9 };
/** Brightness of resting lamps beside lit ones. */
const REST = { pars: 0.2, bars: 0.12, wash: 0.7 };
/** Songs from this drive on pump: the wash beats with the bars. */
const PUMPS_FROM = 0.4;

/** Choruses and drops: cut in on the one, lamps travel, each phrase hits; with rank effects and strobe. */
export function writePeak(context: LookContext, burstBars: number): void {
  const { section, target } = context;
  const [lead, accent] = leadsOf(context);
  const { own, other, pulse } = patternsFor(context, "loud");
  const turn = context.random() < 0.5 ? 0 : 1;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    hitWash(context, phrase, i, lead, pulse);
    const pattern = i % 2 === 0 ? own : other;
    const direction = (i + turn) % 2 === 0 ? 1 : -1;
    const move = { phrase, direction, palette: [accent], mean: target } as const;
    moveLamps(context, { ...move, role: "par", pattern, rest: REST.pars });
    moveLamps(context, { ...move, role: "bar", pattern: pulse ?? own, rest: REST.bars });
  }
  if (burstBars > 0) burst(context, burstBars);
  if (section.rank >= 3) writeEffects(context);
  closePhrase(context);
}

/** Each phrase begins with a hit that falls back to what the wash holds, or beats. */
function hitWash(context: LookContext, phrase: Phrase, i: number, lead: string, pulse: Pattern | undefined): void {
  const { section, form, mood } = context;
  const why = nameOf(section);
  const factor = section.rank === 4 ? WASH.top : WASH.below;
  for (const [k, { from, to }] of stretchesOf(context, phrase, 8).entries()) {
    const level = rideLoudness(context, { from, to }, factor);
    const rest = k === 0 ? Math.min(to, from + HIT_BEATS) : from;
    if (k === 0)
      put(context, {
        role: "wash",
        from,
        to: rest,
        intent: form.isLoose ? "static_snap" : "snap",
        palette: [lead],
        params: { level: Math.min(1, level + HIT), to_level: level, decay_beats: HIT_BEATS },
        reason:
          i === 0 && section.dropsIn
            ? `${why}: out of the dark, full on the one (drop confidence ${section.dropConfidence.toFixed(2)})`
            : `${why}: ${i === 0 ? "cut in on the one in its own hue" : "the phrase begins with a hit"}`,
      });
    const stretch = { from: rest, to };
    if (pulse && mood.drive >= PUMPS_FROM)
      moveLamps(context, {
        role: "wash",
        pattern: pulse,
        phrase: stretch,
        palette: [lead],
        mean: level,
        rest: REST.wash,
      });
    else
      put(context, {
        role: "wash",
        ...stretch,
        intent: "static_snap",
        palette: [lead],
        params: { level },
        reason: `${why}: the wash rests so the beat can speak`,
      });
  }
}

function writeEffects(context: LookContext): void {
  put(context, {
    role: "effect",
    ...wholeSection(context),
    intent: "static_snap",
    palette: [context.palette.white],
    params: { level: 0.8 },
    reason: `${nameOf(context.section)}: effects are for the top of the song`,
  });
}
