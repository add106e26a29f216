import { limited } from "../lib/text-limits.ts";

export const DMX_MIN = 1;
export const DMX_MAX = 512;
const UNIVERSE_MAX = 63_999;
/** Sort position of a light without one. */
export const DEFAULT_POSITION = 999;

/** Maximum lengths of the text fields of lights and groups, characters. */
export const LIGHT_LIMITS = { label: 200, position: 10, id: 100, name: 200 } as const;

/** Validation rules of the light form. Each returns true or the error text. */
export const lightRules = {
  label: limited(LIGHT_LIMITS.label, (label) => label.trim() !== "" || "Label is required"),
  position: limited(LIGHT_LIMITS.position),
  lightType: (type: string) => type !== "" || "Light type is required",
  mode: (mode: string) => mode !== "" || "Mode is required",
  dmxOverride: (address: string) => {
    const text = address.trim();
    if (text === "") return true;
    const value = Number(text);
    return (Number.isInteger(value) && value >= DMX_MIN && value <= DMX_MAX) || "DMX address must be between 1 and 512";
  },
  universe: (typed: string) => {
    const value = Number(typed.trim());
    return (Number.isInteger(value) && value >= 1 && value <= UNIVERSE_MAX) || "Universe must be between 1 and 63999";
  },
} as const;

export const groupRules = {
  id: limited(LIGHT_LIMITS.id, (id) => id.trim() !== "" || "ID is required"),
  name: limited(LIGHT_LIMITS.name, (name) => name.trim() !== "" || "Name is required"),
  type: (type: string) => type !== "" || "Type is required",
  lights: (ids: readonly string[]) => ids.length > 0 || "At least one light must be selected",
} as const;

/** Returns the error text for an override whose channels would end past 512; undefined if they fit. */
export function reachError(address: number | undefined, channelCount: number): string | undefined {
  if (address === undefined || channelCount < 1) return undefined;
  const end = address + channelCount - 1;
  if (end <= DMX_MAX) return undefined;
  return `${channelCount} channels from address ${address} end at ${end}, past ${DMX_MAX}. The last address that fits is ${DMX_MAX - channelCount + 1}.`;
}

/** Formats a channel range as "15-30 (16ch)"; only the address for one or unknown channels; "Unknown" without an address. */
export function dmxRange(address: number, channelCount: number): string {
  if (!(address >= DMX_MIN)) return "Unknown";
  if (!(channelCount > 1)) return String(address);
  return `${address}-${address + channelCount - 1} (${channelCount}ch)`;
}

/** Shortens a type key to its first two words: "led_par_rgbw" → "led par". */
export const typeWords = (lightType: string): string => lightType.split("_").slice(0, 2).join(" ");

/** Parses the position of a light; 999 if it is empty or not a number. */
export function positionOf({ position }: { readonly position: string }): number {
  const value = Number.parseInt(position, 10);
  return Number.isNaN(value) ? DEFAULT_POSITION : value;
}

/** Returns a position after every light, including those without one, so that a new light readdresses no other light. */
export const nextPosition = (lights: readonly { readonly position: string }[]): string =>
  String(Math.max(0, ...lights.map(positionOf)) + 1);

/** Sorts rows into an order that is being saved, and sets each row to its future position. */
export function inOrder<Row extends { readonly id: number; readonly position: string }>(
  rows: readonly Row[],
  ids: readonly number[],
): readonly Row[] {
  const places = new Map(ids.map((id, index) => [id, index]));
  return rows
    .map((row) => ({ ...row, position: String((places.get(row.id) ?? rows.length) + 1) }))
    .toSorted((a, b) => positionOf(a) - positionOf(b));
}
