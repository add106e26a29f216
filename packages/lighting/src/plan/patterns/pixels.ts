import type { PixelShape } from "../../pixels.ts";
import { clamp } from "../../maths.ts";
import type { CueSpec } from "../lane-writer.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";
import type { Phrase } from "../vocabulary/phrases.ts";

/** What bars, strips and matrices do beside lamps of one head, who do not know of it. */
export interface PixelMove {
  readonly params: CueSpec["params"];
  /** For reasons. */
  readonly says: string;
}

/** A run along the row takes a bar, or as many as take so long, seconds: slower than what hits beside it. */
const RUN_SECONDS = 1.6;
/** A soft wave takes so many bars. */
const WAVE_BARS = 2;
/** A sparkle comes and goes in so long, seconds. */
const SPARKLE_SECONDS = 1.4;
/** Part of the pixels that sparkle at a time in quiet parts, and what the others have beside those: a glow one can see it by. */
const SPARSE = 0.1;
const GLOW = 0.3;

/** Choruses run or wave, by label; in sung parts they go softly. Drops, and loud parts without a singer, fill up by turns. */
export function loudPixels(context: LookContext, isTogether: boolean, direction: 1 | -1): PixelMove {
  const { section, sings } = context;
  if (!isTogether && (section.label === "drop" || !sings)) return meter("bass");
  const shape = sings ? wayOf(context, "pixels", ["wave", "run"] as const) : "run";
  return shape === "run" && isTogether ? run(context, direction) : wave(context, direction, 1);
}

/** Verses have a slow wave. */
export function quietPixels(context: LookContext, direction: 1 | -1): PixelMove {
  return wave(context, direction, WAVE_BARS);
}

/** Every pixel hits once in a run, and the light of all of them stays the same. */
function run({ form }: LookContext, direction: 1 | -1): PixelMove {
  const bars = Math.ceil((RUN_SECONDS * form.bpm) / 60 / form.beatsPerBar);
  const params = { ...of("run"), pixel_beats: bars * form.beatsPerBar, pixel_share: 0.5, pixel_rest: 0.2, direction };
  return { params, says: "pixels run along the row" };
}

function wave({ form }: LookContext, direction: 1 | -1, bars: number): PixelMove {
  const least = Math.ceil((RUN_SECONDS * form.bpm) / 60 / form.beatsPerBar);
  const params = { ...of("wave"), pixel_beats: Math.max(bars, least) * form.beatsPerBar, pixel_rest: 0.3, direction };
  return { params, says: "pixels wave along the row" };
}

/** @param band of the curve that lamps fill up with */
export function meter(band: "bass" | "mid"): PixelMove {
  return { params: { ...of("meter"), pixel_rest: 0.15, band }, says: `pixels rise with the ${band}` };
}

/** Single pixels over a glow: lamps of one head stay out of it. */
export function sparkle(context: LookContext, phrase: Phrase, color: string): void {
  const { form, section, styles, target } = context;
  put(context, {
    role: "bar",
    ...phrase,
    intent: "sparkle_breathing",
    palette: [color],
    params: {
      level: 0,
      depth: 0,
      ...of("sparkle"),
      pixel_beats: Math.max(1, Math.round((SPARKLE_SECONDS * form.bpm) / 60)),
      pixel_level: Math.max(seenFrom(color), clamp(0.3 + target)),
      pixel_rest: GLOW,
      pixel_share: SPARSE,
      pixel_seed: Math.floor(styles.ofLabel("sparkle")() * 1e6),
    },
    reason: `${nameOf(section)}: pixels sparkle one by one, few enough to listen; lamps of one head rest`,
  });
}

const of = (pixels: PixelShape) => ({ pixels });
