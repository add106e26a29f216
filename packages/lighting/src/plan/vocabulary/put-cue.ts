import { clamp } from "../../maths.ts";
import type { CueSpec, PlannedRole } from "../lane-writer.ts";
import { SINGER_FLOOR, SINGER_LEAST } from "./levels.ts";
import type { LookContext } from "./look-context.ts";

/**
 * A cue of a recipe. `level`, `to_level` and `floor` are drive, 0..1, before the section's gain. Brightness changes
 * only the dimmer, never the color.
 */
export interface CueOfBeats extends CueSpec {
  readonly role: PlannedRole;
  /** Beats; seconds for `putSeconds`. */
  readonly from: number;
  readonly to: number;
  /** Lowest peak drive, whatever the section's gain, 0..1. The other levels scale with it. */
  readonly least?: number | undefined;
}

/** Writes a cue into the section's lanes; numbers are rounded to three digits. */
export function put(context: LookContext, { role, from, to, least, ...spec }: CueOfBeats): void {
  context.lanes.addBeats(role, context.section, from, to, { ...spec, params: lampParams(context, role, spec, least) });
}

/** Writes a cue between two times in seconds. */
export function putSeconds(context: LookContext, { role, from, to, least, ...spec }: CueOfBeats): void {
  context.lanes.add(role, context.section, from, to, { ...spec, params: lampParams(context, role, spec, least) });
}

function lampParams(context: LookContext, role: PlannedRole, spec: CueSpec, least?: number): CueSpec["params"] {
  const lit = { ...spec.params, ...litParams(context, role, spec, least) };
  return Object.fromEntries(
    Object.entries(lit).map(([name, value]) => [
      name,
      typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
    ]),
  );
}

function litParams(
  { gain, sings }: LookContext,
  role: PlannedRole,
  { params }: CueSpec,
  leastPeak = 0,
): Record<string, number> {
  const number = (name: string): number | undefined => {
    const value = params[name];
    return typeof value === "number" ? value : undefined;
  };
  const onSinger = Math.max(SINGER_FLOOR, SINGER_LEAST / (1 - (number("depth") ?? 0)));
  const least = role === "wash" && sings ? Math.min(1, onSinger) : 0;
  const wanted = number("level") ?? 0.5;
  const toWanted = number("to_level");
  const most = Math.max(wanted, toWanted ?? 0);
  const scale = most > 0 ? Math.max(gain, leastPeak / most) : gain;
  const driven = (value: number) => (value > 0 ? Math.max(least, clamp(value * scale)) : 0);
  const floor = number("floor");
  const level = driven(wanted);
  return {
    level,
    ...(toWanted !== undefined && { to_level: driven(toWanted) }),
    // The floor keeps its ratio to the level. Otherwise a pattern at full level would vanish.
    ...(floor !== undefined && { floor: wanted > 0 ? (floor / wanted) * level : 0 }),
  };
}
