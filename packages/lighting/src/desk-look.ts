import { deskControlOf, type DeskHand, type Rig } from "@followspot/contract";
import { fullBrightness, linearOfHex } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { shineIn } from "./wheels.ts";

/** What the desk does to each head of a show; worked out at a press, read at every tick. */
export interface DeskLook {
  /** 1 for heads that stay dark: muted, or not among those that are soloed. */
  readonly isMuted: Uint8Array;
  /** 1 for heads whose colour is in somebody's hand, and r, g, b of each. */
  readonly isTinted: Uint8Array;
  readonly tints: Float32Array;
  /** 1 for heads of lamps that somebody looks for. */
  readonly isIdentified: Uint8Array;
  readonly blinder: boolean;
}

/** Finds the heads the controls in somebody's hand speak to. A group's own colour goes before the rig's. */
export function bindDesk(show: CompiledShow, rig: Rig, hands: Readonly<Record<string, DeskHand>>): DeskLook {
  const n = show.headCount;
  const lightsOf = new Map(rig.groups.map(({ id, lightIds }) => [id, new Set(lightIds)]));
  const look = {
    isMuted: new Uint8Array(n),
    isTinted: new Uint8Array(n),
    tints: new Float32Array(3 * n),
    isIdentified: new Uint8Array(n),
    blinder: "blinder" in hands,
  };
  const isSoloed = new Uint8Array(n);
  let hasSolo = false;
  const controls = Object.entries(hands).map(([key, hand]) => ({ ...deskControlOf(key), hand }));
  for (const { kind, group = "", light, hand } of controls.toSorted((a, b) => since(a) - since(b))) {
    if (kind === "identify") for (let h = 0; h < n; h++) if (show.lightIds[h] === light) look.isIdentified[h] = 1;
    if (kind !== "mute" && kind !== "solo" && kind !== "color") continue;
    const lights = lightsOf.get(group);
    if (group !== "" && !lights) continue;
    if (kind === "solo") hasSolo = true;
    const tint = kind === "color" ? fullBrightness(linearOfHex(String(hand.value))) : undefined;
    for (let h = 0; h < n; h++) {
      if (lights && !lights.has(show.lightIds[h]!)) continue;
      if (kind === "mute") look.isMuted[h] = 1;
      if (kind === "solo") isSoloed[h] = 1;
      if (!tint) continue;
      look.isTinted[h] = 1;
      look.tints.set([tint.r, tint.g, tint.b], 3 * h);
    }
  }
  if (hasSolo) for (let h = 0; h < n; h++) if (isSoloed[h] === 0) look.isMuted[h] = 1;
  return look;
}

/** The rig's colour first, then those of groups in the order they were pressed: of two the later wins. */
function since({ group = "", hand }: { readonly group?: string; readonly hand: DeskHand }): number {
  return group === "" ? Number.NEGATIVE_INFINITY : hand.since;
}

/** What the desk does at one moment beside its look. */
export interface DeskMoment {
  /** Whether the desk's strobe is lit now; undefined while it is not pressed. */
  readonly strobe?: boolean | undefined;
  /** Whether lamps that are looked for are lit now. */
  readonly identify?: boolean | undefined;
  /** Nothing plays: lamps whose colour is in hand shine in it as bright as they can. */
  readonly isColorLight?: boolean | undefined;
}

/**
 * Puts the desk over the states as they stand. A lamp that is looked for blinks white whatever else is pressed; muting
 * wins over everything that lights, blinder and strobe over the show. Its white is made by all emitters of a lamp.
 * Allocation free.
 */
export function applyDesk(show: CompiledShow, look: DeskLook, { strobe, identify, isColorLight }: DeskMoment): void {
  for (let h = 0; h < show.headCount; h++) {
    show.fullWhite[h] = 0;
    if (look.isIdentified[h] === 1) {
      show.level[h] = identify ? 1 : 0;
      shineWhite(show, h);
      continue;
    }
    if (look.isMuted[h] === 1) {
      show.level[h] = 0;
      continue;
    }
    if (look.isTinted[h] === 1) {
      const r = look.tints[3 * h]!;
      const g = look.tints[3 * h + 1]!;
      const b = look.tints[3 * h + 2]!;
      if (Math.min(r, g, b) < 1) shineIn(show, h, r, g, b);
      else shineWhite(show, h);
      // What hits once in a show would be left burning.
      if (isColorLight && show.isStrobe[h] === 0) show.level[h] = 1;
    }
    if (strobe !== undefined) {
      show.level[h] = strobe ? 1 : 0;
      if (look.isTinted[h] === 0) shineWhite(show, h);
    }
    if (look.blinder) {
      show.level[h] = 1;
      shineWhite(show, h);
    }
  }
}

function shineWhite(show: CompiledShow, h: number): void {
  shineIn(show, h, 1, 1, 1);
  show.fullWhite[h] = 1;
}

/** Heads of the role strobe stay dark while nothing moves on: what hits once in a show would be left burning. */
export function restStrobes(show: CompiledShow): void {
  for (let h = 0; h < show.headCount; h++) if (show.isStrobe[h] === 1) show.level[h] = 0;
}
