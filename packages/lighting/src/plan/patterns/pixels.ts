import type { PixelShape } from "../../pixels.ts";
import { clamp } from "../../maths.ts";
import type { CueSpec } from "../lane-writer.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { put } from "../vocabulary/put-cue.ts";
import { seenFrom } from "../vocabulary/seen.ts";
import type { Phrase } from "../vocabulary/phrases.ts";

/** Pixel effect of bars, strips and matrices. Fixtures with one head ignore it. */
export interface PixelMove {
  readonly params: CueSpec["params"];
  /** Description for reasons. */
  readonly says: string;
}

/** Shortest time of a run along the row, rounded up to whole bars, seconds. Slower than the hits beside it. */
const RUN_SECONDS = 1.6;
/** Length of a soft wave, bars. */
const WAVE_BARS = 2;
/** Length of a sparkle, seconds. */
const SPARKLE_SECONDS = 1.4;
/**
 * Share of the pixels that sparkle at a time in quiet sections; and level of the others relative to those, a visible
 * glow.
 */
const SPARSE = 0.1;
const GLOW = 0.3;

/**
 * Returns the pixel effect of a loud section. Choruses run or wave, by label, and softly with vocals. Drops, and loud
 * sections without vocals, alternate with a level meter.
 */
export function loudPixels(context: LookContext, isTogether: boolean, direction: 1 | -1): PixelMove {
  const { section, sings } = context;
  if (!isTogether && (section.label === "drop" || !sings)) return meter("bass");
  const shape = sings ? wayOf(context, "pixels", ["wave", "run"] as const) : "run";
  return shape === "run" && isTogether ? run(context, direction) : wave(context, direction, 1);
}

/** Returns the pixel effect of a verse: a slow wave. */
export function quietPixels(context: LookContext, direction: 1 | -1): PixelMove {
  return wave(context, direction, WAVE_BARS);
}

/** Every pixel hits once in a run, and the total light stays constant. */
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

/** @param band curve that the pixels fill up with */
export function meter(band: "bass" | "mid"): PixelMove {
  return { params: { ...of("meter"), pixel_rest: 0.15, band }, says: `pixels rise with the ${band}` };
}

/** Writes single sparkling pixels over a glow. Fixtures with one head stay dark. */
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
