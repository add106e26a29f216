import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { stretchesOf, turnOf, type Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";

/** Effects of a resting wash. Each label has one of them; a long section switches each time it turns over. */
const STILL = { intent: "static", params: {}, bars: 8 } as const;
/** Weight of a still wash relative to each other effect. */
const STILLS = 2;
const STYLES = [
  ...Array.from({ length: STILLS }, () => STILL),
  { intent: "slow_breathing", params: { depth: 0.25, period_beats: 8 }, bars: 8 },
  { intent: "slow_breathing", params: { depth: 0.2, period_beats: 16 }, bars: 4 },
  { intent: "slow_wave", params: { depth: 0.22, period_beats: 8 }, bars: 8 },
  { intent: "slow_wave", params: { depth: 0.22, period_beats: 16, direction: -1 }, bars: 8 },
] as const;

/**
 * In a loud section light does not stand still: it drifts across the stage once in this many bars, at the same mean
 * brightness.
 */
const DRIFT_BARS = 8;
/** Drive below which the other fixtures move softly. The wash is modulated more there, so that its drift is visible. */
const CALM_BELOW = 0.35;
/** Share of its brightness that the drift modulates, 0..1. */
const DRIFT_DEPTH = { calm: 0.6, other: 0.4 };
const WAYS_ACROSS = [1, -1] as const;

/** Change in energy below which a section fades in. All others start at full on the downbeat. */
const FALLS = -0.08;
/** Length of a fade into a section, beats; it ends on the downbeat. */
const ARRIVES_BEATS = 1;
const DARKEST = 0.04;

/**
 * Writes the wash in one color for a phrase, riding the loudness of each stretch. At the start of a section it is
 * complete on the downbeat: cut in, or faded in before.
 *
 * @param options factor on the target of the section, and the lowest peak drive, see `CueOfBeats`
 */
export function holdWash(
  context: LookContext,
  phrase: Phrase,
  i: number,
  color: string,
  { factor = 1, least }: { readonly factor?: number; readonly least?: number } = {},
): void {
  const { section, before, form } = context;
  const why = nameOf(section);
  const style = section.isLoud ? driftingWash(context, phrase) : restingWash(context, phrase);
  for (const [k, { from, to }] of stretchesOf(context, phrase, style.bars).entries()) {
    const isEntry = i === 0 && k === 0;
    const arrives = isEntry && before !== undefined && section.step < FALLS && form.hasBeat;
    const level = style.peak * rideLoudness(context, { from, to }, factor);
    put(context, {
      role: "wash",
      from: arrives ? from - ARRIVES_BEATS : from,
      to,
      intent: style.intent === "static" ? (isEntry && !arrives ? "static_snap" : "static_crossfade") : style.intent,
      palette: [color],
      least,
      params: {
        level,
        ...style.params,
        ...(style.since !== undefined && { since_beats: from - section.startBeat + style.since }),
        fade_seconds: isEntry && !arrives ? 0 : fadeSeconds(context, ARRIVES_BEATS),
      },
      reason: `${why}: ${arrives ? "its colour arrives on the first beat" : isEntry ? "its colour, cut in on the first beat" : style.says}`,
    });
  }
}

function restingWash(context: LookContext, phrase: Phrase) {
  const first = STYLES.indexOf(wayOf(context, "wash", STYLES));
  const style = STYLES[(first + STILLS * turnOf(context, phrase)) % STYLES.length]!;
  return { ...style, since: undefined, peak: 1, says: "holds its colour, as bright as the music is loud" };
}

function driftingWash(context: LookContext, phrase: Phrase) {
  const isTurned = turnOf(context, phrase) % 2 === 1;
  const depth = context.mood.drive < CALM_BELOW ? DRIFT_DEPTH.calm : DRIFT_DEPTH.other;
  const period = DRIFT_BARS * context.form.beatsPerBar;
  const direction = wayOf(context, "drift", WAYS_ACROSS) * (isTurned ? -1 : 1);
  return {
    intent: "slow_wave",
    params: { depth, period_beats: period, direction },
    // After a turn the opposite side starts bright. Reversing alone would repeat the same pictures.
    since: isTurned ? period / 2 : 0,
    bars: DRIFT_BARS,
    peak: 1 / (1 - depth / 2),
    says: "its colour drifts across the stage, as bright as the music is loud",
  };
}

/** Returns the brightness of a stretch: the target of the section, changed by how loud the stretch is within it. */
export function rideLoudness(context: LookContext, { from, to }: Phrase, factor: number): number {
  const { target, lift, form } = context;
  return Math.max(DARKEST, (target + lift(form.clock.timeAt(from), form.clock.timeAt(to))) * factor);
}
