import { chmod } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../operations/supervisor/postgres.ts";
import { openDatabase } from "./database.ts";
import { migrate, migrationFiles } from "./migrate.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const WAIT = { timeout: 30_000 };

const folder = await folderUntil(afterAll);
await chmod(folder, 0o755); // as root, PostgreSQL runs as the user nobody, which needs access
let postgres = await startPostgres(folder, () => {});
afterAll(() => postgres.stop());
const sql = openUntil(afterAll, openDatabase(postgres.url, 2), (sql) => sql.end({ timeout: 1 }));

const tables = async () => (await sql`select 1 from pg_tables where schemaname = 'public'`).length;
const isWaiting = async () => (await sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`).length > 0;

// kept: Doors | A database that was killed during its migrations ended the process with an error of the driver | failed
// on the old code
test("a database killed during its migrations has applied none of them, and has all after the next start", async () => {
  // The migrations pause once the songs table exists: half of the tables are created.
  await sql.unsafe(`
    create function stand_still() returns event_trigger language plpgsql as
      $$ begin if to_regclass('songs') is not null then perform pg_sleep(60); end if; end $$;
    create event trigger halfway on ddl_command_end when tag in ('CREATE TABLE') execute function stand_still()`);
  const cut = migrate(sql).then(
    () => "done",
    (error: Error) => error.message,
  );
  await expect.poll(isWaiting, WAIT).toBe(true);
  postgres.child.kill("SIGKILL");
  expect(await cut).not.toBe("done");

  const again = async () => {
    postgres = await startPostgres(folder, () => {}, Number(new URL(postgres.url).port));
    return true;
  };
  // The remaining processes of the killed server end by themselves.
  await expect.poll(() => again().catch(() => false), WAIT).toBe(true);
  expect(await tables()).toBe(0);
  await sql`drop event trigger halfway`;
  const files = await migrationFiles();
  expect(await migrate(sql)).toEqual(files);
  expect((await sql`select name from migrations order by name`).map(({ name }) => name)).toEqual(files);
  expect(await migrate(sql)).toEqual([]);
});
