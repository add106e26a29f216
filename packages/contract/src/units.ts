/** Labels a primitive type, so that two numbers of different meaning cannot meet. */
type Brand<T, Name extends string> = T & { readonly __brand: Name };

/** Slot address 1..512 as printed on a fixture. Array index 0..511 is a slot: see {@link slotOf}. */
export type DmxAddress = Brand<number, "DmxAddress">;

/** Seconds from the start of the song, >= 0. */
export type Seconds = number;

/** Beats per minute, > 0. */
export type Bpm = number;

/** Slots in one DMX universe (ANSI E1.11). */
export const UNIVERSE_SLOTS = 512;

/** @throws RangeError unless n is an integer in 1..512 */
export function dmxAddress(n: number): DmxAddress {
  if (!Number.isInteger(n) || n < 1 || n > UNIVERSE_SLOTS) {
    throw new RangeError(`DMX address ${n} is not in 1..${UNIVERSE_SLOTS}`);
  }
  return n as DmxAddress; // checked just above
}

/** The one conversion from a printed address (1..512) to an array index (0..511). */
export function slotOf(address: DmxAddress): number {
  return address - 1;
}
