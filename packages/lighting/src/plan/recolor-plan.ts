import type { LightingPlan } from "@followspot/contract";
import { hueDistance, oklchOfHex } from "../color.ts";
import { hasHue } from "../palettes/harmony.ts";
import { COLOR_PAIRS, type ColorPair } from "./color-pairs.ts";

/** Returns the color pair with this name; undefined for any other text. */
export const pairNamed = (name: unknown): ColorPair | undefined => COLOR_PAIRS.find((pair) => pair.name === name);

/**
 * Returns the same show in other colors. Base, second, contrast and held are replaced by those of the pair. Any other
 * color is replaced like the nearest color of the show. White and pale light stay.
 */
export function recolorPlan(plan: LightingPlan, { colors }: ColorPair): LightingPlan {
  const known = new Map<string, string>();
  const recolored = (hex: string): string => {
    const found = known.get(hex) ?? (hasHue(hex) ? colors[placeIn(plan.palette, hex) % colors.length]! : hex);
    known.set(hex, found);
    return found;
  };
  return {
    ...plan,
    palette: [...colors],
    event_lanes: Object.fromEntries(
      Object.entries(plan.event_lanes).map(([lane, cues]) => [
        lane,
        cues.map((cue) => ({ ...cue, palette: cue.palette.map(recolored) })),
      ]),
    ),
  };
}

/** Returns the index of a color in a palette, or of the color nearest in hue. */
function placeIn(palette: readonly string[], hex: string): number {
  const exact = palette.indexOf(hex);
  if (exact >= 0) return exact;
  const { h } = oklchOfHex(hex);
  const away = palette.map((each) => (hasHue(each) ? hueDistance(oklchOfHex(each).h, h) : Number.POSITIVE_INFINITY));
  return Math.max(0, away.indexOf(Math.min(...away)));
}
