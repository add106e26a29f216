import type { FixtureDefinition } from "@followspot/contract";
import { undrivenNote } from "@followspot/lighting";
import type { ReadFixture } from "@followspot/lighting/fixture-formats";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Caller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db, Sql } from "../platform/database/database.ts";
import { storeFixture } from "./put-fixtures.ts";
import { readFixtureFiles, type FixtureFile } from "./read-fixture-files.ts";

export interface ImportedFixtures {
  /** Number of files whose definition is in the library now, including identical ones that were there before. */
  readonly imported: number;
  readonly refused: readonly RefusedFile[];
  /** Imported files of fixtures whose intensity a show cannot control in some modes. */
  readonly undriven: readonly UndrivenFile[];
}

export interface RefusedFile {
  readonly file: string;
  /** A sentence. */
  readonly reason: string;
}

export interface UndrivenFile {
  readonly file: string;
  readonly mode: string;
  /** A sentence. */
  readonly reason: string;
}

/**
 * Parses files and stores all valid definitions in one transaction. A file of a known fixture replaces its definition,
 * unless patched lights would change: such a file is rejected with their names. Lock order: patch, then definitions by
 * key.
 */
export async function importFixtures(
  sql: Sql,
  caller: Caller,
  files: readonly FixtureFile[],
): Promise<ImportedFixtures> {
  const refused: RefusedFile[] = [];
  const read = new Map<string, ReadFixture & { readonly file: FixtureFile }>();
  for (const { file, fixture, reason } of await readFixtureFiles(files)) {
    if (!fixture) {
      refused.push({ file: file.name, reason });
      continue;
    }
    const { key } = fixture.definition;
    const twin = read.get(key)?.file.name;
    if (twin === undefined) read.set(key, { ...fixture, file });
    else refused.push({ file: file.name, reason: `The same lamp as ${twin}, which was taken.` });
  }
  // A fixed order prevents deadlocks between two imports of the same folder.
  const fixtures = [...read.values()].toSorted((a, b) => (a.definition.key < b.definition.key ? -1 : 1));
  if (fixtures.length === 0) return { imported: 0, refused, undriven: [] };

  const importAll = async (tx: Db) => {
    const inUse: RefusedFile[] = [];
    const undriven: UndrivenFile[] = [];
    const stored: string[] = [];
    for (const { definition, format, file } of fixtures) {
      const fields = { format, definition, file_name: nameOf(file), original: file.bytes };
      try {
        if ((await storeFixture(tx, fields)).isNew) stored.push(definition.key);
        undriven.push(...undrivenModes(file.name, definition));
      } catch (error) {
        if (!(error instanceof ConnectError) || error.code !== Code.FailedPrecondition) throw error;
        inUse.push({ file: file.name, reason: error.rawMessage });
      }
    }
    const answer = { imported: fixtures.length - inUse.length, refused: [...refused, ...inUse], undriven };
    if (stored.length === 0) return done(answer);
    return done(answer, importedEntry(stored));
  };
  return change(sql, caller, importAll, ["patch"]);
}

/** Audit entry of stored definitions. */
export const importedEntry = (keys: readonly string[]): Entry => ({
  noun: "fixture",
  id: "many",
  verb: "imported",
  after: keys,
  payload: { count: keys.length },
});

const undrivenModes = (file: string, { modes }: FixtureDefinition): readonly UndrivenFile[] =>
  modes.flatMap((mode) => {
    const reason = undrivenNote(mode);
    return reason === undefined ? [] : [{ file, mode: mode.name, reason }];
  });

/** Returns the file name without folders and invalid characters. */
const nameOf = ({ name }: FixtureFile) =>
  (name.split(/[\\/]/).at(-1) ?? "")
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, 200);
