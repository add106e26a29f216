import { UNIVERSE_SLOTS, type Rig } from "@followspot/contract";

/** Shortest time between two updates: fifteen a second. */
export const MONITOR_MS = 1000 / 15;
/** How long a channel that has changed is marked. */
export const GLOW_MS = 1000;

/** What is to be written into one cell. */
export interface CellChange {
  readonly slot: number;
  readonly value: number;
  readonly glows: boolean;
}

/** What 512 cells show of a universe, so that only those are written that are not as they should be. */
export class MonitorCells {
  /** -1: not written yet. */
  readonly #values = new Int16Array(UNIVERSE_SLOTS).fill(-1);
  readonly #changedMs = new Float64Array(UNIVERSE_SLOTS).fill(Number.NEGATIVE_INFINITY);
  readonly #glows = new Uint8Array(UNIVERSE_SLOTS);

  valueOf(slot: number): number {
    return Math.max(0, this.#values[slot]!);
  }

  /** Something is marked that will not be for long: it wants another update, even if nothing comes. */
  get isGlowing(): boolean {
    return this.#glows.includes(1);
  }

  /** @returns the cells to write */
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

/** Whose a channel is. */
export interface ChannelOwner {
  readonly lightId: number;
  readonly label: string;
  /** Of the channels of a mode. */
  readonly kind: string;
}

/** By slot: whose each channel of a universe is, of lamps that overlap the last one; undefined where it is free. */
export function ownersOf({ lights }: Rig, universe: number): readonly (ChannelOwner | undefined)[] {
  const owners: (ChannelOwner | undefined)[] = Array.from({ length: UNIVERSE_SLOTS });
  for (const { id, label, address, mode, universe: own } of lights) {
    if (own !== universe) continue;
    for (const [i, { kind }] of mode.channels.entries()) owners[address - 1 + i] = { lightId: id, label, kind };
  }
  return owners;
}

/** Slots of a table: all of the lamp that has a channel, else the row of it. */
export function slotsAround(owners: readonly (ChannelOwner | undefined)[], slot: number, row: number): number[] {
  const lightId = owners[slot]?.lightId;
  const all = [...owners.keys()];
  if (lightId !== undefined) return all.filter((each) => owners[each]?.lightId === lightId);
  return all.slice(slot - (slot % row), slot - (slot % row) + row);
}
