import { CHANNEL_KINDS, type ChannelKind, type FixtureChannel, type FixtureMode } from "@followspot/contract";

/** What has a low byte of its own: kind → kind of that byte, by their names. */
const FINE = new Map(
  CHANNEL_KINDS.flatMap((kind): [ChannelKind, ChannelKind][] =>
    CHANNEL_KINDS.filter((fine) => fine === `${kind}Fine`).map((fine) => [kind, fine]),
  ),
);
const COARSE = new Map([...FINE].map(([kind, fine]) => [fine, kind]));
/** Rest position of a channel that moves a head, where a file has none. */
const CENTER = 128;

/** The kind of the low byte of a kind; without function for what never moves. */
export const fineKindOf = (kind: ChannelKind): ChannelKind => FINE.get(kind) ?? "noFunction";

export const isFineKind = (kind: ChannelKind): boolean => COARSE.has(kind);

/** What `kind` is the low byte of; undefined for what is written by itself, as the low bytes of pan and tilt are. */
export const coarseKindOf = (kind: ChannelKind): ChannelKind | undefined =>
  kind === "panFine" || kind === "tiltFine" ? undefined : COARSE.get(kind);

/** Kind and head of a channel. */
interface Placed {
  readonly kind: ChannelKind;
  readonly head: number;
}

/**
 * Kinds of channels once every fine channel has a coarse channel of its own in the same head. A fine channel without one is
 * the coarse channel: files name 8-bit channels "fine", and the low byte of a slow fade flashes. In the head that all heads
 * share it has no function instead, if a coarse channel of another head could be meant.
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
  // The channel just before is the coarse one in most files; others list all coarse channels first.
  const apart = fine.filter((i) => !take(i, (j) => j === i - 1));
  for (const i of apart.filter((each) => !take(each, () => true))) {
    const coarse = COARSE.get(kinds[i]!)!; // filtered by it above
    const isElsewhere = [...free].some((j) => channels[j]!.kind === coarse);
    kinds[i] = channels[i]!.head === 0 && isElsewhere ? "noFunction" : coarse;
  }
  return kinds;
}

/** The mode with {@link pairedKinds}: what a stored definition, a person's own or an own order of channels may lack. */
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
