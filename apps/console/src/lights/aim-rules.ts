import { AIM_POSITIONS, type AimPoint, type HeadAim } from "@followspot/contract";
import { aimOfMessage } from "@followspot/contract/light-aim";
import type { Light } from "@followspot/contract/lights";
import { UNAIMED } from "@followspot/lighting";

/** Where a beam can look, as the dialog lists them. */
export const PLACES = ["home", ...AIM_POSITIONS] as const;
export type PlaceName = (typeof PLACES)[number];

/** The aim of a light, or what every lamp does without one. */
export const aimOf = ({ aim }: Pick<Light, "aim">): HeadAim => (aim ? aimOfMessage(aim, UNAIMED) : UNAIMED);

/** The aim without a position it had. */
export function without(aim: HeadAim, place: Exclude<PlaceName, "home">): HeadAim {
  const { [place]: _, ...rest } = aim;
  return rest;
}

/** A guard to begin with: a little above everything the beam looks at. */
export function firstGuard(aim: HeadAim): NonNullable<HeadAim["guard"]> {
  const highest = Math.max(...PLACES.map((place) => aim[place]?.tilt ?? 0));
  return { from: Math.min(0.95, highest + 0.05), to: Math.min(1, highest + 0.2) };
}

/** Moved by parts of the pad, and kept on it. */
export function movedOnPad({ pan, tilt }: AimPoint, right: number, up: number): AimPoint {
  return { pan: within(pan + right), tilt: within(tilt + up) };
}

const within = (value: number) => Math.min(1, Math.max(0, value));
