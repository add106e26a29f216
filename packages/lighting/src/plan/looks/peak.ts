import { closePhrase } from "../patterns/close-phrase.ts";
import { burst } from "../patterns/strobe-burst.ts";
import { RELIABLE_DROP } from "../song-form.ts";
import { leadsOf } from "../vocabulary/leads.ts";
import { ACCENT, MOVE_BEATS, MOVE_RANGE, SINGER_LEVEL, WASH, washLevel } from "../vocabulary/levels.ts";
import { nameOf, oneOf, type LookContext } from "../vocabulary/look-context.ts";
import { phrasesOf, wholeSection, type Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats, pulseStep } from "../vocabulary/tempo.ts";

/** What one chorus or drop is made of, decided once for all of its phrases. */
interface Peak {
  readonly context: LookContext;
  readonly why: string;
  readonly lead: string;
  readonly accent: string;
  /** The top of the song: rank 4. */
  readonly isTop: boolean;
  /** Rank 3 and up. */
  readonly isBold: boolean;
  readonly isDrop: boolean;
  /** The last of several is a little brighter than those before. */
  readonly lift: number;
  /** Beats between two pulses. */
  readonly step: number;
  readonly direction: 1 | -1;
}

/** Choruses and drops: a snap on the one, a pulse, and with rank a chase, moving beams, effects and strobe. */
export function writePeak(context: LookContext): void {
  const { section } = context;
  const peak = peakOf(context);
  for (const [i, phrase] of phrasesOf(context).entries()) {
    writeWash(peak, phrase, i);
    writePulse(peak, phrase, i);
    writeBars(peak, phrase, i);
    if (peak.isTop && section.dropConfidence >= RELIABLE_DROP) burst(context, phrase.from, i === 0 ? 2 : 1);
  }
  writeBeams(peak);
  if (peak.isBold) writeEffects(peak);
  closePhrase(context);
}

function peakOf(context: LookContext): Peak {
  const { section, random } = context;
  const [lead, accent] = leadsOf(context);
  const isTop = section.rank === 4;
  const isBold = section.rank >= 3;
  return {
    context,
    why: nameOf(section),
    lead,
    accent,
    isTop,
    isBold,
    isDrop: section.label === "drop",
    lift: section.isLastOfLabel && section.occurrence > 1 ? 1.06 : 1,
    step: pulseStep(context, isTop ? 1 : isBold ? oneOf(random, [1, 2]) : 2),
    direction: section.occurrence % 2 === 0 ? -1 : 1,
  };
}

/** A snap on the first one, then the wash rests. */
function writeWash({ context, why, lead, isTop, lift }: Peak, { from, to }: Phrase, i: number): void {
  const { section, form } = context;
  const level = washLevel(context, Math.min(0.9, WASH[section.rank] * lift));
  const rest = i === 0 ? Math.min(to, from + form.beatsPerBar) : from;
  if (i === 0)
    put(context, {
      role: "wash",
      from,
      to: rest,
      intent: "snap",
      palette: [lead],
      params: {
        level: Math.min(1, level + 0.25),
        to_level: level,
        decay_beats: 2,
        white: isTop ? 0.4 : 0,
        to_white: 0,
      },
      reason: section.dropsIn
        ? `${why}: out of the dark, full on the one (drop confidence ${section.dropConfidence.toFixed(2)})`
        : `${why}: snaps on the one in its own hue`,
    });
  put(context, {
    role: "wash",
    from: rest,
    to,
    intent: "static_snap",
    palette: [lead],
    params: { level, white: isTop && section.isLastOfLabel ? 0.15 : 0 },
    reason: `${why}: the wash rests so the beat can speak`,
  });
}

/** Pars on the beat, or on two and four. */
function writePulse(peak: Peak, phrase: Phrase, i: number): void {
  const { context, why, lead, accent, isBold, isDrop, lift, step } = peak;
  const { section, form } = context;
  const isBackbeat = step === 2 && !isDrop && form.beatsPerBar === 4;
  // The two colours change places every second phrase; the wash keeps its own, so the look stays recognisable.
  const colour = isBold && i % 4 >= 2 ? lead : accent;
  put(context, {
    role: "par",
    ...phrase,
    intent: "beat_pulse",
    palette: [colour],
    params: {
      level: ACCENT[section.rank] * lift,
      floor: isBold ? 0.3 : 0.25,
      step_beats: step,
      offset_beats: isBackbeat ? 1 : 0,
      decay_beats: step === 1 ? 0.8 : 1.2,
    },
    reason: isBackbeat
      ? `${why}: pulse on the backbeat`
      : `${why}: pulse ${everyBeats(step)} at ${Math.round(form.bpm)} BPM`,
  });
}

/** A chase from rank 3 on; below it a wave from the second time on. */
function writeBars({ context, why, lead, accent, isTop, isBold, isDrop, direction }: Peak, phrase: Phrase, i: number) {
  const { section, form } = context;
  const bar = form.beatsPerBar;
  if (isBold)
    put(context, {
      role: "bar",
      ...phrase,
      intent: "chase",
      palette: isTop ? [accent, lead] : [accent],
      params: {
        level: ACCENT[section.rank] * 0.9,
        floor: 0.2,
        step_beats: bar !== 3 && isTop && isDrop ? 0.5 : 1,
        cells: bar === 3 ? 3 : 4,
        direction: direction * (i % 2 === 0 ? 1 : -1),
        spread: isTop ? "alternate" : "one",
      },
      reason: `${why}: chase, one lamp handing over to the next, turned round each phrase`,
    });
  else if (section.occurrence > 1)
    put(context, {
      role: "bar",
      ...phrase,
      intent: "slow_wave",
      palette: [accent],
      params: { level: 0.45, depth: 0.4, period_beats: 4 * bar, direction },
      reason: `${why}: occurrence ${section.occurrence} adds the bars`,
    });
}

function writeBeams({ context, why, accent, isDrop }: Peak): void {
  const { section, palette } = context;
  const { rank, hasVocals } = section;
  put(context, {
    role: "spot",
    ...wholeSection(context),
    intent: "static_snap",
    palette: [hasVocals ? palette.white : accent],
    params: {
      level: Math.max(hasVocals ? SINGER_LEVEL : 0, ACCENT[rank] * 0.85),
      move_beats: MOVE_BEATS[rank],
      move_range: MOVE_RANGE[rank],
      tilt: isDrop ? 0.6 : 0.5,
    },
    reason: hasVocals ? `${why}: white on the singer` : `${why}: beams fan out, one sweep in ${MOVE_BEATS[rank]} beats`,
  });
}

function writeEffects({ context, why }: Peak): void {
  put(context, {
    role: "effect",
    ...wholeSection(context),
    intent: "static_snap",
    palette: [context.palette.white],
    params: { level: 0.8 },
    reason: `${why}: effects are for the top of the song`,
  });
}
