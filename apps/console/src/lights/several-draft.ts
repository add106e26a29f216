import type { Light, LightGroup } from "@followspot/contract/lights";
import { freeInWords, overlapInWords, rangeInWords } from "@followspot/lighting";
import { patchStrings } from "./patch.strings.ts";
import { nextFree, toSlotLight, type SlotLight } from "./universe-slots.ts";

const text = patchStrings.several;
export const MOST_LIGHTS = 512;
const SLOTS = 512;
/** Proposed number of fixtures, which are commonly bought in eights. */
const USUAL_COUNT = 8;
const USUAL_KIND = { lightType: "generic_rgb_par", mode: "4 channels" };

/** Type and mode of a fixture. */
export interface Kind {
  readonly lightType: string;
  readonly mode: string;
}

/** Returns the most common kind in the rig, without custom channel orders; generic pars for an empty rig. */
export function usualKind(lights: readonly Light[]): Kind {
  const counts = new Map<string, { readonly kind: Kind; count: number }>();
  for (const { lightType, mode, channelConfig } of lights) {
    if (channelConfig !== "") continue;
    const key = `${lightType}\n${mode}`;
    const counted = counts.get(key) ?? { kind: { lightType, mode }, count: 0 };
    counted.count += 1;
    counts.set(key, counted);
  }
  const [most] = [...counts.values()].toSorted((a, b) => b.count - a.count);
  return most?.kind ?? USUAL_KIND;
}

export const usualCount = USUAL_COUNT;

/** Returns the word for fixtures of a type in labels, for example "Par"; "Effect" for an unknown type. */
export const lampWord = (type: string | undefined): string => text.lamps[type ?? ""] ?? text.lamps["effect"] ?? "";

/** Returns the first and last label of a series. `#` in the pattern stands for the number; without it the number is appended. */
export function labelsOf(pattern: string, count: number, first: number): readonly [first: string, last: string] {
  const named = (n: number) => (pattern.includes("#") ? pattern.replaceAll("#", String(n)) : `${pattern} ${n}`);
  return [named(first), named(first + count - 1)];
}

/** Returns the number after the highest one used by lights with this label pattern. */
export function nextNumber(lights: readonly Light[], pattern: string): number {
  const [before = "", after = ""] = pattern.includes("#") ? pattern.split("#", 2) : [`${pattern} `, ""];
  const numbers = lights.flatMap(({ label }) => {
    if (!label.startsWith(before) || !label.endsWith(after)) return [];
    const middle = label.slice(before.length, after === "" ? undefined : -after.length);
    return /^\d{1,4}$/.test(middle) ? [Number(middle)] : [];
  });
  return Math.max(0, ...numbers) + 1;
}

/** Returns the ID of the group named after the fixtures, or `NEW_GROUP`. */
export function usualGroup(groups: readonly LightGroup[], lamp: string): string {
  const name = text.plural(lamp);
  return groups.find((group) => group.name === name)?.id ?? NEW_GROUP;
}
export const NEW_GROUP = "new";
export const NO_GROUP = "";

export interface Stretch {
  readonly address: number;
  readonly channelCount: number;
  readonly lightCount: number;
}

/** Reason why the fixtures do not fit at an address, and the next free address. */
export interface StretchProblem {
  readonly sentence: string;
  /** First address with room for all of them; undefined if the universe has none. */
  readonly free: number | undefined;
}

/** Returns why the address range is unavailable; undefined if it is free. @param lights lights of this universe */
export function stretchProblem(
  lights: readonly SlotLight[],
  { address, channelCount, lightCount }: Stretch,
  label: string,
  universe: number,
): StretchProblem | undefined {
  const end = address + channelCount * lightCount - 1;
  const free = nextFree(lights, channelCount * lightCount);
  const where = freeInWords(lights, channelCount, lightCount);
  if (end > SLOTS) return { sentence: `${text.past(end)} ${where}`, free };
  const met = lights.find((light) => light.address <= end && address < light.address + light.channelCount);
  if (!met) return undefined;
  const all = { id: 0, label, address, channelCount: channelCount * lightCount };
  return { sentence: `${overlapInWords(all, met, universe)} ${where}`, free };
}

/** Returns the drafted fixtures as one entry on the universe map. */
export const draftOf = (stretch: Stretch, label: string): SlotLight => ({
  id: 0,
  label,
  address: stretch.address,
  channelCount: Math.max(1, stretch.channelCount * stretch.lightCount),
  isOverride: false,
});

export const lightsIn = (lights: readonly Light[], universe: number): readonly SlotLight[] =>
  lights.filter((light) => light.universe === universe).map(toSlotLight);

export const stretchInWords = ({ address, channelCount, lightCount }: Stretch): string =>
  rangeInWords({ address, channelCount: channelCount * lightCount });
