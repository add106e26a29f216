import { create } from "@bufbuild/protobuf";
import { LightFixtureSchema, type LightFixture } from "@followspot/contract/lights";
import { notFound } from "../platform/errors.ts";
import type { StoredFixture } from "./fixture-library.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";

export function fixtureMethods({ fixtures }: LightsPorts) {
  return {
    listFixtures: () => ({ fixtures: fixtures.all.map(toFixture) }),

    getFixture: (request) => {
      const fixture = fixtures.byId(request.id);
      if (!fixture) throw notFound("Fixture", request.id);
      return { fixture: toFixture(fixture) };
    },

    listLightTypes: () => ({
      types: fixtures.all.map(({ definition: { key, name, manufacturer, model, type } }) => ({
        key,
        name,
        manufacturer,
        model,
        type,
      })),
    }),

    getLightModes: (request) => {
      const fixture = fixtures.byKey(request.lightType);
      if (!fixture) throw notFound("Light type", request.lightType);
      const { modes } = fixture.definition;
      return { modes: modes.map(({ name, channels }) => ({ name, channelCount: channels.length })) };
    },
  } satisfies LightsMethods;
}

function toFixture({ id, definition }: StoredFixture): LightFixture {
  return create(LightFixtureSchema, {
    id,
    manufacturer: definition.manufacturer,
    model: definition.model,
    fixtureType: definition.type,
    fileName: definition.key,
    modes: definition.modes.map(({ name, channels }) => ({
      name,
      channelCount: channels.length,
      channels: Object.fromEntries(channels.map((channel, i) => [String(i + 1), channel.kind])),
    })),
  });
}
