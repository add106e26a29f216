import type { Light } from "@followspot/contract/lights";
import { aimOf } from "./aim-rules.ts";
import type { SeveralFields } from "./lights.queries.ts";

/** Fields that the user changed. Undefined fields stay unchanged. */
export interface SeveralDraft {
  readonly mode?: string;
  readonly enabled?: boolean;
  /** Group ID → whether all selected lights join (true) or leave (false) the group. */
  readonly groups: ReadonlyMap<string, boolean>;
  /** Home position as typed, percent of pan travel. */
  readonly homePan?: string;
  readonly homeTilt?: string;
  readonly invertPan?: boolean;
  readonly invertTilt?: boolean;
}

/** Returns the value shared by all lights; undefined if they differ. */
export function common<T>(lights: readonly Light[], valueOf: (light: Light) => T): T | undefined {
  const [first, ...others] = lights.map(valueOf);
  return others.every((value) => value === first) ? first : undefined;
}

/** Whether the lights are in a group; undefined if only some of them are. */
export const areIn = (lights: readonly Light[], group: string): boolean | undefined =>
  common(lights, ({ groups }) => groups.includes(group));

/** Returns the shared home position on an axis, percent of travel; undefined if the lights differ. */
export const commonHome = (lights: readonly Light[], axis: "pan" | "tilt"): string | undefined =>
  common(lights, (light) => String(Math.round(aimOf(light).home[axis] * 100)));

/** Returns only the fields whose drafted value differs from the lights' current value. */
export function fieldsOf(lights: readonly Light[], draft: SeveralDraft): SeveralFields {
  const { mode, enabled, invertPan, invertTilt } = draft;
  const others = [...draft.groups].filter(([group, isIn]) => areIn(lights, group) !== isIn);
  const [join, leave] = [true, false].map((side) => others.filter(([, isIn]) => isIn === side).map(([group]) => group));
  const home = homeOf(lights, draft);
  const isNew = <T>(value: T | undefined, valueOf: (light: Light) => T) =>
    value !== undefined && common(lights, valueOf) !== value;
  return {
    ...(isNew(mode, (light) => light.mode) && { mode: mode! }),
    ...(isNew(enabled, (light) => light.enabled) && { enabled: enabled! }),
    ...(join!.length > 0 && { joinGroups: join! }),
    ...(leave!.length > 0 && { leaveGroups: leave! }),
    ...(home && { home }),
    ...(isNew(invertPan, (light) => aimOf(light).invertPan) && { invertPan: invertPan! }),
    ...(isNew(invertTilt, (light) => aimOf(light).invertTilt) && { invertTilt: invertTilt! }),
  };
}

/** Validation error of a typed home position: not 0–100, or only one of pan and tilt. */
export type HomeProblem = "wrong" | "half";

export function homeProblem(lights: readonly Light[], draft: SeveralDraft): HomeProblem | undefined {
  if (draft.homePan === undefined && draft.homeTilt === undefined) return undefined;
  const typed = homeTexts(lights, draft);
  if (typed.every((text) => text === "")) return undefined;
  if (typed.some((text) => text === "")) return "half";
  return typed.every((text) => Number(text) >= 0 && Number(text) <= 100) ? undefined : "wrong";
}

function homeOf(lights: readonly Light[], draft: SeveralDraft): SeveralFields["home"] {
  const [pan, tilt] = homeTexts(lights, draft);
  const isSame = pan === (commonHome(lights, "pan") ?? "") && tilt === (commonHome(lights, "tilt") ?? "");
  if (isSame || pan === "" || homeProblem(lights, draft)) return undefined;
  return { pan: Number(pan) / 100, tilt: Number(tilt) / 100 };
}

/** Returns pan and tilt as text. An axis that was not typed takes the shared value, if any. */
const homeTexts = (lights: readonly Light[], { homePan, homeTilt }: SeveralDraft): readonly [string, string] => [
  (homePan ?? commonHome(lights, "pan") ?? "").trim(),
  (homeTilt ?? commonHome(lights, "tilt") ?? "").trim(),
];
