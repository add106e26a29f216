import { UNIVERSE_SLOTS } from "@followspot/contract";
import type { Light } from "@followspot/contract/lights";
import { findConflicts, freeAddress, nameInWords, overlapInWords, rangeInWords } from "@followspot/lighting";

export type SlotLook = "free" | "auto" | "override" | "conflict" | "selected";

/** One of the 512 channels of a universe, and who has it. */
export interface UniverseSlot {
  /** 1..512 */
  readonly address: number;
  readonly look: SlotLook;
  /** Neighbours are told apart by two shades, by turns. */
  readonly isOdd: boolean;
  /** Who has it; of several the one that begins last. */
  readonly light: SlotLight | undefined;
}

/** A light as far as the map cares; 0 is the draft of a form. */
export interface SlotLight {
  readonly id: number;
  readonly label: string;
  readonly address: number;
  readonly channelCount: number;
  readonly isOverride: boolean;
}

/** Id of the lamps a form would add: drawn as selected, or as a conflict where they meet others. */
export const DRAFT = 0;

export const toSlotLight = ({ id, label, dmxAddress, channelCount, dmxOverride }: Light): SlotLight => ({
  id,
  label,
  address: dmxAddress,
  channelCount,
  isOverride: dmxOverride !== undefined,
});

/** All slots of one universe. @param lights of that universe */
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

/** What overlaps in one universe, as sentences by light; both lights of a pair have it. */
export function overlaps(lights: readonly SlotLight[], universe: number): ReadonlyMap<number, string> {
  const byId = new Map(lights.map((light) => [light.id, light]));
  const sentences = new Map<number, string>();
  for (const { first, second } of findConflicts(lights.map((light) => ({ ...light, universe })))) {
    const [one, other] = [byId.get(first)!, byId.get(second)!]; // they came from there
    sentences.set(first, overlapInWords(one, other, universe));
    sentences.set(second, overlapInWords(other, one, universe));
  }
  return sentences;
}

export const slotsInUse = (slots: readonly UniverseSlot[]): number =>
  slots.filter(({ light }) => light !== undefined).length;

/** The first address with room for so many channels; undefined: none. */
export const nextFree = (lights: readonly SlotLight[], channelCount: number): number | undefined =>
  freeAddress(lights, channelCount);

/** A universe as a list for those who cannot see the map: "1–7 Front par L". */
export const universeInWords = (lights: readonly SlotLight[]): readonly string[] =>
  lights.toSorted((a, b) => a.address - b.address).map((light) => `${rangeInWords(light)} ${nameInWords(light)}`);

/** Universes that lights are in, lowest first; 1 where there are none. */
export function universesOf(lights: readonly { readonly universe: number }[]): readonly number[] {
  const used = [...new Set(lights.map(({ universe }) => universe))].toSorted((a, b) => a - b);
  return used.length > 0 ? used : [1];
}
