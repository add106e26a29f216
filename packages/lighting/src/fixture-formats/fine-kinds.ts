import { CHANNEL_KINDS, type ChannelKind } from "@followspot/contract";

/** What has a low byte of its own: kind → kind of that byte, by their names. */
const FINE = new Map(
  CHANNEL_KINDS.flatMap((kind): [ChannelKind, ChannelKind][] =>
    CHANNEL_KINDS.filter((fine) => fine === `${kind}Fine`).map((fine) => [kind, fine]),
  ),
);
const COARSE = new Map([...FINE].map(([kind, fine]) => [fine, kind]));

/** The kind of the low byte of a kind; without function for what never moves. */
export const fineKindOf = (kind: ChannelKind): ChannelKind => FINE.get(kind) ?? "noFunction";

export const isFineKind = (kind: ChannelKind): boolean => COARSE.has(kind);

/** What `kind` is the low byte of; undefined for what is written by itself, as the low bytes of pan and tilt are. */
export const coarseKindOf = (kind: ChannelKind): ChannelKind | undefined =>
  kind === "panFine" || kind === "tiltFine" ? undefined : COARSE.get(kind);
