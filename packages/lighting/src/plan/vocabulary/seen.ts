import type { SectionLabel } from "@followspot/contract";
import { fullBrightness, linearOfHex, oklabOfLinear } from "../../color.ts";
import { clamp } from "../../maths.ts";

/** OKLab lightness of a lamp's light from which it is seen beside what loud parts have just shown: red at 0.41 of its drive. */
const SEEN_LIGHTNESS = 0.35;

/**
 * Drive from which a lamp of a colour is seen, 0..1: the least that carries a quiet part. A full blue has little light, so it
 * takes twice the drive of amber. Lightness is the cube root of light, and light the square of drive.
 */
export function seenFrom(hex: string): number {
  const { l } = oklabOfLinear(fullBrightness(linearOfHex(hex)));
  return l > 0 ? clamp((SEEN_LIGHTNESS / l) ** 1.5) : 0;
}

/** Parts that the wash carries, and its part of the lamps of a usual rig. */
const CARRIED: ReadonlySet<SectionLabel> = new Set(["intro", "verse", "outro"]);
const WASH_SHARE = 0.4;

/**
 * What the mean drive of all lamps gains where the wash of a part is lifted so as to be seen, 0..1.
 * @param target mean drive of the part, which its wash has as well
 */
export function liftOf(label: SectionLabel, [lead]: readonly [lead: string, accent: string], target: number): number {
  return CARRIED.has(label) ? WASH_SHARE * Math.max(0, seenFrom(lead) - target) : 0;
}
