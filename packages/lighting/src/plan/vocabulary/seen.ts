import type { SectionLabel } from "@followspot/contract";
import { fullBrightness, linearOfHex, oklabOfLinear } from "../../color.ts";
import { clamp } from "../../maths.ts";

/** OKLab lightness from which a fixture is visible after loud sections: red at 0.41 of its drive. */
const SEEN_LIGHTNESS = 0.35;

/**
 * Returns the drive from which a fixture of a color is visible, 0..1: the least that carries a quiet section. A full
 * blue has little light, so it needs twice the drive of amber. Lightness is the cube root of light, and light is the
 * square of drive.
 */
export function seenFrom(hex: string): number {
  const { l } = oklabOfLinear(fullBrightness(linearOfHex(hex)));
  return l > 0 ? clamp((SEEN_LIGHTNESS / l) ** 1.5) : 0;
}

/** Sections that the wash carries, and its share of the fixtures of a usual rig. */
const CARRIED: ReadonlySet<SectionLabel> = new Set(["intro", "verse", "outro"]);
const WASH_SHARE = 0.4;

/**
 * Returns what the mean drive of all fixtures gains when a section's wash is raised to be visible, 0..1.
 *
 * @param target mean drive of the section, and of its wash
 */
export function liftOf(label: SectionLabel, [lead]: readonly [lead: string, accent: string], target: number): number {
  return CARRIED.has(label) ? WASH_SHARE * Math.max(0, seenFrom(lead) - target) : 0;
}
