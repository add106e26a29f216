import { CHANNEL_KINDS } from "@followspot/contract";
import { patchStrings } from "./patch.strings.ts";

const text = patchStrings.channels;
const MOST = 512;
const KINDS: ReadonlySet<string> = new Set(CHANNEL_KINDS);

/** Formats a stored custom channel order as comma-separated channel kinds; empty for JSON that is not an array. */
export function channelsOf(channelConfig: string): string {
  const order = orderIn(channelConfig);
  return order ? order.join(", ") : "";
}

/** Returns the JSON to store for the typed order. An empty field preserves JSON in an older app's format. */
export function configOf(channels: string, before: string): string {
  const kinds = kindsIn(channels);
  if (kinds.length > 0) return JSON.stringify(kinds);
  return orderIn(before) ? "" : before;
}

/** Returns the number of channels in a typed order; 0 for an empty field. */
export const countOf = (channels: string): number => kindsIn(channels).length;

/** Validates a typed channel order: true, or the error text. */
export function orderRule(channels: string): true | string {
  const kinds = kindsIn(channels);
  if (kinds.length > MOST) return text.many;
  const stranger = kinds.find((kind) => !KINDS.has(kind));
  return stranger === undefined || text.unknown(stranger);
}

const kindsIn = (channels: string): string[] =>
  channels
    .split(/[,\s]+/)
    .map((kind) => kind.trim())
    .filter((kind) => kind !== "");

function orderIn(channelConfig: string): readonly string[] | undefined {
  if (channelConfig === "") return undefined;
  try {
    const json: unknown = JSON.parse(channelConfig);
    return Array.isArray(json) ? json.map(String) : undefined;
  } catch {
    return undefined; // Format of an older app. The server preserves it.
  }
}
