import { isDeepStrictEqual } from "node:util";
import type { FixtureDefinition } from "@followspot/contract";
import type { Sql } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { FIXTURE_READERS } from "./fixture-readers.ts";
import { findReadByOthers, lightsUsing, markRead, putReadAgain, type StoredFile } from "./fixtures.store.ts";
import { namesOf } from "./put-fixtures.ts";
import { readFixtureFiles, type ReadingLimits } from "./read-fixture-files.ts";
import { raiseRigRevision } from "./stage-rig.ts";

/** Files that one process reads: it takes a second or two, and others are served meanwhile. */
const FILES_AT_ONCE = 50;

export interface ReadAgain {
  /** Definitions that say something else now. */
  readonly changed: number;
  /** Sentences about those that stay as they were. */
  readonly left: readonly string[];
}

/**
 * Reads the stored files of definitions that other readers made: what a release has learned of lamps reaches those that
 * are patched, as it does with the built-in ones. Addresses stay: a mode in use that would get more or fewer channels
 * leaves its definition as it was. Locks: patch, one definition at a time.
 */
export async function readFixturesAgain(sql: Sql, limits?: ReadingLimits): Promise<ReadAgain> {
  let changed = 0;
  const left: string[] = [];
  for (;;) {
    const stored = await findReadByOthers(sql, FIXTURE_READERS, FILES_AT_ONCE);
    if (stored.length === 0) return { changed, left };
    const files = stored.map(({ file_name, original }) => ({ name: file_name, bytes: original }));
    const readings = await readFixtureFiles(files, limits);
    for (const [i, { fixture, reason }] of readings.entries()) {
      const file = stored[i]!;
      const why = fixture ? await takeOver(sql, file, fixture.definition) : reason;
      if (why === undefined) changed++;
      else if (why !== "") left.push(`${file.definition.name}: ${why}`);
    }
    await markRead(sql, stored, FIXTURE_READERS);
  }
}

/** @returns why the definition stays as it was, "" when it says the same; undefined when it was changed */
async function takeOver(sql: Sql, { id, definition }: StoredFile, read: FixtureDefinition) {
  // Names stay: lights go by the key, and the folder that named a maker was not stored.
  const { key, name, manufacturer, model } = definition;
  const after = JSON.parse(JSON.stringify({ ...read, key, name, manufacturer, model })) as FixtureDefinition;
  if (isDeepStrictEqual(definition, after)) return "";
  return transact(
    sql,
    async (tx) => {
      const lights = await lightsUsing(tx, key);
      const moved = lights.filter(({ mode }) => channelsIn(definition, mode) !== channelsIn(after, mode));
      if (moved.length > 0) return `${namesOf(moved)} would get more or fewer channels.`;
      // Not if a person has put another file in its place meanwhile.
      await putReadAgain(tx, id, after, FIXTURE_READERS);
      if (lights.length > 0) await raiseRigRevision(tx);
      return undefined;
    },
    ["patch"],
  );
}

const channelsIn = ({ modes }: FixtureDefinition, mode: string): number | undefined =>
  modes.find(({ name }) => name === mode)?.channels.length;
