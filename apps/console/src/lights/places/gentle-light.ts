import type { LightingPlan, Pose, Rig } from "@followspot/contract";
import { compileShow, emptyPlan, litByShow, type LitBeams } from "@followspot/lighting";

/** Light level of fixtures on the 3D plan, 0..1. Shows their aim without hiding what is behind the beams. */
const LEVEL = 0.32;
/** Start and duration of the only cue, s. It outlasts the one second that is rendered. */
const CUE = { time: 0, duration: 10 } as const;

/** Fixture on the 3D plan with its pose and beam color, #rrggbb. */
interface LitLamp {
  readonly id: number;
  readonly color: string;
  readonly pose: Pose;
}

/** Renders the rig with the drafted poses. Each fixture has a dim beam in its color, even if it is disabled. */
export function gentlyLit(rig: Rig, lamps: readonly LitLamp[]): LitBeams {
  const byId = new Map(lamps.map((lamp) => [lamp.id, lamp]));
  const typeOf = new Map(rig.groups.toReversed().flatMap(({ type, lightIds }) => lightIds.map((id) => [id, type])));
  const kinds = Map.groupBy(
    rig.lights.filter(({ id }) => byId.has(id)),
    ({ id }) => `${byId.get(id)!.color} ${typeOf.get(id) ?? "mixed"}`,
  );
  const groups = [...kinds.values()].map((lights, i) => {
    const type = typeOf.get(lights[0]!.id) ?? "mixed";
    return { id: `lit ${i}`, name: "", type, lightIds: lights.map(({ id }) => id), enabled: true };
  });
  const placed: Rig = {
    lights: [...kinds.values()].flat().map((light) => ({ ...light, enabled: true, pose: byId.get(light.id)!.pose })),
    groups,
  };
  const lanes = groups.map(({ id, lightIds }) => [id, [litIn(byId.get(lightIds[0]!)!.color)]]);
  const plan: LightingPlan = { ...emptyPlan([]), duration: CUE.duration, event_lanes: Object.fromEntries(lanes) };
  return litByShow(compileShow(plan, placed), placed);
}

function litIn(color: string): LightingPlan["event_lanes"][string][number] {
  const params = { level: LEVEL, to_level: LEVEL };
  return { ...CUE, intent: "snap", palette: [color], params, section: "verse", energy: 0.5, reason: "" };
}
