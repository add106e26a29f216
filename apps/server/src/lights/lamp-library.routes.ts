import { readFixtureFile } from "@followspot/lighting/fixture-formats";
import { requireCaller } from "../platform/caller.ts";
import { conflict, missing } from "../platform/errors.ts";
import { toModes, toWholeFixture } from "./fixtures.routes.ts";
import { findDefinitions, findFixture } from "./fixtures.store.ts";
import { importFixtures } from "./import-fixtures.ts";
import { shippedLamps } from "./lamp-library/lamp-library.ts";
import type { PackedLamp } from "./lamp-library/lamp-pack.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";

const PAGE = 50;

/** Methods for the bundled fixture library, and for adding its fixtures as light types. */
export function lampLibraryMethods({ sql }: LightsPorts) {
  const library = shippedLamps();
  const requireLamp = async (key: string): Promise<PackedLamp> => {
    const lamp = await library.find(key);
    if (!lamp) throw missing("There is no such lamp in the library");
    return lamp;
  };
  return {
    searchLampLibrary: async ({ query, limit }) => {
      const { lamps, total } = await library.search(query, limit || PAGE);
      const used = await findDefinitions(sql, keysOf(lamps));
      return { lamps: lamps.map((lamp) => toLamp(lamp, used.has(lamp.key))), total };
    },

    getLibraryLamp: async ({ key }) => {
      const lamp = await requireLamp(key);
      const { name, bytes } = await library.fileOf(lamp);
      const { modes } = readFixtureFile(name, bytes).definition;
      return { lamp: toLamp(lamp, (await findDefinitions(sql, [key])).has(key)), modes: toModes(modes) };
    },

    useLibraryLamp: async ({ key }, context) => {
      const file = await library.fileOf(await requireLamp(key));
      const { refused } = await importFixtures(sql, requireCaller(context), [file]);
      if (refused[0]) throw conflict(refused[0].reason);
      const fixture = await findFixture(sql, { key });
      return { fixture: toWholeFixture(fixture!) }; // stored just above
    },
  } satisfies LightsMethods;
}

const keysOf = (lamps: readonly PackedLamp[]) => lamps.map(({ key }) => key);

const toLamp = ({ key, name, manufacturer, model, type, modes }: PackedLamp, isUsed: boolean) => ({
  key,
  name,
  manufacturer,
  model,
  fixtureType: type,
  modes: modes.map((mode) => ({ name: mode.name, channelCount: mode.channels })),
  isUsed,
});
