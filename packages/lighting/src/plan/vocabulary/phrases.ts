import type { LookContext } from "./look-context.ts";

/** A range of beats within a section. */
export interface Phrase {
  readonly from: number;
  readonly to: number;
}

/** Fewest bars of a section with phrases of eight bars instead of four. */
const LONG_SECTION_BARS = 12;
const SHORTEST_PHRASE_BARS = 2;

/**
 * Splits a section into phrases of eight bars (four in short sections), starting at the section and again at each
 * joint. A remainder of less than two bars is added to the previous phrase.
 */
export function phrasesOf({ section, form }: Pick<LookContext, "section" | "form">): readonly Phrase[] {
  const { startBeat, endBeat, joints } = section;
  const bars = (endBeat - startBeat) / form.beatsPerBar;
  const length = (bars < LONG_SECTION_BARS ? 4 : 8) * form.beatsPerBar;
  const shortest = SHORTEST_PHRASE_BARS * form.beatsPerBar;
  const edges = [startBeat, ...joints.filter((beat) => beat > startBeat && beat < endBeat), endBeat];
  const phrases: Phrase[] = [];
  for (const [i, start] of edges.slice(0, -1).entries()) {
    for (let from = start; from < edges[i + 1]!; from += length)
      phrases.push({ from, to: Math.min(edges[i + 1]!, from + length) });
  }
  for (let i = phrases.length - 1; i > 0; i--) {
    const [before, short] = [phrases[i - 1]!, phrases[i]!];
    if (short.to - short.from < shortest || (i === 1 && before.to - before.from < shortest))
      phrases.splice(i - 1, 2, { from: before.from, to: short.to });
  }
  return phrases.length > 0 ? phrases : [{ from: startBeat, to: startBeat + 1 }];
}

/** Bars after which something changes in a loud section: who plays, the direction, or the colors. */
export const CHANGE_BARS = 4;

/** Bars after which a long section turns over, that is, shows a new picture. */
const TURN_BARS = 16;

/** Returns how often a section has turned over when a phrase begins: 0 for the first 16 bars. */
export function turnOf({ section, form }: Pick<LookContext, "section" | "form">, { from }: Phrase): number {
  return Math.max(0, Math.floor((from - section.startBeat) / (TURN_BARS * form.beatsPerBar)));
}

/** Returns the whole section, split where it turns over. */
export function turnsOf(context: LookContext): readonly Phrase[] {
  return stretchesOf(context, wholeSection(context), TURN_BARS);
}

/**
 * Splits a phrase into stretches in which the light rides the loudness. A remainder of less than half a stretch is
 * added to the previous one.
 */
export function stretchesOf(context: Pick<LookContext, "form">, phrase: Phrase, bars = 4): readonly Phrase[] {
  const length = bars * context.form.beatsPerBar;
  return partsOf(phrase, length, Math.max(1, Math.round((phrase.to - phrase.from) / length)));
}

/** Splits a phrase into stretches of at most the given length; the last may be shorter. */
export function shortStretchesOf(context: Pick<LookContext, "form">, phrase: Phrase, bars: number): readonly Phrase[] {
  const length = bars * context.form.beatsPerBar;
  return partsOf(phrase, length, Math.max(1, Math.ceil((phrase.to - phrase.from) / length)));
}

function partsOf({ from, to }: Phrase, length: number, count: number): readonly Phrase[] {
  return Array.from({ length: count }, (_, i) => ({
    from: from + i * length,
    to: i === count - 1 ? to : from + (i + 1) * length,
  }));
}

/** Returns the whole section. */
export function wholeSection({ section }: LookContext): Phrase {
  return { from: section.startBeat, to: section.endBeat };
}

/** Rounds beats down to whole bars. */
export function wholeBars(beats: number, beatsPerBar: number): number {
  return Math.floor(beats / beatsPerBar) * beatsPerBar;
}
