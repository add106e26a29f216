import type { FixtureMode } from "@followspot/contract";
import { emittersOf, headsOf, WRITE, type Write } from "./bytes.ts";
import { writesOf } from "./channel-writes.ts";
import type { ChannelWrite } from "./compiled-show.ts";
import { pairedMode } from "./fixture-formats/fine-kinds.ts";

const STILL: ReadonlySet<Write> = new Set([WRITE.constant, WRITE.pan, WRITE.panFine, WRITE.tilt, WRITE.tiltFine, WRITE.zoom, WRITE.hue, WRITE.saturation, WRITE.gobo, WRITE.goboRotation, WRITE.prism, WRITE.frost]); // prettier-ignore

/** How much of a mode a show can control: brightness; color or position only; or nothing. */
export type Follows = "light" | "colour" | "nothing";

export function followsOf(given: FixtureMode): Follows {
  const mode = pairedMode(given);
  const heads = headsOf(mode)
    .filter((head) => !emittersOf(mode, head).isUnlit)
    .map((head, index) => ({ head, index }));
  const writes = writesOf({ id: 0, label: "", universe: 1, address: 1, mode, enabled: true }, heads);
  const driven = writes.filter(({ head, sharedBy }) => head >= 0 || sharedBy.length > 0);
  if (driven.some(dims)) return "light";
  return driven.some(({ write }) => write !== WRITE.constant) ? "colour" : "nothing";
}

/** Whether a channel has different values at full light and in the dark. */
function dims({ write, value, closed, closes, from, to, slotValues }: ChannelWrite): boolean {
  if (write === WRITE.shutter || write === WRITE.shared) return value !== closed;
  if (write === WRITE.wheel) return closes && slotValues.some((slot) => slot !== closed);
  return !STILL.has(write) && (from !== to || closed !== to);
}

/**
 * Returns 1 for heads that can only be on or off, because only a shutter, a closed wheel position or a switching dimmer
 * darkens them. Such a head gives full light at a tenth of its level.
 */
export function switchedHeads(writes: readonly ChannelWrite[], headCount: number): Uint8Array {
  const isSwitched = new Uint8Array(headCount).fill(1);
  for (const channel of writes) if (channel.head >= 0 && fades(channel)) isSwitched[channel.head] = 0;
  return isSwitched;
}

/** Whether a channel follows the level of its head in steps. Colors beside a dimmer stay at full. */
function fades({ write, hasDimmer, from, to }: ChannelWrite): boolean {
  if (write === WRITE.intensity) return from !== to;
  return write > WRITE.intensity && write !== WRITE.haze && !hasDimmer && !SWITCHES.has(write) && !STILL.has(write) && from !== to; // prettier-ignore
}

const SWITCHES: ReadonlySet<Write> = new Set([WRITE.shutter, WRITE.shared, WRITE.wheel]);

/**
 * Returns the note for users who patch a mode that a show cannot light and darken. Undefined for fixtures that follow,
 * and for haze machines and lasers, which always rest.
 */
export function undrivenNote(mode: FixtureMode): string | undefined {
  if (mode.channels.some(({ kind }) => kind === "fog" || kind === "laser")) return undefined;
  const follows = followsOf(mode);
  if (follows === "light") return undefined;
  if (follows === "colour")
    return "This lamp cannot be darkened: it follows colours and positions, and shines all the time.";
  const values = mode.channels.slice(0, MOST_VALUES).map((channel) => channel.default);
  const more = mode.channels.length > MOST_VALUES ? "…" : "";
  return `This lamp cannot be driven: it rests at ${values.join(", ")}${more}.`;
}

const MOST_VALUES = 16;
