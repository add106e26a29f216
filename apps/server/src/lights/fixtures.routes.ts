import { create } from "@bufbuild/protobuf";
import type { FixtureMode } from "@followspot/contract";
import { LightFixtureSchema, type LightFixture } from "@followspot/contract/lights";
import { hazesIn, undrivenNote } from "@followspot/lighting";
import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { alreadyExists, conflict, notFound } from "../platform/errors.ts";
import { requireUnchanged } from "../platform/database/if-unchanged.ts";
import { mapInSlices } from "../platform/http/in-slices.ts";
import { countRows, listQueryOf, readAll, readPage } from "../platform/database/lists.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import { requireOwnDefinition } from "./fixture-rules.ts";
import * as store from "./fixtures.store.ts";
import type { FixtureRow, LightTypeRow, UsingLight } from "./fixtures.store.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { namesOf, storeFixture } from "./put-fixtures.ts";

/** Methods for fixture definitions. Lock order: patch, then the definition's row, then lights. */
export function fixtureMethods({ sql }: LightsPorts) {
  return {
    listFixtures: async (request) => {
      const query = listQueryOf({ list: request.list });
      if (!query) {
        const all = await readAll<FixtureRow>(sql, store.byId(store.FIXTURE_LIST));
        return { fixtures: await mapInSlices(all, toFixture) };
      }
      const { rows, nextPageToken } = await readPage<FixtureRow>(sql, store.FIXTURE_LIST, query);
      return { fixtures: rows.map(toFixture), nextPageToken };
    },

    countFixtures: async (request) => ({ counts: await countRows(sql, store.FIXTURE_LIST, request.query) }),

    getFixture: async (request) => ({ fixture: toWholeFixture(await getFixture(sql, request.id)) }),

    saveFixture: async (request, context) => {
      const caller = requireCaller(context);
      const wanted = requireOwnDefinition(request.definitionJson);
      const save = async (tx: Db) => {
        const before = request.id === 0 ? undefined : await getFixture(tx, request.id);
        if (before && before.format !== "own") {
          throw conflict("This definition comes from a file or is built in. Save a copy under another name.");
        }
        if (before)
          await requireUnchanged(tx, caller, { ...before, noun: "fixture", word: "fixture" }, request.ifUpdatedAt);
        // A renamed definition keeps its key, because lights refer to it.
        const definition = { ...wanted, key: before?.key ?? wanted.key };
        if (!before && (await store.findFixture(tx, { key: definition.key }))) {
          throw alreadyExists(`There is a definition of your own for ${definition.name} already`);
        }
        const fields = { format: "own", definition, file_name: "", original: null } as const;
        const { isNew, lights } = await storeFixture(tx, fields, request.applyToLights);
        const after = await store.findFixture(tx, { key: definition.key });
        const answer = { fixture: toWholeFixture(after!) }; // stored just above
        const what = entry(before ? "updated" : "created", before, after);
        return isNew ? done(answer, what, ...repatched(lights)) : done(answer);
      };
      return change(sql, caller, save, ["patch"]);
    },

    deleteFixture: async (request, context) => {
      const remove = async (tx: Db) => {
        const before = await getFixture(tx, request.id);
        if (before.format === "generic") throw conflict("Generic definitions are built in and stay");
        const lights = await store.lightsUsing(tx, before.key);
        if (lights.length > 0) {
          throw conflict(`In use by ${namesOf(lights)}. Give another type to what uses it first.`);
        }
        await store.removeFixture(tx, before.id);
        return done({ success: true }, entry("deleted", before, undefined));
      };
      return change(sql, requireCaller(context), remove, ["patch"]);
    },

    listLightTypes: async (request) => {
      const query = listQueryOf({ list: request.list });
      if (!query)
        return { types: (await readAll<LightTypeRow>(sql, store.byId(store.LIGHT_TYPE_LIST))).map(toLightType) };
      const { rows, nextPageToken } = await readPage<LightTypeRow>(sql, store.LIGHT_TYPE_LIST, query);
      return { types: rows.map(toLightType), nextPageToken };
    },

    getLightModes: async (request) => {
      const fixture = await store.findFixture(sql, { key: request.lightType });
      if (!fixture) throw notFound("Light type", request.lightType);
      const { modes } = fixture.definition;
      return {
        modes: modes.map((mode) => ({
          name: mode.name,
          channelCount: mode.channels.length,
          undriven: undrivenNote(mode) ?? "",
          hazes: hazesIn(mode),
        })),
      };
    },
  } satisfies LightsMethods;
}

async function getFixture(db: Db, id: number): Promise<FixtureRow> {
  const fixture = await store.findFixture(db, { id });
  if (!fixture) throw notFound("Fixture", id);
  return fixture;
}

const toLightType = ({ key, name, manufacturer, model, type }: LightTypeRow) => ({
  key,
  name,
  manufacturer,
  model,
  type,
});

function toFixture(row: FixtureRow): LightFixture {
  const { definition } = row;
  return create(LightFixtureSchema, {
    id: row.id,
    manufacturer: definition.manufacturer,
    model: definition.model,
    fixtureType: definition.type,
    fileName: row.file_name || row.key,
    key: row.key,
    name: definition.name,
    format: row.format,
    lightCount: row.light_count,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    modes: toModes(definition.modes),
  });
}

export const toModes = (modes: readonly FixtureMode[]) =>
  modes.map(({ name, channels }) => ({
    name,
    channelCount: channels.length,
    channels: Object.fromEntries(channels.map((channel, i) => [String(i + 1), channel.kind])),
  }));

export function toWholeFixture(row: FixtureRow): LightFixture {
  const fixture = toFixture(row);
  fixture.definitionJson = JSON.stringify(row.definition);
  return fixture;
}

function entry(verb: string, before: FixtureRow | undefined, after: FixtureRow | undefined): Entry {
  return { noun: "fixture", id: (after ?? before)?.id ?? 0, verb, before, after };
}

/** Entries for lights whose channels changed. */
function repatched(lights: readonly UsingLight[]): readonly Entry[] {
  if (lights.length === 0) return [];
  const ids = lights.map(({ id }) => id);
  return [{ noun: "light", id: "all", verb: "repatched", after: ids, payload: { ids } }];
}
