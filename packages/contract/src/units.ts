/** Seconds from the start of the song, >= 0. */
export type Seconds = number;

/** Slots in one DMX universe (ANSI E1.11). */
export const UNIVERSE_SLOTS = 512;

/**
 * The one conversion from an address as printed on a fixture (1..512) to its slot, the array index in a universe (0..511).
 * @throws RangeError unless the address is an integer in 1..512
 */
export function slotOf(address: number): number {
  if (!Number.isInteger(address) || address < 1 || address > UNIVERSE_SLOTS) {
    throw new RangeError(`DMX address ${address} is not in 1..${UNIVERSE_SLOTS}`);
  }
  return address - 1;
}
