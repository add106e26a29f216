import { AIM_POSITIONS, type AimPoint, type HeadAim } from "@followspot/contract";
import { aimOfMessage } from "@followspot/contract/light-aim";
import type { Light } from "@followspot/contract/lights";
import { UNAIMED } from "@followspot/lighting";

/** Position presets of a moving head, in the order of the dialog. */
export const PLACES = ["home", ...AIM_POSITIONS] as const;
export type PlaceName = (typeof PLACES)[number];

/** Returns the stored aim of a light, or the default aim. */
export const aimOf = ({ aim }: Pick<Light, "aim">): HeadAim => (aim ? aimOfMessage(aim, UNAIMED) : UNAIMED);

/** Returns a copy of the aim without one position preset. */
export function without(aim: HeadAim, place: Exclude<PlaceName, "home">): HeadAim {
  const { [place]: _, ...rest } = aim;
  return rest;
}

/** Returns an initial tilt guard, slightly above the highest position preset. */
export function firstGuard(aim: HeadAim): NonNullable<HeadAim["guard"]> {
  const highest = Math.max(...PLACES.map((place) => aim[place]?.tilt ?? 0));
  return { from: Math.min(0.95, highest + 0.05), to: Math.min(1, highest + 0.2) };
}

/** Offsets a point by fractions of the pad and clamps the result to 0–1. */
export function movedOnPad({ pan, tilt }: AimPoint, right: number, up: number): AimPoint {
  return { pan: within(pan + right), tilt: within(tilt + up) };
}

const within = (value: number) => Math.min(1, Math.max(0, value));
