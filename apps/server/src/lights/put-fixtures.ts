import { isDeepStrictEqual } from "node:util";
import { UNIVERSE_SLOTS, type FixtureDefinition } from "@followspot/contract";
import type { Db } from "../platform/database/database.ts";
import { conflict } from "../platform/errors.ts";
import { ownMode } from "./channel-order.ts";
import { findDefinitions, lightsUsing, putFixture, setChannelCounts, type FixtureFields, type UsingLight } from "./fixtures.store.ts"; // prettier-ignore
import { packPatch } from "./patch.ts";

/** Most names of lights in an error message. */
const NAMED = 3;

export interface Stored {
  /** False if an identical definition existed already. */
  readonly isNew: boolean;
  /** Lights whose channels changed. */
  readonly lights: readonly UsingLight[];
}

/**
 * Stores a definition. Patched lights are not changed silently: without `applyToLights` such a change is rejected with
 * their names. With it they get the new channels, and the patch is packed again. Callers hold the lock `patch`.
 *
 * @throws failed_precondition with the names of the lights
 */
export async function storeFixture(db: Db, fields: FixtureFields, applyToLights = false): Promise<Stored> {
  // Normalized as it will be read back: without undefined fields.
  const definition = JSON.parse(JSON.stringify(fields.definition)) as FixtureDefinition;
  const before = (await findDefinitions(db, [definition.key])).get(definition.key);
  if (before && isDeepStrictEqual(before, definition)) return { isNew: false, lights: [] };
  const lights = before ? await requireMayChange(db, before, definition, applyToLights) : [];
  await putFixture(db, { ...fields, definition });
  if (lights.length > 0) {
    await setChannelCounts(
      db,
      lights.map((light) => ({ id: light.id, count: channelCountOf(definition, light) })),
    );
    await packPatch(db);
  }
  return { isNew: true, lights };
}

/** @returns lights whose channels change */
async function requireMayChange(
  db: Db,
  before: FixtureDefinition,
  after: FixtureDefinition,
  applyToLights: boolean,
): Promise<readonly UsingLight[]> {
  const lights = await lightsUsing(db, before.key);
  const orphans = lights.filter((light) => !modeIn(after, light.mode));
  if (orphans.length > 0) {
    throw conflict(`${namesOf(orphans)} would lose the mode in use. Choose another mode there first.`);
  }
  const changed = lights.filter(({ mode }) => !isDeepStrictEqual(modeIn(before, mode), modeIn(after, mode)));
  if (changed.length > 0 && !applyToLights) {
    throw conflict(`In use by ${namesOf(changed)}, which would get other channels. Nothing was changed.`);
  }
  const tooLong = changed.find(
    (light) => (light.dmx_override ?? 1) + channelCountOf(after, light) - 1 > UNIVERSE_SLOTS,
  );
  if (tooLong) throw conflict(`${namesOf([tooLong])} would run past address ${UNIVERSE_SLOTS}. Move it first.`);
  return changed;
}

const modeIn = ({ modes }: FixtureDefinition, name: string) => modes.find((mode) => mode.name === name);

/** Returns the channel count of a light whose mode the definition has. */
const channelCountOf = (definition: FixtureDefinition, { mode, channel_config }: UsingLight): number =>
  ownMode(modeIn(definition, mode)!, channel_config).channels.length;

/** Formats names: "Left" and "Right" and 4 more lights. */
export function namesOf(lights: readonly UsingLight[]): string {
  const names = lights.slice(0, NAMED).map(({ id, label }) => (label === "" ? `light ${id}` : `"${label}"`));
  const more = lights.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more ${more === 1 ? "light" : "lights"}`] : [])].join(" and ");
}
