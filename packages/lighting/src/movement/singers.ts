import type { Cue } from "@followspot/contract";

/** Most fixtures of a lane that all light the singer. With more, those nearest to the middle do. */
const ALL_UP_TO = 2;
/** Largest difference in distance to the middle at which two fixtures count as a pair, meters. */
const PAIR_WITHIN = 0.3;

/** Whether some fixtures of a lane stay on the singer while the others move on. */
export const hasSinger = (cues: readonly Cue[]): boolean => cues.some(({ params }) => isLevel(params["singer"]));

/**
 * Returns the fixtures of a lane that stay on the singer: the one in the middle, or the pair around it.
 *
 * @param widths how far each fixture is to the right of the middle of the stage, meters
 */
export function singersOf(widths: readonly number[]): ReadonlySet<number> {
  const byDistance = widths.map((x, i) => ({ i, away: Math.abs(x) })).sort((a, b) => a.away - b.away || a.i - b.i);
  const [first, second] = byDistance;
  if (!first || widths.length <= ALL_UP_TO) return new Set(widths.keys());
  const isPair = second !== undefined && second.away - first.away < PAIR_WITHIN;
  return new Set(isPair ? [first.i, second.i] : [first.i]);
}

/** Returns the cue for the heads on the singer: still, steady, at the band, in the last color of the palette. */
export function singerCue(cue: Cue): Cue {
  const { singer, singer_beam, fade_seconds = 0 } = cue.params;
  if (!isLevel(singer)) return cue;
  return {
    ...cue,
    intent: "static_crossfade",
    palette: cue.palette.slice(-1),
    params: {
      level: singer,
      fade_seconds,
      aim: "band",
      zoom: SINGER_ZOOM,
      for: "singer",
      ...(singer_beam !== undefined && { beam: singer_beam }),
    },
  };
}

/** Zoom of a beam on one person, 0..1. */
const SINGER_ZOOM = 0.35;

const isLevel = (value: unknown): value is number => typeof value === "number" && value > 0;
