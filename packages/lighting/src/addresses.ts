import { UNIVERSE_SLOTS } from "@followspot/contract";

/** A light as far as patching cares. */
export interface AddressableLight {
  readonly id: number;
  /** Place in the order; missing sorts as 999. */
  readonly position?: number | null;
  /** 1-based universe; 1 when missing. */
  readonly universe?: number | null;
  /** Address set by hand; everything else is packed around it. */
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
  /** One row per light that has a place, overrides included, in packing order. */
  readonly placed: readonly PackedAddress[];
  readonly unplaced: readonly UnplacedLight[];
}

/** Two lights of one universe that share slots. */
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
 * Give every light without an override the next free range of its universe, in (position, id) order.
 * Ranges taken by overrides are skipped. A light that does not fit is reported, and later smaller ones still find a place.
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

/** Every pair of lights that share slots, in (universe, address) order. */
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
