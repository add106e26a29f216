import {
  CHANNEL_KINDS,
  UNIVERSE_SLOTS,
  type ChannelKind,
  type FixtureChannel,
  type FixtureMode,
} from "@followspot/contract";
import { pairedMode } from "@followspot/lighting";
import { invalid } from "../platform/errors.ts";

const KINDS: ReadonlySet<string> = new Set(CHANNEL_KINDS);
/** Channels that rest at their center, if the mode lacks them. */
const CENTRED: ReadonlySet<ChannelKind> = new Set(["pan", "tilt", "zoom", "focus"]);

/**
 * Parses a light's own channel order: a JSON list of channel kinds. Other JSON comes from older apps and is ignored.
 * @throws invalid_argument for text that is not JSON, and for an invalid list
 */
export function requireChannelOrder(text: string): readonly ChannelKind[] | undefined {
  if (text === "") return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid("channelConfig: is not JSON");
  }
  if (!Array.isArray(json)) return undefined;
  if (json.length < 1 || json.length > UNIVERSE_SLOTS) {
    throw invalid(`channelConfig: a list must name 1 to ${UNIVERSE_SLOTS} channels`);
  }
  const stranger = json.findIndex((kind) => typeof kind !== "string" || !KINDS.has(kind));
  if (stranger >= 0) throw invalid(`channelConfig: channel ${stranger + 1} is not one of ${CHANNEL_KINDS.join(", ")}`);
  return json as ChannelKind[]; // validated above
}

/** Returns the effective mode of a light: its own channel order, each channel as the mode describes it if present. */
export function ownMode(mode: FixtureMode, channelConfig: string): FixtureMode {
  const order = requireChannelOrder(channelConfig);
  if (!order) return pairedMode(mode);
  const left = [...mode.channels];
  const channels = order.map((kind): FixtureChannel => {
    const i = left.findIndex((channel) => channel.kind === kind);
    const [found] = i < 0 ? [] : left.splice(i, 1);
    return found ?? { kind, head: 0, default: CENTRED.has(kind) ? 128 : 0 };
  });
  return pairedMode({ name: mode.name, channels });
}
