import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { UNIVERSE_SLOTS } from "@followspot/contract";
import { ShownMovesSchema, type ShownMoves } from "@followspot/contract/lights";
import {
  findConflicts,
  freeAddress,
  freeInWords,
  nameInWords,
  overlapInWords,
  packAddresses,
  type AddressableLight,
  type NamedRange,
  type PackedAddress,
} from "@followspot/lighting";
import type { Db } from "../platform/database.ts";
import { alreadyExists, conflict, invalid, outOfRange } from "../platform/errors.ts";
import { listLights, setAddresses, type LightRow } from "./lights.store.ts";

/** Stands for a light that does not exist yet: it comes after all others of its position. */
const NEW_LIGHT = Number.MAX_SAFE_INTEGER;
/** Moves that a refusal spells out; its detail has them all. */
const TOLD_MOVES = 6;

interface Packing {
  /** Lights the change is about: their new addresses are no surprise. */
  readonly own: readonly number[];
  /** Moves of other lights that the person was shown before the change; undefined for clients that do not ask. */
  readonly shown: ShownMoves | undefined;
}

/**
 * Gives every light its address again. Run it in the transaction that changed the patch, under its lock.
 * @throws already_exists for two overrides in one place, failed_precondition when a universe is full, and when other
 *   lights would move in another way than was shown
 */
export async function packPatch(db: Db, { own, shown }: Packing = { own: [], shown: undefined }): Promise<void> {
  const lights = await listLights(db);
  const byId = new Map(lights.map((light) => [light.id, light]));
  const { placed, unplaced } = packAddresses(lights.map(toAddressable));
  const [left] = unplaced;
  if (left) throw conflict(`${nameInWords(byId.get(left.id)!)} does not fit: ${left.reason}`); // it is one of them

  const ranges = placed.map((place) => ({ ...place, channelCount: byId.get(place.id)!.channel_count }));
  const [overlap] = findConflicts(ranges);
  if (overlap) {
    const { first, second, universe } = overlap;
    const named = (id: number): NamedRange => ({ ...ranges.find((range) => range.id === id)!, ...byId.get(id)! });
    // Told from the side of the light that is being changed.
    const [one, other] = own.includes(first) ? [named(first), named(second)] : [named(second), named(first)];
    const taken = ranges.filter((range) => range.universe === universe && range.id !== one.id);
    throw alreadyExists(`${overlapInWords(one, other, universe)} ${freeInWords(taken, one.channelCount, 1)}`);
  }
  if (shown) requireShown(shown, movesOf(byId, placed, own));
  await setAddresses(db, placed);
}

/** Other lights that would get new addresses, in the order of their places. */
function movesOf(lights: ReadonlyMap<number, LightRow>, placed: readonly PackedAddress[], own: readonly number[]) {
  return placed.flatMap(({ id, address }) => {
    const light = lights.get(id)!; // only lights are placed
    if (own.includes(id) || light.dmx_address === address) return [];
    return [{ light, address }];
  });
}

function requireShown(shown: ShownMoves, moves: ReturnType<typeof movesOf>): void {
  const known = new Map(shown.moves.map(({ lightId, toAddress }) => [lightId, toAddress]));
  if (known.size === moves.length && moves.every(({ light, address }) => known.get(light.id) === address)) return;
  const told = moves
    .slice(0, TOLD_MOVES)
    .map(({ light, address }) => `${nameInWords(light)}: ${light.dmx_address} → ${address}`);
  const more = moves.length - told.length;
  const words = more > 0 ? `${told.join(", ")} and ${more} more` : told.join(", ");
  const why =
    moves.length === 0
      ? "No other light would move any more. Look again, then save."
      : `Other lights would get new addresses: ${words}. Look at them, then save.`;
  const detail = create(ShownMovesSchema, {
    moves: moves.map(({ light, address }) => ({
      lightId: light.id,
      label: light.label,
      universe: light.universe,
      fromAddress: light.dmx_address,
      toAddress: address,
      channelCount: light.channel_count,
    })),
  });
  throw new ConnectError(why, Code.FailedPrecondition, undefined, [{ desc: ShownMovesSchema, value: detail }]);
}

/** @throws invalid_argument outside 1..512, out_of_range when the mode does not fit behind the address */
export function requireAddress(address: number, channelCount: number): number {
  if (address < 1 || address > UNIVERSE_SLOTS) throw invalid("DMX address must be between 1 and 512");
  const end = address + channelCount - 1;
  if (end > UNIVERSE_SLOTS) {
    throw outOfRange(`${channelCount} channels from address ${address} end at ${end}, past ${UNIVERSE_SLOTS}`);
  }
  return address;
}

/** The whole number in a position field; null for an empty one. */
export function requirePosition(text: string): number | null {
  if (text === "") return null;
  if (!/^[1-9][0-9]{0,2}$/.test(text)) throw invalid("Position must be a whole number from 1 to 999");
  return Number(text);
}

/** The address a light without override would get. @throws out_of_range when nothing is free */
export function addressAt(
  lights: readonly LightRow[],
  wanted: {
    readonly position: number | null;
    readonly channelCount: number;
    readonly universe: number;
    readonly exceptId: number;
  },
): number {
  const id = wanted.exceptId || NEW_LIGHT;
  const others = lights.filter((light) => light.id !== wanted.exceptId);
  const { placed } = packAddresses([...others.map(toAddressable), { ...wanted, id }]);
  const place = placed.find((light) => light.id === id);
  if (!place) throw fullUniverse(others, wanted.universe, wanted.channelCount, 1);
  return place.address;
}

/** The first address with room between the lights as they are. @throws out_of_range when nothing is free */
export function nextFreeAddress(
  lights: readonly LightRow[],
  channelCount: number,
  universe: number,
  lightCount = 1,
): number {
  const address = freeAddress(rangesIn(lights, universe), channelCount * lightCount);
  if (address === undefined) throw fullUniverse(lights, universe, channelCount, lightCount);
  return address;
}

/** Slots in use in one universe. */
export const rangesIn = (lights: readonly LightRow[], universe: number): NamedRange[] =>
  lights.filter((light) => light.universe === universe).map(toRange);

export const toRange = ({ id, label, dmx_address, channel_count }: LightRow): NamedRange => ({
  id,
  label,
  address: dmx_address,
  channelCount: channel_count,
});

function fullUniverse(lights: readonly LightRow[], universe: number, channelCount: number, lightCount: number) {
  const why = freeInWords(rangesIn(lights, universe), channelCount, lightCount);
  return outOfRange(`Universe ${universe}: ${why} Take another universe.`);
}

export function toAddressable(light: LightRow): AddressableLight {
  return {
    id: light.id,
    position: light.position,
    universe: light.universe,
    addressOverride: light.dmx_override,
    channelCount: light.channel_count,
  };
}
