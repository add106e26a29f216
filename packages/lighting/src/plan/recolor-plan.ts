import type { LightingPlan } from "@followspot/contract";
import { hueDistance, oklchOfHex } from "../color.ts";
import { hasHue } from "../palettes/harmony.ts";
import { COLOR_PAIRS, type ColorPair } from "./color-pairs.ts";

/** The pair of this name; undefined for any other text. */
export const pairNamed = (name: unknown): ColorPair | undefined => COLOR_PAIRS.find((pair) => pair.name === name);

/**
 * The same show in other colours: what was its base has the pair's base, and so on with second, contrast and held. A colour that is
 * none of the show's own has what the nearest of them has; white and pale light stay.
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

/** Which of a palette's colours a colour is, or is nearest to by its hue. */
function placeIn(palette: readonly string[], hex: string): number {
  const exact = palette.indexOf(hex);
  if (exact >= 0) return exact;
  const { h } = oklchOfHex(hex);
  const away = palette.map((each) => (hasHue(each) ? hueDistance(oklchOfHex(each).h, h) : Number.POSITIVE_INFINITY));
  return Math.max(0, away.indexOf(Math.min(...away)));
}
