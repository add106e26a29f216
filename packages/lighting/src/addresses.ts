import { UNIVERSE_SLOTS } from "@followspot/contract";

/** The properties of a fixture that patching needs. */
export interface AddressableLight {
  readonly id: number;
  /** Sort position; missing sorts as 999. */
  readonly position?: number | null;
  /** Universe, 1-based; 1 if missing. */
  readonly universe?: number | null;
  /** Address set by the user. All other fixtures are packed around it. */
  readonly addressOverride?: number | null;
  readonly channelCount: number;
}

export interface PackedAddress {
  readonly id: number;
  readonly universe: number;
  readonly address: number;
}

export interface UnplacedLight {
  readonly id: number;
  readonly universe: number;
  readonly reason: string;
}

export interface AddressPlan {
  /** One row per fixture that fits, overrides included, in packing order. */
  readonly placed: readonly PackedAddress[];
  readonly unplaced: readonly UnplacedLight[];
}

/** Two fixtures in one universe that share slots. */
export interface AddressConflict {
  readonly universe: number;
  readonly first: number;
  readonly second: number;
  /** Shared addresses, both ends included. */
  readonly from: number;
  readonly to: number;
}

const MISSING_POSITION = 999;

/**
 * Gives every fixture without an override the next free range of its universe, in (position, id) order. Ranges of
 * overrides are skipped. A fixture that does not fit is reported; later, smaller ones can still fit.
 */
export function packAddresses(lights: readonly AddressableLight[]): AddressPlan {
  const ordered = lights.toSorted(
    (a, b) => (a.position ?? MISSING_POSITION) - (b.position ?? MISSING_POSITION) || a.id - b.id,
  );
  const taken = new Map<number, { from: number; to: number }[]>();
  const placed: PackedAddress[] = [];
  const unplaced: UnplacedLight[] = [];

  for (const light of ordered) {
    if (light.addressOverride == null) continue;
    const universe = light.universe ?? 1;
    const to = light.addressOverride + light.channelCount - 1;
    if (light.addressOverride >= 1 && to <= UNIVERSE_SLOTS) {
      rangesOf(taken, universe).push({ from: light.addressOverride, to });
    }
  }
  const nextFree = new Map<number, number>();
  for (const light of ordered) {
    const universe = light.universe ?? 1;
    if (light.channelCount < 1) {
      unplaced.push({ id: light.id, universe, reason: "the light has no channels" });
      continue;
    }
    if (light.addressOverride != null) {
      const to = light.addressOverride + light.channelCount - 1;
      if (light.addressOverride < 1 || to > UNIVERSE_SLOTS) {
        unplaced.push({
          id: light.id,
          universe,
          reason: `addresses ${light.addressOverride}..${to} do not fit in 1..512`,
        });
      } else {
        placed.push({ id: light.id, universe, address: light.addressOverride });
      }
      continue;
    }
    const address = firstFree(rangesOf(taken, universe), nextFree.get(universe) ?? 1, light.channelCount);
    if (address === undefined) {
      unplaced.push({
        id: light.id,
        universe,
        reason: `no ${light.channelCount} free addresses are left in universe ${universe}`,
      });
      continue;
    }
    placed.push({ id: light.id, universe, address });
    nextFree.set(universe, address + light.channelCount);
  }
  return { placed, unplaced };
}

/** Returns every pair of fixtures that share slots, in (universe, address) order. */
export function findConflicts(
  lights: readonly { id: number; universe: number; address: number; channelCount: number }[],
): AddressConflict[] {
  const ordered = lights.toSorted((a, b) => a.universe - b.universe || a.address - b.address || a.id - b.id);
  const conflicts: AddressConflict[] = [];
  for (const [i, a] of ordered.entries()) {
    const end = a.address + a.channelCount - 1;
    for (const b of ordered.slice(i + 1)) {
      if (b.universe !== a.universe || b.address > end) break;
      const to = Math.min(end, b.address + b.channelCount - 1);
      conflicts.push({ universe: a.universe, first: a.id, second: b.id, from: b.address, to });
    }
  }
  return conflicts;
}

function rangesOf(taken: Map<number, { from: number; to: number }[]>, universe: number) {
  let ranges = taken.get(universe);
  if (!ranges) taken.set(universe, (ranges = []));
  return ranges;
}

function firstFree(ranges: readonly { from: number; to: number }[], start: number, count: number): number | undefined {
  let from = start;
  while (from + count - 1 <= UNIVERSE_SLOTS) {
    const blocker = ranges.find((r) => r.from <= from + count - 1 && r.to >= from);
    if (!blocker) return from;
    from = blocker.to + 1;
  }
  return undefined;
}

/** The range of slots of a fixture in one universe. */
export interface TakenRange {
  readonly address: number;
  readonly channelCount: number;
}

/**
 * Returns the first address of one universe with enough free channels, given its fixtures; undefined if there is none.
 */
export function freeAddress(taken: readonly TakenRange[], channelCount: number): number | undefined {
  return firstFree(taken.map(toRange), 1, channelCount);
}

/** Returns the longest range of free channels; undefined if the universe is full. */
export function longestFree(taken: readonly TakenRange[]): TakenRange | undefined {
  let longest: TakenRange | undefined;
  let from = 1;
  const end = { address: UNIVERSE_SLOTS + 1, channelCount: 0 };
  for (const { address, channelCount } of [...taken.toSorted((a, b) => a.address - b.address), end]) {
    const free = address - from;
    if (free > (longest?.channelCount ?? 0)) longest = { address: from, channelCount: free };
    from = Math.max(from, address + channelCount);
  }
  return longest;
}

/** Formats a range: "97–112", or "97" for one channel. */
export function rangeInWords({ address, channelCount }: TakenRange): string {
  return channelCount > 1 ? `${address}–${address + channelCount - 1}` : String(address);
}

/** A range with what names its fixture in a sentence. */
export interface NamedRange extends TakenRange {
  readonly id: number;
  readonly label: string;
}

export const nameInWords = ({ id, label }: Pick<NamedRange, "id" | "label">): string => label || `Light ${id}`;

/** Formats a conflict: "Spot 2 (97–112) overlaps Floor bar 3 (97–120) on universe 1." */
export function overlapInWords(one: NamedRange, other: NamedRange, universe: number): string {
  const named = (range: NamedRange) => `${nameInWords(range)} (${rangeInWords(range)})`;
  return `${named(one)} overlaps ${named(other)} on universe ${universe}.`;
}

/** Returns a sentence with the address at which a number of equal fixtures fits side by side. */
export function freeInWords(taken: readonly TakenRange[], channelCount: number, lightCount: number): string {
  const wanted = lightCount > 1 ? `${lightCount} × ${channelCount} channels` : channelsInWords(channelCount);
  const address = freeAddress(taken, channelCount * lightCount);
  if (address !== undefined) return `Next free for ${wanted}: ${address}.`;
  const longest = longestFree(taken);
  if (!longest) return "The universe is full.";
  const room = Math.floor(longest.channelCount / channelCount);
  const most = `the longest free stretch is ${rangeInWords(longest)}`;
  return room > 0 && lightCount > 1
    ? `There is no room for ${wanted}: ${most}, which has room for ${room}.`
    : `There is no room for ${wanted}: ${most}.`;
}

const channelsInWords = (count: number) => (count === 1 ? "1 channel" : `${count} channels`);
const toRange = ({ address, channelCount }: TakenRange) => ({ from: address, to: address + channelCount - 1 });
