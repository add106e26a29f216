import type { FixtureDefinition, FixtureMode } from "@followspot/contract";
import { asJson, type Sql } from "../platform/database.ts";
import { invalid } from "../platform/errors.ts";

/** A definition with the number it keeps for good. */
export interface StoredFixture {
  readonly id: number;
  readonly definition: FixtureDefinition;
}

/** The lamps a light may be: the one place that patch, screens, planner and stage ask. */
export class FixtureLibrary {
  readonly #byId: ReadonlyMap<number, StoredFixture>;
  readonly #byKey: ReadonlyMap<string, StoredFixture>;

  constructor(fixtures: readonly StoredFixture[]) {
    this.#byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]));
    this.#byKey = new Map(fixtures.map((fixture) => [fixture.definition.key, fixture]));
  }

  /** By id. */
  get all(): readonly StoredFixture[] {
    return [...this.#byId.values()];
  }

  byId(id: number): StoredFixture | undefined {
    return this.#byId.get(id);
  }

  /** @param key the light type */
  byKey(key: string): StoredFixture | undefined {
    return this.#byKey.get(key);
  }

  mode(lightType: string, mode: string): FixtureMode | undefined {
    return this.byKey(lightType)?.definition.modes.find(({ name }) => name === mode);
  }

  /** @throws invalid_argument when there is no such type or it has no such mode */
  requireMode(lightType: string, mode: string): FixtureMode {
    if (lightType === "") throw invalid("Light type is required");
    if (mode === "") throw invalid("Mode is required");
    const fixture = this.byKey(lightType);
    if (!fixture) throw invalid("light_type: there is no such light type");
    const found = this.mode(lightType, mode);
    if (!found) throw invalid(`mode: ${fixture.definition.name} has no such mode`);
    return found;
  }
}

/** Gives the built-in definitions their rows, so that each keeps its id from release to release, and reads all. */
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
  const rows = await sql<StoredFixture[]>`select id, definition from fixture_definitions order by id`;
  return new FixtureLibrary(rows);
}
