import { findConflicts, packAddresses, type AddressableLight } from "@followspot/lighting";
import { UNIVERSE_SLOTS } from "@followspot/contract";
import type { Db } from "../platform/database.ts";
import { alreadyExists, conflict, invalid, outOfRange } from "../platform/errors.ts";
import { listLights, setAddresses, type LightRow } from "./lights.store.ts";

/** Stands for a light that does not exist yet: it comes after all others of its position. */
const NEW_LIGHT = Number.MAX_SAFE_INTEGER;

/**
 * Gives every light its address again. Run it in the transaction that changed the patch, under its lock.
 * @throws already_exists for two overrides in one place, failed_precondition when a universe is full
 */
export async function packPatch(db: Db): Promise<void> {
  const lights = await listLights(db);
  const nameOf = (id: number) => nameLight(lights.find((light) => light.id === id));
  const { placed, unplaced } = packAddresses(lights.map(toAddressable));
  const [left] = unplaced;
  if (left) throw conflict(`${nameOf(left.id)} does not fit: ${left.reason}`);

  const counts = new Map(lights.map((light) => [light.id, light.channel_count]));
  const [overlap] = findConflicts(placed.map((place) => ({ ...place, channelCount: counts.get(place.id) ?? 1 })));
  if (overlap) {
    const { first, second, from, to, universe } = overlap;
    throw alreadyExists(
      `${nameOf(first)} and ${nameOf(second)} would share addresses ${from} to ${to} of universe ${universe}`,
    );
  }
  await setAddresses(db, placed);
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
  if (!place) throw fullUniverse(wanted.universe, wanted.channelCount);
  return place.address;
}

/** The first address with room between the lights as they are. @throws out_of_range when nothing is free */
export function nextFreeAddress(lights: readonly LightRow[], channelCount: number, universe: number): number {
  const asTheyAre = lights.map((light) => ({ ...toAddressable(light), addressOverride: light.dmx_address }));
  const { placed } = packAddresses([...asTheyAre, { id: NEW_LIGHT, channelCount, universe }]);
  const place = placed.find((light) => light.id === NEW_LIGHT);
  if (!place) throw fullUniverse(universe, channelCount);
  return place.address;
}

function fullUniverse(universe: number, channelCount: number) {
  return outOfRange(`Universe ${universe} has no room for ${channelCount} more channels`);
}

function toAddressable(light: LightRow): AddressableLight {
  return {
    id: light.id,
    position: light.position,
    universe: light.universe,
    addressOverride: light.dmx_override,
    channelCount: light.channel_count,
  };
}

function nameLight(light: LightRow | undefined): string {
  return light ? `"${light.label}" (light ${light.id})` : "The light";
}
