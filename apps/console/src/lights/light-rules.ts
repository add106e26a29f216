export const DMX_MIN = 1;
export const DMX_MAX = 512;
/** Where a light without a position sorts. */
export const DEFAULT_POSITION = 999;

export const GROUP_TYPES = ["wash", "par", "bar", "spot", "strobe", "effect", "mixed"] as const;

/** Each rule answers true or the text under its field. */
export const lightRules = {
  label: (label: string) => label.trim() !== "" || "Label is required",
  lightType: (type: string) => type !== "" || "Light type is required",
  mode: (mode: string) => mode !== "" || "Mode is required",
  dmxOverride: (address: string) => {
    const text = address.trim();
    if (text === "") return true;
    const value = Number(text);
    return (Number.isInteger(value) && value >= DMX_MIN && value <= DMX_MAX) || "DMX address must be between 1 and 512";
  },
} as const;

export const groupRules = {
  id: (id: string) => id.trim() !== "" || "ID is required",
  name: (name: string) => name.trim() !== "" || "Name is required",
  type: (type: string) => type !== "" || "Type is required",
  lights: (ids: readonly string[]) => ids.length > 0 || "At least one light must be selected",
} as const;

/** "15-30 (16ch)"; one channel shows just the address, an unknown mode the address or "Unknown". */
export function dmxRange(address: number, channelCount: number): string {
  if (!(address >= DMX_MIN)) return "Unknown";
  if (!(channelCount > 1)) return String(address);
  return `${address}-${address + channelCount - 1} (${channelCount}ch)`;
}

/** "led_par_rgbw" → "led par". */
export const typeWords = (lightType: string): string => lightType.split("_").slice(0, 2).join(" ");

/** By position as a number, then by id. */
export function inStageOrder<Light extends { readonly id: number; readonly position: string }>(
  lights: readonly Light[],
): Light[] {
  return lights.toSorted((a, b) => positionOf(a) - positionOf(b) || a.id - b.id);
}

function positionOf({ position }: { readonly position: string }): number {
  const value = Number.parseInt(position, 10);
  return Number.isNaN(value) ? DEFAULT_POSITION : value;
}
