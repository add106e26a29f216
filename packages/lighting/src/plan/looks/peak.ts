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

/** Additional brightness of the hit at the start of a phrase, and its length in beats. */
const HIT = 0.2;
const HIT_BEATS = 2;
/** Mean brightness of the wash and of the moving pattern, relative to the target of the section. */
const WASH = 1.15;
const ACCENTS = 0.9;
/** Brightness of the wash between two beats relative to that on them. */
const WASH_REST = 0.7;
/** Drive from which the wash pulses with the bars. */
const PUMPS_FROM = 0.4;
/** Shortest turn of a side in call and answer, seconds; rounded up to whole bars. */
const LEAST_TURN = 1.6;

/** What the fixtures of a phrase play. */
interface Scene {
  readonly lead: string;
  /** Colors of the moving pattern; fixtures alternate between several. */
  readonly accents: readonly string[];
  readonly pattern: Pattern;
  readonly pulse: Pattern | undefined;
  readonly direction: 1 | -1;
}

/**
 * Writes choruses and drops: cut in on the downbeat, a moving pattern, and a hit at each phrase. Something changes
 * every four bars: first all fixtures move one way, then back while one side calls and the other answers. High ranks
 * add effects and strobe. In a later or long drop the colors swap, and in the last peak one joins. Only the roles of
 * fixtures change. Each role stays as bright as before, so that a section is one look.
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
    // If the wash rests, only the moving pattern changes: the second of two short phrases is call and answer.
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
 * Returns the colors of the moving pattern. A later drop shows a bigger picture: in every other phrase, fixtures
 * alternate between both colors. In the last peak every other fixture has the held color, and they swap with each
 * phrase.
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

/** Moves pars and bars as one row. */
function playTogether(context: LookContext, phrase: Phrase, { accents, pattern, direction }: Scene): void {
  const move = { phrase, pattern, direction, palette: accents, mean: ACCENTS * context.target } as const;
  moveLamps(context, { ...move, role: "par", rest: "loud" });
  moveLamps(context, { ...move, role: "bar", rest: "loud", pixels: loudPixels(context, true, direction) });
}

/** Reverses the pattern while one side calls and the other answers; the bars pulse. */
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

/** Hits with all pars and bars on the first beat of a phrase. */
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

/** Whether the wash pulses with the bars. Otherwise it rests. */
function pumps({ mood }: LookContext, pulse: Pattern | undefined): pulse is Pattern {
  return pulse !== undefined && mood.drive >= PUMPS_FROM;
}

/** Writes the wash of a phrase: a hit, then a pulse or steady light. */
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

/** Writes a white hit of one beat at the start of a drop. */
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
