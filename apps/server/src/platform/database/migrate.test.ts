import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../operations/supervisor/processes.ts";
import { ROOT } from "../settings.ts";
import { openDatabase, type Tx } from "./database.ts";
import { LOCKS } from "./locks.ts";
import { migrate, migrationFiles } from "./migrate.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

// kept: Doors | A long migration, or one that waited for another machine, printed nothing, and one that waited for a table blocked every other statement on it | failed on the old code
test.each([
  ["a machine that migrates", (tx: Tx) => tx`select pg_advisory_xact_lock(${LOCKS.migration})`, "Another machine"],
  ["a program that uses a table", (tx: Tx) => tx`lock table migrations`, "while another program uses them"],
])("a migration waits for %s, without a deadline, and says so", async (_, lock, reason) => {
  const { sql, url } = openUntil(onTestFinished, await createTestDatabase(2));
  const other = openUntil(onTestFinished, openDatabase(url, 1), (opened) => opened.end({ timeout: 1 }));
  const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = other.begin(async (tx) => {
    await lock(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const lines: string[] = [];
  const migrating = migrate(sql, (line) => lines.push(line), 100);
  await expect.poll(() => lines.at(-1)).toContain(reason);
  released.resolve();
  await holding;
  expect(await migrating).toEqual([]);
});

/** Statements that lock a table for as long as it takes to read or rewrite it. */
const BLOCKS =
  /create (?:unique )?index (?!concurrently)[^;]* on (\w+)|alter table (?:only )?(\w+)[^;]*(?:add constraint(?![^;]*not valid)|alter column[^;]*(?: type |set not null))/gis;
const FIRST_CHECKED = "097";

test("a new migration says which table it blocks, and why that is short", async () => {
  const texts = (await migrationFiles())
    .filter((name) => name >= FIRST_CHECKED)
    .map((name) => [name, readFileSync(new URL(`./migrations/${name}`, import.meta.url), "utf8")] as const);
  const unexplained = texts.flatMap(([name, text]) => {
    const created = new Set([...text.matchAll(/create table (\w+)/gi)].map(([, table]) => table));
    return [...text.matchAll(BLOCKS)]
      .map(([, indexed, altered]) => indexed ?? altered!)
      .filter((table) => !created.has(table) && !text.includes(`-- blocks: ${table},`))
      .map((table) => `${name}: ${table}`);
  });
  expect(unexplained, "Add a comment `-- blocks: TABLE, why that is short` (decision 118)").toEqual([]);
});

const dataDir = await folderUntil(afterAll);
const database = openUntil(afterAll, await createTestDatabase(2));
await database.sql`insert into migrations (name) values ('998-guests.sql'), ('999-tickets.sql')`;

test("a database migrated by a newer release is refused", async () => {
  await expect(migrate(database.sql)).rejects.toThrow("used by a newer Followspot (last change 999-tickets)");
});

// kept: Doors | An older Followspot started on a newer data folder without an error | failed on the old code
test("npm start on a newer data folder ends with one sentence that names the remedy", async () => {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    FOLLOWSPOT_DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [join(ROOT, "apps/server/dist/main.js")], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, said] = await Promise.all([ended, text(child.stderr)]);
  expect(code).toBe(1);
  expect(said.trim()).toBe(
    "This data folder was used by a newer Followspot (last change 999-tickets). Start that version, or restore a backup taken with this one.",
  );
});
