import type { CueSpec, PlannedRole } from "../lane-writer.ts";
import { mostWhite, SINGER_FLOOR } from "./levels.ts";
import type { LookContext } from "./look-context.ts";
import { shine } from "./shine.ts";

/** One cue of a recipe. `level`, `to_level` and `floor` are brightness as seen; they become lamp levels here. */
export interface CueOfBeats extends CueSpec {
  readonly role: PlannedRole;
  /** Beats; seconds for `putSeconds`. */
  readonly from: number;
  readonly to: number;
}

/** Write a cue into the section's lanes; numbers keep three digits. */
export function put(context: LookContext, { role, from, to, ...spec }: CueOfBeats): void {
  context.lanes.addBeats(role, context.section, from, to, { ...spec, params: lampParams(context, role, spec) });
}

/** The same between two times in seconds. */
export function putSeconds(context: LookContext, { role, from, to, ...spec }: CueOfBeats): void {
  context.lanes.add(role, context.section, from, to, { ...spec, params: lampParams(context, role, spec) });
}

function lampParams(context: LookContext, role: PlannedRole, spec: CueSpec): CueSpec["params"] {
  const lit = { ...spec.params, ...litParams(context, role, spec) };
  return Object.fromEntries(
    Object.entries(lit).map(([name, value]) => [
      name,
      typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
    ]),
  );
}

function litParams(context: LookContext, role: PlannedRole, { palette, params }: CueSpec): Record<string, number> {
  const number = (name: string): number | undefined => {
    const value = params[name];
    return typeof value === "number" ? value : undefined;
  };
  const most = mostWhite(context, role);
  const colors = params["spread"] === "alternate" ? palette : palette.slice(0, 1);
  const wanted = number("level") ?? 0.5;
  const atPeak = shine(colors, wanted * context.gain, most);
  const toWanted = number("to_level");
  const atEnd = toWanted === undefined ? undefined : shine(colors, toWanted * context.gain, most);
  const least = role === "wash" && context.sings ? SINGER_FLOOR : 0;
  const floor = number("floor");
  const white = Math.max(number("white") ?? 0, atPeak.white);
  const toWhite = number("to_white") ?? atEnd?.white;
  return {
    level: Math.max(wanted > 0 ? least : 0, atPeak.level),
    ...(atEnd && { to_level: toWanted === 0 ? 0 : Math.max(least, atEnd.level) }),
    ...(floor !== undefined && { floor: wanted > 0 ? (floor / wanted) * atPeak.level : 0 }),
    ...(white > 0 && { white }),
    ...(toWhite !== undefined && (toWhite > 0 || white > 0) && { to_white: toWhite }),
  };
}
