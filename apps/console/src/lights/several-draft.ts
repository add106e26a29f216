import type { Light, LightGroup } from "@followspot/contract/lights";
import { freeInWords, overlapInWords, rangeInWords } from "@followspot/lighting";
import { patchStrings } from "./patch.strings.ts";
import { nextFree, toSlotLight, type SlotLight } from "./universe-slots.ts";

const text = patchStrings.several;
export const MOST_LIGHTS = 512;
const SLOTS = 512;
/** What people buy by eights. */
const USUAL_COUNT = 8;
const USUAL_KIND = { lightType: "generic_rgb_par", mode: "4 channels" };

/** A kind of lamp: its type and mode. */
export interface Kind {
  readonly lightType: string;
  readonly mode: string;
}

/** What the form proposes: eight more of what the rig has most of, or pars in a rig without lamps. */
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

/** "Par" for a par: what lamps of a type are called. */
export const lampWord = (type: string | undefined): string => text.lamps[type ?? ""] ?? text.lamps["effect"] ?? "";

/** Labels of so many lights; # stands for the number, which else follows. */
export function labelsOf(pattern: string, count: number, first: number): readonly [first: string, last: string] {
  const named = (n: number) => (pattern.includes("#") ? pattern.replaceAll("#", String(n)) : `${pattern} ${n}`);
  return [named(first), named(first + count - 1)];
}

/** The first number that no light of this name has. */
export function nextNumber(lights: readonly Light[], pattern: string): number {
  const [before = "", after = ""] = pattern.includes("#") ? pattern.split("#", 2) : [`${pattern} `, ""];
  const numbers = lights.flatMap(({ label }) => {
    if (!label.startsWith(before) || !label.endsWith(after)) return [];
    const middle = label.slice(before.length, after === "" ? undefined : -after.length);
    return /^\d{1,4}$/.test(middle) ? [Number(middle)] : [];
  });
  return Math.max(0, ...numbers) + 1;
}

/** Where the lamps go: into the group that bears their name, or into one that is made. */
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

/** Why lamps cannot go there, and where they could. */
export interface StretchProblem {
  readonly sentence: string;
  /** Free for all of them; undefined: nowhere in this universe. */
  readonly free: number | undefined;
}

/** Undefined while nothing is in the way. @param lights of that universe */
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

/** The lamps of the form on the map. */
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
