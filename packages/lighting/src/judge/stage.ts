import { GROUP_TYPES, type GroupType, type Rig } from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import type { CompiledShow } from "../compiled-show.ts";
import { emptyPlan } from "../empty-plan.ts";
import { setStates } from "../head-states.ts";
import { travelOf, type PanTilt } from "../space/directions.ts";

/** Fixtures that an audience perceives as one unit: a group, or the inner or outer fixtures of a rig in one row. */
export interface Zone {
  readonly name: string;
  readonly role: GroupType;
  readonly heads: readonly number[];
}

/** A rig as an audience sees it. Heads are numbered as in compileShow. */
export interface Stage {
  readonly name: string;
  readonly rig: Rig;
  readonly headCount: number;
  /** Zones whose light counts as the look: all except strobes and effects. */
  readonly zones: readonly Zone[];
  /** Zone of each head; -1 for strobes and effects. */
  readonly zoneOf: Int16Array;
  readonly isStrobe: Uint8Array;
  /** Role that each head plays. */
  readonly roles: readonly GroupType[];
  /** Position within the head's group, 0 left .. 1 right. */
  readonly places: Float32Array;
  /** Weight of a head in the color of the stage: wash 2, others 1, strobes and effects 0. */
  readonly weights: Float32Array;
  /** Share of its fixture that a head is, 0..1; 1 for a fixture with one head. */
  readonly lampShares: Float32Array;
  /** Travel of pan and tilt from end to end, degrees, head by head; 0 for heads that do not move. */
  readonly travel: Float32Array;
  /** Fastest pan and tilt of each head, degrees per second. */
  readonly topSpeed: Float32Array;
}

/** A source of light on a stage: a compiled plan or a baseline. Colors are linear, at full; level is linear light. */
export interface LightSource {
  readonly headCount: number;
  readonly level: Float32Array;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  /** Shares of the whole travel; undefined if nothing moves. */
  readonly pan?: Float32Array;
  readonly tilt?: Float32Array;
  /** 1 while a head is front light on a singer, which may be white. */
  readonly isSingersLight?: Uint8Array;
  /** Sets all heads for song time t, seconds. Times must be ascending, unless the source allows otherwise. */
  light(t: number): void;
}

const WASH_WEIGHT = 2;
/** Rigs with fewer groups are divided into inner and outer fixtures. */
const FEW_GROUPS = 3;

/** Returns the light of a plan on a rig. Times may be in any order. */
export function sourceOf(show: CompiledShow): LightSource {
  const { headCount, level, red, green, blue, pan, tilt, headLanes } = show;
  const isSingersLight = new Uint8Array(headCount);
  const light = (t: number) => {
    setStates(show, t);
    for (let h = 0; h < headCount; h++) isSingersLight[h] = headLanes[h]![0]?.now.cue?.isSingersLight ? 1 : 0;
  };
  return { headCount, level, red, green, blue, pan, tilt, isSingersLight, light };
}

export function stageOf(name: string, rig: Rig): Stage {
  const show = compileShow(EMPTY_PLAN, rig);
  const n = show.headCount;
  const groupOfLight = new Map(rig.groups.flatMap((group) => group.lightIds.map((id) => [id, group] as const)));
  const roles = Array.from(show.headTargets, (target) => (target.slice("role:".length) || "effect") as GroupType);
  const members = Map.groupBy(
    Array.from({ length: n }, (_, h) => h),
    (h) => groupOfLight.get(show.lightIds[h]!)?.id ?? roles[h]!,
  );
  // In the order in which they stand: a split row lists its inner heads first.
  for (const heads of members.values()) {
    heads.sort((a, b) => show.lightIds[a]! - show.lightIds[b]! || show.headNumbers[a]! - show.headNumbers[b]!);
  }
  const isUnseen = (h: number) => roles[h] === "strobe" || roles[h] === "effect";
  const seen = [...members].filter(([, heads]) => !isUnseen(heads[0]!));
  const modeOf = new Map(rig.lights.map(({ id, mode }) => [id, mode]));
  const headsOfLamp = Map.groupBy(show.lightIds, (id) => id);
  const perAxis = (of: (h: number) => PanTilt) =>
    Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? of(i >> 1).pan : of(i >> 1).tilt));
  const places = new Float32Array(n);
  for (const heads of members.values())
    heads.forEach((h, i) => (places[h] = heads.length > 1 ? i / (heads.length - 1) : 0.5));
  const zones: Zone[] = [];
  for (const [id, heads] of seen) {
    if (seen.length >= FEW_GROUPS || heads.length < 4) {
      zones.push({ name: id, role: roles[heads[0]!]!, heads });
      continue;
    }
    const margin = Math.floor(heads.length / 4);
    const isInner = (_: number, i: number) => i >= margin && i < heads.length - margin;
    const inner = heads.filter(isInner);
    const outer = heads.filter((h, i) => !isInner(h, i));
    zones.push({ name: `${id}, inner`, role: roles[inner[0]!]!, heads: inner });
    zones.push({ name: `${id}, outer`, role: roles[outer[0]!]!, heads: outer });
  }
  const zoneOf = new Int16Array(n).fill(-1);
  zones.forEach((zone, z) => zone.heads.forEach((h) => (zoneOf[h] = z)));
  return {
    name,
    rig,
    headCount: n,
    zones,
    zoneOf,
    roles,
    isStrobe: Uint8Array.from(roles, (role) => (role === "strobe" ? 1 : 0)),
    places,
    travel: perAxis((h) => (show.moves[h] === 1 ? travelOf(modeOf.get(show.lightIds[h]!)!) : STILL)),
    topSpeed: perAxis((h) => {
      const { movement } = modeOf.get(show.lightIds[h]!)!;
      return { pan: movement?.panSpeed ?? USUAL_SPEED.pan, tilt: movement?.tiltSpeed ?? USUAL_SPEED.tilt };
    }),
    weights: Float32Array.from(roles, (role, h) => (isUnseen(h) ? 0 : role === "wash" ? WASH_WEIGHT : 1)),
    lampShares: Float32Array.from(show.lightIds, (id) => 1 / headsOfLamp.get(id)!.length),
  };
}

const STILL: PanTilt = { pan: 0, tilt: 0 };
/** Fastest movement of heads without a speed in their definition, degrees per second. */
const USUAL_SPEED: PanTilt = { pan: 200, tilt: 150 };

const EMPTY_PLAN = emptyPlan(GROUP_TYPES.filter((type) => type !== "mixed").map((type) => `role:${type}`));
