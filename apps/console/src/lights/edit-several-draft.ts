import type { Light } from "@followspot/contract/lights";
import { aimOf } from "./aim-rules.ts";
import type { SeveralFields } from "./lights.queries.ts";

/** What a person touched; what is undefined stays as it is. */
export interface SeveralDraft {
  readonly mode?: string;
  readonly enabled?: boolean;
  /** Groups by id: whether all are to be in it. */
  readonly groups: ReadonlyMap<string, boolean>;
  /** Percent of the travel, as typed. */
  readonly homePan?: string;
  readonly homeTilt?: string;
  readonly invertPan?: boolean;
  readonly invertTilt?: boolean;
}

/** The value that all lights have; undefined while they have several. */
export function common<T>(lights: readonly Light[], valueOf: (light: Light) => T): T | undefined {
  const [first, ...others] = lights.map(valueOf);
  return others.every((value) => value === first) ? first : undefined;
}

/** Whether all lights are in a group; undefined when only some are. */
export const areIn = (lights: readonly Light[], group: string): boolean | undefined =>
  common(lights, ({ groups }) => groups.includes(group));

/** Home of all of them, in percent; undefined while they have several. */
export const commonHome = (lights: readonly Light[], axis: "pan" | "tilt"): string | undefined =>
  common(lights, (light) => String(Math.round(aimOf(light).home[axis] * 100)));

/** The fields that a draft changes of these lights. */
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

/** What is wrong with a home as it is typed. */
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

/** An axis that was not typed is as all have it. */
const homeTexts = (lights: readonly Light[], { homePan, homeTilt }: SeveralDraft): readonly [string, string] => [
  (homePan ?? commonHome(lights, "pan") ?? "").trim(),
  (homeTilt ?? commonHome(lights, "tilt") ?? "").trim(),
];
