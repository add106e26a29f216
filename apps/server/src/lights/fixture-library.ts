import type { FixtureDefinition, FixtureMode } from "@followspot/contract";
import { asJson, type Db, type Sql } from "../platform/database/database.ts";
import { invalid } from "../platform/errors.ts";
import { ownMode } from "./channel-order.ts";
import { findDefinitions } from "./fixtures.store.ts";

/** Fields of a light that determine its channels. */
export interface PatchedAs {
  readonly light_type: string;
  readonly mode: string;
  readonly channel_config: string;
}

/**
 * Fixture definitions: the only source of modes for the patch and the stage. Nothing is cached, because a rig has few
 * types and is read again only after a change.
 */
export class FixtureLibrary {
  /** Returns the known modes of lights. */
  async modesOf(db: Db, lights: readonly PatchedAs[]): Promise<(light: PatchedAs) => FixtureMode | undefined> {
    const definitions = await findDefinitions(db, [...new Set(lights.map(({ light_type }) => light_type))]);
    return ({ light_type, mode, channel_config }) => {
      const found = definitions.get(light_type)?.modes.find(({ name }) => name === mode);
      return found && ownMode(found, channel_config);
    };
  }

  /** @throws invalid_argument if the type or its mode does not exist */
  async requireMode(db: Db, { light_type, mode, channel_config }: PatchedAs): Promise<FixtureMode> {
    if (light_type === "") throw invalid("Light type is required");
    if (mode === "") throw invalid("Mode is required");
    const definition = (await findDefinitions(db, [light_type])).get(light_type);
    if (!definition) throw invalid("lightType: there is no such light type");
    const found = definition.modes.find(({ name }) => name === mode);
    if (!found) throw invalid(`mode: ${definition.name} has no such mode`);
    return ownMode(found, channel_config);
  }
}

/** Stores the built-in definitions, so that each keeps its ID from release to release. */
export async function openFixtureLibrary(sql: Sql, builtIn: readonly FixtureDefinition[]): Promise<FixtureLibrary> {
  const given = asJson(
    sql,
    builtIn.map((definition) => ({ key: definition.key, definition })),
  );
  await sql`
    insert into fixture_definitions (key, definition)
    select key, definition from jsonb_to_recordset(${given}) as given (key text, definition jsonb)
    where key not in (select key from fixture_definitions)
    on conflict do nothing`;
  await sql`
    update fixture_definitions stored set definition = given.definition
    from jsonb_to_recordset(${given}) as given (key text, definition jsonb)
    where stored.key = given.key and stored.definition <> given.definition`;
  return new FixtureLibrary();
}
