import { create } from "@bufbuild/protobuf";
import { LightAimSchema, type AimPoint as PointMessage, type LightAim } from "./gen/followspot/lights/v1/lights_pb.js";
import type { AimPoint, HeadAim } from "./rig.ts";

/** An aim as the stage and the pad know it. @param without home and range of a message that lacks them */
export function aimOfMessage(message: LightAim, without: Pick<HeadAim, "home" | "range">): HeadAim {
  const { home = without.home, range = without.range, invertPan, invertTilt, swap, band, hall, floor, guard } = message;
  return {
    home: pointOf(home),
    range: pointOf(range),
    invertPan,
    invertTilt,
    swap,
    ...(band && { band: pointOf(band) }),
    ...(hall && { hall: pointOf(hall) }),
    ...(floor && { floor: pointOf(floor) }),
    ...(guard && { guard: { from: guard.fromTilt, to: guard.toTilt } }),
  };
}

export function messageOfAim({ guard, ...aim }: HeadAim): LightAim {
  return create(LightAimSchema, { ...aim, ...(guard && { guard: { fromTilt: guard.from, toTilt: guard.to } }) });
}

const pointOf = ({ pan, tilt }: AimPoint | PointMessage): AimPoint => ({ pan, tilt });
