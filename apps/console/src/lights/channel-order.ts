import { CHANNEL_KINDS } from "@followspot/contract";
import { patchStrings } from "./patch.strings.ts";

const text = patchStrings.channels;
const MOST = 512;
const KINDS: ReadonlySet<string> = new Set(CHANNEL_KINDS);

/** A light's own order of channels as people type it: kinds with commas between. JSON of other shapes is invalid. */
export function channelsOf(channelConfig: string): string {
  const order = orderIn(channelConfig);
  return order ? order.join(", ") : "";
}

/** What is stored for what was typed; other JSON that an older app left stays. */
export function configOf(channels: string, before: string): string {
  const kinds = kindsIn(channels);
  if (kinds.length > 0) return JSON.stringify(kinds);
  return orderIn(before) ? "" : before;
}

/** How many channels an order has; 0 without one. */
export const countOf = (channels: string): number => kindsIn(channels).length;

/** True, or what is wrong. */
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
    return undefined; // an older app's; the server keeps it
  }
}
