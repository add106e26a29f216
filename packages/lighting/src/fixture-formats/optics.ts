import type { ChannelKind } from "@followspot/contract";
import { valueIn, type ChannelRange } from "./channel-of.ts";
import { doesOf, isFalling, isSteady } from "./words.ts";

/** A range with the text that describes it. */
export interface WordedRange extends ChannelRange {
  readonly text: string;
  /** Preset in QLC+ terms, "GoboMacro" for a gobo; "" if unknown. */
  readonly preset: string;
}

/** Functions that return the usable value of a range, by kind of channel; undefined if its text is not clear. */
const VALUES: Partial<Record<ChannelKind, (range: WordedRange) => number | undefined>> = {
  gobo: goboValue,
  prism: prismValue,
  frost: frostValue,
  goboRotation: slowValue,
};

/** Adds `inBeam` to the ranges of a channel that put an optic into the beam. */
export function withOptics(kind: ChannelKind, ranges: readonly WordedRange[]): readonly ChannelRange[] {
  const valueOf = VALUES[kind];
  if (!valueOf) return ranges;
  const seen = new Set<string>();
  return ranges.map((range) => {
    // If a range is named twice, only the first is static; the second has a property that its text omits.
    const inBeam = !seen.has(range.text) && isUsable(range) ? valueOf(range) : undefined;
    seen.add(range.text);
    return inBeam === undefined ? range : { ...range, inBeam };
  });
}

const isUsable = ({ does, text }: WordedRange): boolean =>
  (does === "other" || does === "level") && ["other", "open"].includes(doesOf(text));

const TURNS = /clockwise|\bc?cw\b| to |wobbl|bounc|swing|jitter|random|cycle/i;
const isStill = (text: string): boolean => isSteady(text) && !TURNS.test(text);

function goboValue(range: WordedRange): number | undefined {
  const { text, preset } = range;
  const isGobo = preset === "GoboMacro" || /^((static|fixed|rotating|rot\.?) )?(gobo|pattern) ?#?\d+$/i.test(text);
  // "Rotating gobo 3" is a gobo that can be rotated, and is static until a channel rotates it.
  return isGobo && isStill(text.replace(/^rot(ating|\.)? /i, "")) && !/frost|prism/i.test(text)
    ? valueIn(range)
    : undefined;
}

const PRISM_IN = /^(\d+[- ]?fac(e|et)(s|ed|ted)?)?( ?prism)?( ?\d)?( effect)?( (in|on|insert(ed)?)\b)?( \(.*\))?$/i;

function prismValue(range: WordedRange): number | undefined {
  const { text, preset } = range;
  const isIn = preset === "PrismEffectOn" || (/prism|fac(e|et)/i.test(text) && PRISM_IN.test(text));
  return isIn && isStill(text) ? valueIn(range) : undefined;
}

const FROST_RISES =
  /0 ?%? *(\W|to)+ *100|(excluded|out|off|none|min\w*|light) ?(\W|to)+ ?(inserted|in|on|full|max\w*|heavy)\b/i;
const FROST_IN = /^((full|heavy|hard|strong|max\w*\.?) )?frost( (in|on|inserted))?$/i;

function frostValue(range: WordedRange): number | undefined {
  const { text, from, to } = range;
  if (/speed|shak|fast|slow|prism|zoom/i.test(text)) return undefined;
  if (isFalling(text)) return from;
  if (FROST_RISES.test(text)) return to;
  return FROST_IN.test(text) ? valueIn(range) : undefined;
}

/** Position in a range from slow to fast at which a rotation is slow but visible. */
const SLOW = 1 / 8;

/** Returns the value of a slow rotation, between those of the slowest and the fastest. */
export const slowIn = (slowest: number, fastest: number): number => Math.round(slowest + (fastest - slowest) * SLOW);

function slowValue(range: WordedRange): number | undefined {
  const { text, preset, from, to } = range;
  if (/counter|anti|\bccw\b|shak|index|bounc|random|position/i.test(text)) return undefined;
  if (!/clockwise|\bcw\b/i.test(text) && !preset.startsWith("RotationClockwise")) return undefined;
  const rises = wayOf(text) ?? wayOf(preset);
  if (rises !== undefined) return rises > 0 ? slowIn(from, to) : slowIn(to, from);
  return /\bslow\b/i.test(text) ? valueIn(range) : undefined;
}

/** Returns 1 from slow to fast, -1 from fast to slow; undefined if the text does not specify it. */
function wayOf(words: string): 1 | -1 | undefined {
  if (/slow.*fast/i.test(words)) return 1;
  return /fast.*slow/i.test(words) ? -1 : undefined;
}
