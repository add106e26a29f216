import { AIM_POSITIONS, type AimPoint, type HeadAim } from "@followspot/contract";
import { aimOfMessage } from "@followspot/contract/light-aim";
import type { Light } from "@followspot/contract/lights";
import { UNAIMED } from "@followspot/lighting";

/** Where a beam can look, as the dialog lists them. */
export const PLACES = ["home", ...AIM_POSITIONS] as const;
export type PlaceName = (typeof PLACES)[number];

/** How a lamp turns its pad into pan and tilt. */
export type Turns = Pick<HeadAim, "invertPan" | "invertTilt" | "swap">;

/** The aim of a light, or what every lamp does without one. */
export const aimOf = ({ aim }: Pick<Light, "aim">): HeadAim => (aim ? aimOfMessage(aim, UNAIMED) : UNAIMED);

/**
 * The aim with other turns. What is stored stays where the lamp really looks: its places are written as the pad shows them
 * from now on. A guard is turned with its tilt.
 */
export function turned(aim: HeadAim, turns: Partial<Turns>): HeadAim {
  const after = { ...aim, ...turns };
  const move = (point: AimPoint) => fromChannels(toChannels(point, aim), after);
  const { guard } = aim;
  const isFlipped = toChannels({ pan: 0, tilt: 0 }, aim).tilt !== toChannels({ pan: 0, tilt: 0 }, after).tilt;
  return {
    ...after,
    home: move(aim.home),
    ...(aim.band && { band: move(aim.band) }),
    ...(aim.hall && { hall: move(aim.hall) }),
    ...(aim.floor && { floor: move(aim.floor) }),
    ...(guard && isFlipped && !aim.swap && { guard: { from: 1 - guard.to, to: 1 - guard.from } }),
  };
}

function toChannels({ pan, tilt }: AimPoint, { swap, invertPan, invertTilt }: Turns): AimPoint {
  const [a, b] = swap ? [tilt, pan] : [pan, tilt];
  return { pan: invertPan ? 1 - a : a, tilt: invertTilt ? 1 - b : b };
}

function fromChannels({ pan, tilt }: AimPoint, { swap, invertPan, invertTilt }: Turns): AimPoint {
  const [a, b] = [invertPan ? 1 - pan : pan, invertTilt ? 1 - tilt : tilt];
  return swap ? { pan: b, tilt: a } : { pan: a, tilt: b };
}

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
