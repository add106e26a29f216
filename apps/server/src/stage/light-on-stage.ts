import { deskControlOf, type LampHolder, type LightOnStage, type Rig } from "@followspot/contract";
import type { Hands } from "./desk/desk-rules.ts";
import type { Lamps } from "./lamps/lamps.ts";
import type { LampScene } from "./stage-light.ts";
import type { Stage } from "./stage.ts";

export interface LightQuestion {
  readonly lamps: Lamps;
  readonly hands: Hands;
  readonly stage: Pick<Stage, "lightIds" | "lightOf" | "sentOf">;
  readonly rig: Rig;
  /** Current scene, with the desk controls applied. */
  readonly scene: LampScene;
  /** Current time, in `monotonicMs`. */
  readonly ms: number;
}

/**
 * Describes the current state of one light: the source that owns the fixtures, the values requested, and the bytes
 * sent.
 */
export function lightOnStage(id: number, { lamps, hands, stage, rig, scene, ms }: LightQuestion): LightOnStage {
  const patched = rig.lights.find((light) => light.id === id);
  const source = lamps.shown?.sceneAt(ms) ? lamps.shown : undefined;
  const isLit = scene.kind === "show";
  const slots = patched && stage.sentOf(patched.universe);
  return {
    holder: source?.kind ?? holderWithout(lamps, hands, scene, ms),
    source_id: source?.id ?? "",
    position: isLit ? scene.position : 0,
    idle: String(hands["idle"]?.value ?? ""),
    blackout: "blackout" in hands,
    master: Number(hands["master"]?.value ?? 1),
    is_known: stage.lightIds().has(id),
    ...(isLit ? stage.lightOf(id, scene) : { lanes: [] }),
    darkened_by: darkenedBy(id, rig, hands),
    sent: patched && slots ? [...slots.subarray(patched.address - 1, patched.address - 1 + patched.mode.channels.length)] : [], // prettier-ignore
  };
}

/** Returns the holder of fixtures that no source owns. */
function holderWithout(lamps: Lamps, hands: Hands, scene: LampScene, ms: number): LampHolder {
  if (scene.kind === "silent") return "nobody";
  return hands["idle"] || lamps.sceneAt(ms).kind === "show" ? "idle" : "desk";
}

/** Returns the mutes that include the light, or the solos if none includes it. */
function darkenedBy(id: number, { groups }: Rig, hands: Hands): readonly string[] {
  const has = (group: string) => group === "" || (groups.find((each) => each.id === group)?.lightIds.includes(id) ?? false); // prettier-ignore
  const keysOf = (kind: "mute" | "solo") => Object.keys(hands).filter((key) => deskControlOf(key)?.kind === kind);
  const groupOf = (key: string) => deskControlOf(key)?.group ?? "";
  const solos = keysOf("solo");
  return [
    ...keysOf("mute").filter((key) => has(groupOf(key))),
    ...(solos.some((key) => has(groupOf(key))) ? [] : solos),
  ];
}
