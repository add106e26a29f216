import { announcePhrase, closePhrase } from "../patterns/close-phrase.ts";
import { rideLoudness } from "../patterns/hold-wash.ts";
import { LOUD_SHARE, moveLamps } from "../patterns/move-lamps.ts";
import type { Pattern } from "../patterns/pattern.ts";
import { loudPixels } from "../patterns/pixels.ts";
import { patternsFor, type Patterns } from "../patterns/pool.ts";
import { burst } from "../patterns/strobe-burst.ts";
import { hasHeldColor, leadsOf } from "../vocabulary/leads.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import { CHANGE_BARS, phrasesOf, shortStretchesOf, turnOf, wholeSection, type Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";

/** What a phrase begins with is brighter than what it holds by this. */
const HIT = 0.2;
const HIT_BEATS = 2;
/** Mean brightness of the wash and of the lamps that travel beside what the section is to have. */
const WASH = 1.15;
const ACCENTS = 0.9;
/** Brightness of the wash between two beats beside that on them. */
const WASH_REST = 0.7;
/** Songs from this drive on pump: the wash beats with the bars. */
const PUMPS_FROM = 0.4;
/** A side has its turn for a bar, and for as many bars as take so long, seconds. */
const LEAST_TURN = 1.6;

/** How the lamps of a phrase play. */
interface Scene {
  readonly lead: string;
  /** Colours of the lamps that travel; of several they take turns. */
  readonly accents: readonly string[];
  readonly pattern: Pattern;
  readonly pulse: Pattern | undefined;
  readonly direction: 1 | -1;
}

/**
 * Choruses and drops: cut in on the one, lamps travel, each phrase hits. Every four bars something changes: first all go one
 * way, then back, and one side calls and the other answers. With rank come effects and strobe; in a later drop and in a
 * long one colours change places, and in the last peak one joins. What changes is which lamps do what; each role is as bright as before, so that
 * a part is one look.
 */
export function writePeak(context: LookContext, burstBars: number): void {
  const { section } = context;
  const patterns = patternsFor(context, "loud");
  const turned = context.random() < 0.5 ? 0 : 1;
  const phrases = phrasesOf(context);
  for (const [i, phrase] of phrases.entries()) {
    const direction = (i + turned) % 2 === 0 ? 1 : -1;
    const scene: Scene = { ...sceneOf(context, patterns, phrase, i), direction };
    washPhrase(context, phrase, i, scene);
    // Where the wash rests only the lamps that travel change: of two short phrases the second calls and answers.
    const first = pumps(context, scene.pulse) ? 0 : i;
    for (const [k, stretch] of shortStretchesOf(context, phrase, CHANGE_BARS).entries()) {
      if ((first + k) % 2 === 0) playTogether(context, stretch, scene);
      else callAndAnswer(context, stretch, scene);
    }
    hitTogether(context, phrase, scene);
    if (i < phrases.length - 1)
      announcePhrase(context, phrase, scene.accents[0]!, (ACCENTS * context.target) / LOUD_SHARE);
  }
  if (section.dropsIn && section.rank === 4 && !context.evening?.holdsBack) hitInWhite(context);
  if (burstBars > 0) burst(context, burstBars);
  if (section.rank >= 3) writeEffects(context);
  closePhrase(context);
}

function sceneOf(
  context: LookContext,
  { own, other, pulse }: Patterns,
  phrase: Phrase,
  i: number,
): Omit<Scene, "direction"> {
  const [led, beside] = leadsOf(context);
  const isSwapped = context.section.label === "drop" && turnOf(context, phrase) % 2 === 1;
  const [lead, accent] = isSwapped ? [beside, led] : [led, beside];
  const isTurned = i % 2 === 1;
  return {
    lead,
    accents: accentsOf(context, phrase, isTurned, [lead, accent]),
    pattern: isTurned ? other : own,
    pulse,
  };
}

/**
 * A later drop is another picture and a bigger one: by phrases lamps take turns in both colours. In the last peak every other
 * lamp has the colour that was held back; with each phrase they change places.
 */
function accentsOf(
  context: LookContext,
  phrase: Phrase,
  isTurned: boolean,
  [lead, accent]: readonly [string, string],
): readonly string[] {
  const { section, palette } = context;
  if (hasHeldColor(context, phrase)) return isTurned ? [palette.held, accent] : [accent, palette.held];
  if (section.label === "drop" && section.occurrence > 1 && isTurned) return [accent, lead];
  return [accent];
}

/** Pars and bars are one row. */
function playTogether(context: LookContext, phrase: Phrase, { accents, pattern, direction }: Scene): void {
  const move = { phrase, pattern, direction, palette: accents, mean: ACCENTS * context.target } as const;
  moveLamps(context, { ...move, role: "par", rest: "loud" });
  moveLamps(context, { ...move, role: "bar", rest: "loud", pixels: loudPixels(context, true, direction) });
}

/** The lamps go the other way round, and one side calls and the other answers; bars pulse. */
function callAndAnswer(context: LookContext, phrase: Phrase, { accents, pattern, pulse, direction }: Scene): void {
  const { form, target } = context;
  const turnBeats = form.beatsPerBar * Math.ceil((LEAST_TURN * form.bpm) / 60 / form.beatsPerBar);
  const back = direction === 1 ? -1 : 1;
  const move = { phrase, palette: accents, mean: ACCENTS * target, direction: back, turnBeats } as const;
  moveLamps(context, { ...move, role: "par", pattern, rest: "loud" });
  moveLamps(context, {
    ...move,
    role: "bar",
    pattern: pulse ?? pattern,
    rest: "loud",
    pixels: loudPixels(context, false, back),
  });
}

/** The one of a phrase has all lamps, for a beat. */
function hitTogether(context: LookContext, { from }: Phrase, { accents }: Scene): void {
  const { section, form, lanes, target } = context;
  if (form.isLoose) return;
  for (const role of ["par", "bar"] as const) {
    lanes.thin(role, from === section.startBeat ? section.start : form.clock.timeAt(from), form.clock.timeAt(from + 1));
    put(context, {
      role,
      from,
      to: from + 1,
      intent: "accent_snap",
      palette: accents,
      params: {
        level: 1,
        to_level: 0.5 * ACCENTS * target,
        decay_beats: 1,
        ...(accents.length > 1 && { spread: "alternate" }),
      },
      reason: `${nameOf(section)}: all lamps on the first beat of the phrase`,
    });
  }
}

/** Whether the wash beats with the bars; else it rests. */
function pumps({ mood }: LookContext, pulse: Pattern | undefined): pulse is Pattern {
  return pulse !== undefined && mood.drive >= PUMPS_FROM;
}

/** Each phrase begins with a hit; then the wash beats, or holds. */
function washPhrase(context: LookContext, phrase: Phrase, i: number, { lead, pulse }: Scene): void {
  const { section, form } = context;
  const why = nameOf(section);
  const level = rideLoudness(context, phrase, WASH);
  const hitEnd = Math.min(phrase.to, phrase.from + HIT_BEATS);
  put(context, {
    role: "wash",
    from: phrase.from,
    to: hitEnd,
    intent: form.isLoose ? "static_snap" : "snap",
    palette: [lead],
    params: { level: Math.min(1, level + HIT), to_level: level, decay_beats: HIT_BEATS },
    reason:
      i === 0 && section.dropsIn
        ? `${why}: dark, then full on the first beat`
        : `${why}: ${i === 0 ? "cut in on the first beat in its own hue" : "the phrase begins with a hit"}`,
  });
  const rest = { from: hitEnd, to: phrase.to };
  if (pumps(context, pulse))
    moveLamps(context, { role: "wash", pattern: pulse, phrase: rest, palette: [lead], mean: level, rest: WASH_REST });
  else
    put(context, {
      role: "wash",
      ...rest,
      intent: "static_snap",
      palette: [lead],
      params: { level },
      reason: `${why}: the wash rests so the beat can speak`,
    });
}

/** The one of a drop is white, for a beat. */
function hitInWhite(context: LookContext): void {
  const { section, form, lanes, palette } = context;
  for (const role of ["par", "bar"] as const) {
    lanes.thin(role, section.start, form.clock.timeAt(section.startBeat + 1));
    put(context, {
      role,
      from: section.startBeat,
      to: section.startBeat + 1,
      intent: "accent_snap",
      palette: [palette.white],
      params: { level: 1, to_level: 0.6, decay_beats: 1 },
      reason: `${nameOf(section)}: white on the first beat, for a beat`,
    });
  }
}

function writeEffects(context: LookContext): void {
  put(context, {
    role: "effect",
    ...wholeSection(context),
    intent: "static_snap",
    palette: [leadsOf(context)[1]],
    params: { level: 0.8 },
    reason: `${nameOf(context.section)}: effects are for the top of the song`,
  });
}
