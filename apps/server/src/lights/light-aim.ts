import { AIM_POSITIONS, type HeadAim } from "@followspot/contract";
import { aimOfMessage } from "@followspot/contract/light-aim";
import type { LightAim } from "@followspot/contract/lights";
import { sideOfGuard } from "@followspot/lighting";
import { invalid } from "../platform/errors.ts";

/** Aim positions that a beam points at, with their names for users. */
const PLACES = ["home", ...AIM_POSITIONS] as const;

/** @throws invalid_argument if a position is inside or behind the guard zone, through which the beam would sweep */
export function requireAim(message: LightAim): HeadAim {
  const { home, range } = message;
  if (!home || !range) throw invalid("aim: needs home and range");
  const aim = aimOfMessage(message, { home, range });
  if (aim.guard && aim.guard.from >= aim.guard.to) throw invalid("The guard ends where it begins, or before");
  const [lowest, highest] = sideOfGuard(aim);
  for (const place of PLACES) {
    const tilt = aim[place]?.tilt;
    if (tilt === undefined || (tilt >= lowest && tilt <= highest)) continue;
    throw invalid(
      place === "home"
        ? "Home lies in the guard: move it out, or make the guard smaller"
        : `The beam would go through the guard from home to ${place}: set ${place} on the same side as home`,
    );
  }
  return aim;
}
