import type { AimPoint, HeadAim } from "@followspot/contract";

/** How a fixture maps its pad to pan and tilt. */
type Turns = Pick<HeadAim, "invertPan" | "invertTilt" | "swap">;

/**
 * Returns the aim with a different mapping from pad to channels. Stored positions keep pointing where they did: they
 * are converted to the new pad coordinates. A guard is flipped with its tilt.
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
