import { UNIVERSE_SLOTS } from "@followspot/contract";
import type { Light } from "@followspot/contract/lights";
import { findConflicts, freeAddress, nameInWords, overlapInWords, rangeInWords } from "@followspot/lighting";

export type SlotLook = "free" | "auto" | "override" | "conflict" | "selected";

/** One of the 512 channels of a universe, and the light that uses it. */
export interface UniverseSlot {
  /** 1..512 */
  readonly address: number;
  readonly look: SlotLook;
  /** Whether the slot has the second of two shades, which alternate between neighboring lights. */
  readonly isOdd: boolean;
  /** Light that uses the slot; of overlapping lights, the one with the highest start address. */
  readonly light: SlotLight | undefined;
}

/** Light as shown on the map; ID 0 is the draft of a form. */
export interface SlotLight {
  readonly id: number;
  readonly label: string;
  readonly address: number;
  readonly channelCount: number;
  readonly isOverride: boolean;
}

/** ID of the lights that a form would add. They are drawn as selected, or as a conflict where they overlap others. */
export const DRAFT = 0;

export const toSlotLight = ({ id, label, dmxAddress, channelCount, dmxOverride }: Light): SlotLight => ({
  id,
  label,
  address: dmxAddress,
  channelCount,
  isOverride: dmxOverride !== undefined,
});

/** Returns the 512 slots of one universe. @param lights lights of that universe */
export function universeSlots(lights: readonly SlotLight[], selected: number | undefined): readonly UniverseSlot[] {
  const ordered = lights.toSorted((a, b) => a.address - b.address || a.id - b.id);
  const holders: (SlotLight | undefined)[] = Array.from({ length: UNIVERSE_SLOTS });
  const meets = new Set<number>();
  const odd = new Set(ordered.filter((_, i) => i % 2 === 1).map(({ id }) => id));
  for (const light of ordered) {
    const end = Math.min(UNIVERSE_SLOTS, light.address + light.channelCount - 1);
    for (let slot = light.address - 1; slot < end; slot++) {
      if (holders[slot]) meets.add(slot);
      holders[slot] = light;
    }
  }
  return holders.map((light, slot) => ({
    address: slot + 1,
    look: lookOf(light, meets.has(slot), selected),
    isOdd: light !== undefined && odd.has(light.id),
    light,
  }));
}

function lookOf(light: SlotLight | undefined, isMet: boolean, selected: number | undefined): SlotLook {
  if (!light) return "free";
  if (isMet) return "conflict";
  if (light.id === selected || light.id === DRAFT) return "selected";
  return light.isOverride ? "override" : "auto";
}

/** Maps each overlapping light of a universe to a sentence about the overlap; both lights of a pair get one. */
export function overlaps(lights: readonly SlotLight[], universe: number): ReadonlyMap<number, string> {
  const byId = new Map(lights.map((light) => [light.id, light]));
  const sentences = new Map<number, string>();
  for (const { first, second } of findConflicts(lights.map((light) => ({ ...light, universe })))) {
    const [one, other] = [byId.get(first)!, byId.get(second)!]; // both IDs are from `lights`
    sentences.set(first, overlapInWords(one, other, universe));
    sentences.set(second, overlapInWords(other, one, universe));
  }
  return sentences;
}

export const slotsInUse = (slots: readonly UniverseSlot[]): number =>
  slots.filter(({ light }) => light !== undefined).length;

/** Returns the first address with room for `channelCount` channels; undefined if there is none. */
export const nextFree = (lights: readonly SlotLight[], channelCount: number): number | undefined =>
  freeAddress(lights, channelCount);

/** Lists the lights of a universe as text for screen readers, for example "1–7 Front par L". */
export const universeInWords = (lights: readonly SlotLight[]): readonly string[] =>
  lights.toSorted((a, b) => a.address - b.address).map((light) => `${rangeInWords(light)} ${nameInWords(light)}`);

/** Returns the universes in use, in ascending order; universe 1 if nothing is patched. */
export function universesOf(lights: readonly { readonly universe: number }[]): readonly number[] {
  const used = [...new Set(lights.map(({ universe }) => universe))].toSorted((a, b) => a - b);
  return used.length > 0 ? used : [1];
}
