import type { ChannelKind, FixtureChannel, FixtureMode } from "@followspot/contract";
import { WRITE, type Write } from "./bytes.ts";

/** Optics that can be in a beam, one at a time. These are the values of a cue's `beam`. */
export const BEAMS = ["open", "gobo", "prism", "frost"] as const;
export const BEAM = { open: 0, gobo: 1, prism: 2, frost: 3 } as const satisfies Record<(typeof BEAMS)[number], number>;

const WRITES: Partial<Record<ChannelKind, Write>> = {
  gobo: WRITE.gobo,
  goboRotation: WRITE.goboRotation,
  prism: WRITE.prism,
  frost: WRITE.frost,
};

/**
 * Returns how an optic channel of a mode is driven; undefined for one that rests. If a head has several of a kind, the
 * first is driven; of gobo wheels, the one before the gobo rotation channel.
 */
export function opticWriteOf(mode: FixtureMode, channel: FixtureChannel): Write | undefined {
  const write = WRITES[channel.kind];
  if (write === undefined) return undefined;
  const own = mode.channels.filter(({ kind, head }) => kind === channel.kind && head === channel.head);
  const usable = own.filter(({ kind, gobos, on }) => (kind === "gobo" ? gobos : on) !== undefined);
  if (channel.kind !== "gobo") return usable[0] === channel ? write : undefined;
  const turn = mode.channels.findIndex(
    ({ kind, head, on }) => kind === "goboRotation" && head === channel.head && on !== undefined,
  );
  const before = usable.filter((wheel) => mode.channels.indexOf(wheel) < turn);
  return (before.at(-1) ?? usable[0]) === channel ? write : undefined;
}

/** Returns the channel of a mode that controls an optic of a head: its own, or that of its fixture body. */
export function opticChannelOf(mode: FixtureMode, head: number, write: Write): FixtureChannel | undefined {
  const driven = mode.channels.filter((channel) => opticWriteOf(mode, channel) === write);
  return driven.find((channel) => channel.head === head) ?? driven[0];
}
