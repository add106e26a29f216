import type { LookContext } from "./look-context.ts";

/** A stretch of a section in beats. */
export interface Phrase {
  readonly from: number;
  readonly to: number;
}

/** Bars from which a section has phrases of eight bars instead of four. */
const LONG_SECTION_BARS = 12;
const SHORTEST_PHRASE_BARS = 2;

/** Eight bars (four in short sections) from the section's own start; a remainder under two bars joins the phrase before. */
export function phrasesOf({ section, form }: LookContext): readonly Phrase[] {
  const { startBeat, endBeat } = section;
  const bars = (endBeat - startBeat) / form.beatsPerBar;
  const length = (bars < LONG_SECTION_BARS ? 4 : 8) * form.beatsPerBar;
  const phrases: Phrase[] = [];
  for (let from = startBeat; from < endBeat; from += length)
    phrases.push({ from, to: Math.min(endBeat, from + length) });
  const [before, last] = phrases.slice(-2);
  if (before && last && last.to - last.from < SHORTEST_PHRASE_BARS * form.beatsPerBar)
    phrases.splice(-2, 2, { from: before.from, to: last.to });
  return phrases.length > 0 ? phrases : [{ from: startBeat, to: startBeat + 1 }];
}

/** The whole section. */
export function wholeSection({ section }: LookContext): Phrase {
  return { from: section.startBeat, to: section.endBeat };
}

/** Beats cut down to whole bars. */
export function wholeBars(beats: number, beatsPerBar: number): number {
  return Math.floor(beats / beatsPerBar) * beatsPerBar;
}
