import { closePhrase } from "../patterns/close-phrase.ts";
import { moveLamps } from "../patterns/move-lamps.ts";
import type { Pattern } from "../patterns/pattern.ts";
import { patternsFor } from "../patterns/pool.ts";
import { burst } from "../patterns/strobe-burst.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { MOVE_BEATS, MOVE_RANGE, SINGER_LEVEL } from "../vocabulary/levels.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf, wholeSection, type Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";

/** What a phrase begins with is brighter than what it holds by this. */
const HIT = 0.16;
/** Brightness of resting lamps beside lit ones, below the top rank and at it. */
const FLOOR = { below: 0.2, top: 0.35 };
/** The same for what hits together. */
const PULSE_FLOOR = { bar: 0.12, wash: 0.72 };
/** Songs from this drive on pump: the wash itself beats. */
const PUMPS_FROM = 0.5;
/** The wash stays under what the accents reach, so that they are seen. */
const WASH_SHARE = 0.85;

/** Choruses and drops: cut in on the one, lamps travel, each phrase hits; with rank beams, effects and strobe. */
export function writePeak(context: LookContext, burstBars: number): void {
  const { section, target } = context;
  const [lead, accent] = leadsOf(context);
  const { own, other, pulse } = patternsFor(context, "loud");
  const isTop = section.rank === 4;
  for (const [i, phrase] of phrasesOf(context).entries()) {
    hitWash(context, phrase, i, lead, pulse);
    const pattern = i % 2 === 0 ? own : other;
    const direction = (i + section.occurrence) % 2 === 0 ? 1 : -1;
    const level = Math.min(1, target * 1.2);
    const floor = level * (isTop ? FLOOR.top : FLOOR.below);
    moveLamps(context, { role: "par", pattern, phrase, palette: [accent], level, floor, direction });
    // Every second phrase the two colours change places on the bars; the wash keeps its own, so the look stays known.
    const color = i % 2 === 0 ? accent : lead;
    moveLamps(context, {
      role: "bar",
      pattern: pulse ?? own,
      phrase,
      palette: [color],
      level,
      floor: level * PULSE_FLOOR.bar,
      direction,
    });
  }
  if (burstBars > 0) burst(context, burstBars);
  writeBeams(context, accent);
  if (section.rank >= 3) writeEffects(context);
  closePhrase(context);
}

/** Each phrase begins with a hit that falls back to what the wash holds. */
function hitWash(
  context: LookContext,
  { from, to }: Phrase,
  i: number,
  lead: string,
  pulse: Pattern | undefined,
): void {
  const { section, target, form, lift, mood } = context;
  const why = nameOf(section);
  const level = Math.max(0.05, WASH_SHARE * target + lift(form.clock.timeAt(from), form.clock.timeAt(to)));
  const isDark = i === 0 && section.dropsIn;
  const rest = Math.min(to, from + form.beatsPerBar);
  put(context, {
    role: "wash",
    from,
    to: rest,
    intent: form.isLoose ? "static_snap" : "snap",
    palette: [lead],
    params: { level: Math.min(1, level + HIT), to_level: level, decay_beats: form.beatsPerBar },
    reason: isDark
      ? `${why}: out of the dark, full on the one (drop confidence ${section.dropConfidence.toFixed(2)})`
      : `${why}: ${i === 0 ? "cut in on the one in its own hue" : "the phrase begins with a hit"}`,
  });
  if (pulse && mood.drive >= PUMPS_FROM) {
    const phrase = { from: rest, to };
    moveLamps(context, {
      role: "wash",
      pattern: pulse,
      phrase,
      palette: [lead],
      level: level * 1.1,
      floor: level * PULSE_FLOOR.wash,
    });
    return;
  }
  put(context, {
    role: "wash",
    from: rest,
    to,
    intent: "static_snap",
    palette: [lead],
    params: { level },
    reason: `${why}: the wash rests so the beat can speak`,
  });
}

function writeBeams(context: LookContext, accent: string): void {
  const { section, palette, target, sings } = context;
  const { rank } = section;
  put(context, {
    role: "spot",
    ...wholeSection(context),
    intent: "static_snap",
    palette: [sings ? palette.white : accent],
    params: {
      level: Math.max(sings ? SINGER_LEVEL : 0, target),
      move_beats: MOVE_BEATS[rank],
      move_range: MOVE_RANGE[rank],
      tilt: section.label === "drop" ? 0.6 : 0.5,
    },
    reason: `${nameOf(section)}: ${sings ? "white on the singer" : `beams fan out, one sweep in ${MOVE_BEATS[rank]} beats`}`,
  });
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
