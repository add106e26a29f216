import type { FixtureMode } from "@followspot/contract";
import type { PlacedChannel } from "./channel-of.ts";

/** What a file says of a whole lamp, degrees; 0 where it does not know. */
export interface DescribedBody {
  readonly pan?: number | undefined;
  readonly tilt?: number | undefined;
  /** The narrowest beam and the widest. */
  readonly beam?: readonly [from: number, to: number] | undefined;
}

/** A definition holds no larger angles: nothing turns ten times. */
const MOST_DEGREES = 3600;
const MOST_BEAM = 180;

/** How far and how fast the heads of a mode turn, and how wide its beam is, as far as its file says. */
export function physicalOf(
  channels: readonly PlacedChannel[],
  body: DescribedBody = {},
): Pick<FixtureMode, "movement" | "beam"> {
  const described = channels.map(({ channel }) => channel);
  const pan = described.find(({ kind }) => kind === "pan");
  const tilt = described.find(({ kind }) => kind === "tilt");
  const movement = {
    ...(pan && said("pan", pan.turns?.degrees ?? body.pan)),
    ...(tilt && said("tilt", tilt.turns?.degrees ?? body.tilt)),
    ...(pan && said("panSpeed", pan.turns?.perSecond)),
    ...(tilt && said("tiltSpeed", tilt.turns?.perSecond)),
  };
  const beam = described.find(({ kind }) => kind === "zoom")?.beam ?? body.beam;
  return {
    ...(Object.keys(movement).length > 0 && { movement }),
    ...(beam && beam.every((angle) => angle > 0 && angle <= MOST_BEAM) && { beam: beamOf(beam) }),
  };
}

function said<Name extends string>(name: Name, degrees: number | undefined): Partial<Record<Name, number>> {
  if (degrees === undefined || !(degrees > 0) || degrees > MOST_DEGREES) return {};
  return { [name]: Math.round(degrees * 100) / 100 } as Partial<Record<Name, number>>; // a computed key is a string to the compiler
}

function beamOf([a, b]: readonly [number, number]): { from: number; to: number } {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
