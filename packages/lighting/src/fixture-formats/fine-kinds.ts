import { CHANNEL_KINDS, type ChannelKind, type FixtureChannel, type FixtureMode } from "@followspot/contract";

/** Kinds with a fine channel of their own: kind → kind of the fine channel, by their names. */
const FINE = new Map(
  CHANNEL_KINDS.flatMap((kind): [ChannelKind, ChannelKind][] =>
    CHANNEL_KINDS.filter((fine) => fine === `${kind}Fine`).map((fine) => [kind, fine]),
  ),
);
const COARSE = new Map([...FINE].map(([kind, fine]) => [fine, kind]));
/** Rest position of pan and tilt if a file has none. */
const CENTER = 128;

/** Returns the kind of the fine channel of a kind; "noFunction" for kinds that are never driven. */
export const fineKindOf = (kind: ChannelKind): ChannelKind => FINE.get(kind) ?? "noFunction";

export const isFineKind = (kind: ChannelKind): boolean => COARSE.has(kind);

/**
 * Returns the coarse kind of a fine channel; undefined for channels written independently, such as fine pan and tilt.
 */
export const coarseKindOf = (kind: ChannelKind): ChannelKind | undefined =>
  kind === "panFine" || kind === "tiltFine" ? undefined : COARSE.get(kind);

/** Kind and head of a channel. */
interface Placed {
  readonly kind: ChannelKind;
  readonly head: number;
}

/**
 * Returns the kinds of channels so that every fine channel has a coarse channel in the same head. A fine channel
 * without one becomes the coarse channel: some files call 8-bit channels "fine", and as a low byte it would flash
 * during slow fades. In a shared head it gets no function instead if it may belong to a coarse channel of another head.
 */
export function pairedKinds(channels: readonly Placed[]): readonly ChannelKind[] {
  const kinds = channels.map(({ kind }) => kind);
  if (!kinds.some(isFineKind)) return kinds;
  const free = new Set(kinds.keys());
  const take = (i: number, isMeant: (j: number) => boolean): boolean => {
    const { kind, head } = channels[i]!;
    const found = [...free].find((j) => kinds[j] === COARSE.get(kind) && channels[j]!.head === head && isMeant(j));
    return found !== undefined && free.delete(found);
  };
  const fine = [...kinds.keys()].filter((i) => isFineKind(kinds[i]!));
  // In most files the previous channel is the coarse one; others list all coarse channels first.
  const apart = fine.filter((i) => !take(i, (j) => j === i - 1));
  for (const i of apart.filter((each) => !take(each, () => true))) {
    const coarse = COARSE.get(kinds[i]!)!; // guaranteed by the filter above
    const isElsewhere = [...free].some((j) => channels[j]!.kind === coarse);
    kinds[i] = channels[i]!.head === 0 && isElsewhere ? "noFunction" : coarse;
  }
  return kinds;
}

/** Applies {@link pairedKinds} to a mode. Stored definitions, users' own ones and custom channel orders may lack it. */
export function pairedMode(mode: FixtureMode): FixtureMode {
  const kinds = pairedKinds(mode.channels);
  if (mode.channels.every(({ kind }, i) => kind === kinds[i])) return mode;
  const channels = mode.channels.map((channel, i): FixtureChannel => {
    const kind = kinds[i]!;
    if (kind === channel.kind) return channel;
    return { ...channel, kind, default: kind === "pan" || kind === "tilt" ? CENTER : channel.default };
  });
  return { ...mode, channels };
}
