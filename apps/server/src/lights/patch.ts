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
import type { Db } from "../platform/database/database.ts";
import { alreadyExists, conflict, invalid, outOfRange } from "../platform/errors.ts";
import { listLights, setAddresses, type LightRow } from "./lights.store.ts";

/** ID for a light that does not exist yet; it sorts after all others of its position. */
const NEW_LIGHT = Number.MAX_SAFE_INTEGER;
/** Most moves listed in an error message; its detail contains all. */
const TOLD_MOVES = 6;

interface Packing {
  /** Lights that the change is about, whose new addresses are expected. */
  readonly own: readonly number[];
  /** Moves of other lights that the user saw before the change; undefined for clients that do not check. */
  readonly shown: ShownMoves | undefined;
}

/**
 * Assigns the address of every light. Call it in the transaction that changed the patch, under its lock.
 * @throws already_exists for two overrides that overlap, failed_precondition if a universe is full or if other lights
 * would move differently than shown
 */
export async function packPatch(db: Db, { own, shown }: Packing = { own: [], shown: undefined }): Promise<void> {
  const lights = await listLights(db);
  const byId = new Map(lights.map((light) => [light.id, light]));
  const { placed, unplaced } = packAddresses(lights.map(toAddressable));
  const [left] = unplaced;
  if (left) throw conflict(`${nameInWords(byId.get(left.id)!)} does not fit: ${left.reason}`); // the light is one of them

  const ranges = placed.map((place) => ({ ...place, channelCount: byId.get(place.id)!.channel_count }));
  const [overlap] = findConflicts(ranges);
  if (overlap) {
    const { first, second, universe } = overlap;
    const named = (id: number): NamedRange => ({ ...ranges.find((range) => range.id === id)!, ...byId.get(id)! });
    // Described from the side of the light that is being changed.
    const [one, other] = own.includes(first) ? [named(first), named(second)] : [named(second), named(first)];
    const taken = ranges.filter((range) => range.universe === universe && range.id !== one.id);
    throw alreadyExists(`${overlapInWords(one, other, universe)} ${freeInWords(taken, one.channelCount, 1)}`);
  }
  if (shown) requireShown(shown, movesOf(byId, placed, own));
  await setAddresses(db, placed);
}

/** Returns the other lights that would get new addresses, in address order. */
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

/** @throws invalid_argument outside 1..512, out_of_range if the mode does not fit after the address */
export function requireAddress(address: number, channelCount: number): number {
  if (address < 1 || address > UNIVERSE_SLOTS) throw invalid("DMX address must be between 1 and 512");
  const end = address + channelCount - 1;
  if (end > UNIVERSE_SLOTS) {
    throw outOfRange(`${channelCount} channels from address ${address} end at ${end}, past ${UNIVERSE_SLOTS}`);
  }
  return address;
}

/** Parses a position field as a whole number; null if empty. */
export function requirePosition(text: string): number | null {
  if (text === "") return null;
  if (!/^[1-9][0-9]{0,2}$/.test(text)) throw invalid("Position must be a whole number from 1 to 999");
  return Number(text);
}

/** Returns the address that a light without override would get. @throws out_of_range if there is no space */
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

/** Returns the first free address between the existing lights. @throws out_of_range if there is no space */
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

/** Returns the slots in use in one universe. */
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
