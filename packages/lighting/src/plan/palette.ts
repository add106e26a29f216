import type { SongAnalysis } from "@followspot/contract";
import { hexOfOklch, hueDistance, maxChroma, oklchOfHex, wrapHue, type Oklch } from "../color.ts";
import { clamp, mean } from "../maths.ts";
import { hashOf, randomStream } from "../random.ts";

/** The hues of a show. A look uses at most two of them, and white. */
export interface ShowPalette {
  /** Leads most sections. */
  readonly base: string;
  /** Near the base: second colour of a look. */
  readonly second: string;
  /** Opposite: choruses, drops, accents. */
  readonly contrast: string;
  readonly white: string;
  readonly reason: string;
}

/** Colour of the top of the show, warmer than a lamp's bare white. */
const SHOW_WHITE = "#fff4e6";
/** OKLab distance at which two LED colours read as different. */
const READABLE_DISTANCE = 0.12;

/** How awake a song is, 0..1, and how bright its mood, -1..1. */
export interface Mood {
  readonly arousal: number;
  readonly valence: number;
}

export function moodOf(analysis: SongAnalysis): Mood {
  const energy = mean(analysis.dynamics.energy_curve.values);
  const highs = mean(analysis.dynamics.frequency_bands.high.values);
  const pace = clamp((analysis.tempo - 70) / 100);
  const { mode, confidence } = analysis.insights.key_info;
  const modeSign = mode === "major" ? 1 : mode === "minor" ? -1 : 0;
  return {
    arousal: clamp(0.5 * energy + 0.3 * highs + 0.35 * pace),
    valence: 0.3 * modeSign * confidence + 0.4 * (pace - 0.5),
  };
}

/**
 * Colours given by the caller (the cover, or a chosen palette) win; otherwise a seeded hue inside the mood's arc:
 * awake and bright orange to yellow, awake and dark red to magenta, calm and dark blue, calm and bright green-cyan.
 */
export function choosePalette(
  analysis: SongAnalysis,
  seed: number,
  mood: Mood,
  given: readonly string[] | undefined,
  hasVocals: boolean,
): ShowPalette {
  const random = randomStream(hashOf(analysis.song_id, "palette", seed));
  const base = given?.[0] ? oklchOfHex(given[0]) : seededBase(mood, random);
  const side = random() < 0.5 ? -1 : 1;
  const near = { ...base, h: wrapHue(base.h + side * (25 + 15 * random())) };
  const far = contrastTo(base, hasVocals, random);
  return {
    base: given?.[0] ?? hexOfOklch(base),
    second: given?.[1] ?? hexOfOklch(near),
    contrast: given?.[2] ?? hexOfOklch(far),
    white: SHOW_WHITE,
    reason: given?.[0]
      ? `base ${given[0]} was given`
      : `seeded hue ${Math.round(base.h)}° in the arc of arousal ${mood.arousal.toFixed(2)}, valence ${mood.valence.toFixed(2)}`,
  };
}

function seededBase(mood: Mood, random: () => number): Oklch {
  const [from, to] = arcOf(mood);
  const h = wrapHue(from + (to - from) * random());
  const l = 0.68 + 0.06 * mood.valence;
  return { l, c: maxChroma(l, h) * (0.6 + 0.35 * mood.arousal), h };
}

function arcOf({ arousal, valence }: Mood): readonly [number, number] {
  if (arousal >= 0.5) return valence >= 0 ? [40, 80] : [310, 400];
  return valence >= 0 ? [170, 215] : [230, 290];
}

/** 150..210 degrees away, keeping green off faces and far enough to be told apart on real LEDs. */
function contrastTo(base: Oklch, hasVocals: boolean, random: () => number): Oklch {
  const candidates = [180, 165, 195, 150, 210].map((turn) => wrapHue(base.h + turn));
  const allowed = candidates.filter((h) => !hasVocals || h < 115 || h > 165);
  const pool = allowed.length > 0 ? allowed : candidates.toSorted((a, b) => hueDistance(b, 140) - hueDistance(a, 140));
  const h = pool[Math.floor(random() * Math.min(pool.length, 3))]!;
  const c = Math.max(maxChroma(base.l, h) * 0.75, Math.min(READABLE_DISTANCE, maxChroma(base.l, h)));
  return { l: base.l, c, h };
}
