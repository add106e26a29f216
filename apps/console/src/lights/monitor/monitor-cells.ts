import { UNIVERSE_SLOTS, type Rig } from "@followspot/contract";

/** Minimum interval between updates of the DMX monitor, ms: 15 per second. */
export const MONITOR_MS = 1000 / 15;
/** Duration of the highlight on a changed channel, ms. */
export const GLOW_MS = 1000;

/** Content to write into one cell. */
export interface CellChange {
  readonly slot: number;
  readonly value: number;
  readonly glows: boolean;
}

/** State of the 512 monitor cells of a universe. Used to write only the cells whose content changed. */
export class MonitorCells {
  /** Value on screen per slot; -1 before the first write. */
  readonly #values = new Int16Array(UNIVERSE_SLOTS).fill(-1);
  readonly #changedMs = new Float64Array(UNIVERSE_SLOTS).fill(Number.NEGATIVE_INFINITY);
  readonly #glows = new Uint8Array(UNIVERSE_SLOTS);

  valueOf(slot: number): number {
    return Math.max(0, this.#values[slot]!);
  }

  /** Whether a highlight is active. It needs another update to end, even without new frames. */
  get isGlowing(): boolean {
    return this.#glows.includes(1);
  }

  /** Compares the slots with the cells on screen at time `ms`. @returns the cells to write */
  update(slots: Uint8Array, ms: number): CellChange[] {
    const changes: CellChange[] = [];
    for (let slot = 0; slot < UNIVERSE_SLOTS; slot++) {
      const value = slots[slot]!;
      const isOther = value !== this.#values[slot];
      if (isOther && this.#values[slot] !== -1) this.#changedMs[slot] = ms;
      const glows = ms - this.#changedMs[slot]! < GLOW_MS;
      if (!isOther && glows === (this.#glows[slot] === 1)) continue;
      this.#values[slot] = value;
      this.#glows[slot] = glows ? 1 : 0;
      changes.push({ slot, value, glows });
    }
    return changes;
  }
}

/** Fixture to which a channel belongs, and the channel's function. */
export interface ChannelOwner {
  readonly lightId: number;
  readonly label: string;
  /** Channel kind, as in the fixture's mode. */
  readonly kind: string;
}

/** Returns the owner of each slot of a universe; undefined for a free slot. If fixtures overlap, the last in the rig wins. */
export function ownersOf({ lights }: Rig, universe: number): readonly (ChannelOwner | undefined)[] {
  const owners: (ChannelOwner | undefined)[] = Array.from({ length: UNIVERSE_SLOTS });
  for (const { id, label, address, mode, universe: own } of lights) {
    if (own !== universe) continue;
    for (const [i, { kind }] of mode.channels.entries()) owners[address - 1 + i] = { lightId: id, label, kind };
  }
  return owners;
}

/** Returns the slots to list in the table: all channels of the fixture at `slot`, or its row of the grid if the slot is free. */
export function slotsAround(owners: readonly (ChannelOwner | undefined)[], slot: number, row: number): number[] {
  const lightId = owners[slot]?.lightId;
  const all = [...owners.keys()];
  if (lightId !== undefined) return all.filter((each) => owners[each]?.lightId === lightId);
  return all.slice(slot - (slot % row), slot - (slot % row) + row);
}
