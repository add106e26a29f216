import type { LightingPlan, Pose, Rig } from "@followspot/contract";
import { compileShow, emptyPlan, litByShow, type LitBeams } from "@followspot/lighting";

/** Light of lamps that are placed: their aim is seen, and what is behind it as well. 0..1 */
const LEVEL = 0.32;
/** The cue goes on from the beginning past the one second that is shown, in seconds. */
const CUE = { time: 0, duration: 10 } as const;

/** A lamp to be placed: where it is, and in which colour it is lit, #rrggbb. */
interface LitLamp {
  readonly id: number;
  readonly color: string;
  readonly pose: Pose;
}

/** A rig at other places, each of its lamps lit gently in its colour, switched off or not. */
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
