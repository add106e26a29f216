import type { FixtureMode } from "@followspot/contract";
import type { PlacedChannel } from "./channel-of.ts";

/** Physical data of a fixture in a file, degrees; 0 or undefined if unknown. */
export interface DescribedBody {
  readonly pan?: number | undefined;
  readonly tilt?: number | undefined;
  /** Narrowest and widest beam. */
  readonly beam?: readonly [from: number, to: number] | undefined;
}

/** Largest angle of a definition, degrees: no fixture turns ten times. */
const MOST_DEGREES = 3600;
const MOST_BEAM = 180;

/** Returns travel and speed of the heads of a mode, and its beam angles, as far as the file gives them. */
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
  return { [name]: Math.round(degrees * 100) / 100 } as Partial<Record<Name, number>>; // the compiler widens computed keys
}

function beamOf([a, b]: readonly [number, number]): { from: number; to: number } {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}
