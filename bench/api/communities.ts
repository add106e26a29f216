/**
 * What it costs to keep communities apart: milliseconds of statements that everybody waits for, before tables knew of
 * communities, since then with one community alone, and as one of two.
 *
 *   npm run bench:communities        10,000 people, songs and waiting jobs each, half a minute
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertCommunity } from "../../apps/server/src/platform/database/communities.ts";
import { openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import {
  applyMigrations,
  migrate,
  migrationFiles,
  MIGRATIONS_TABLE,
} from "../../apps/server/src/platform/database/migrate.ts";
import { transactOnce } from "../../apps/server/src/platform/database/transaction.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";

const ROWS = 10_000;
const TRIES = 200;
/** The change that brought communities. */
const CHANGE = "078-communities.sql";
const STATEMENTS: Readonly<Record<string, string>> = {
  "next job":
    "select song_id from song_jobs where step = 'download' and state = 'queued' and not_before is null order by song_id limit 1",
  "person by id": "select id from users where id = 'U009000'",
  "person by email": "select id from users where lower(nullif(email, '')) = 'p9000@example.org'",
  "first page by name": "select id from users where deleted_at is null order by lower(name), id limit 50",
  "page in the middle":
    "select id from users where (lower(name), id) > ('person 5500', 'U005500') order by lower(name), id limit 50",
  "search of a rare word": "select id from users where searched like '%person 9123%' order by id limit 50",
  "song of a video": "select id from songs where ytid = 'vvvvvvv9000' and deleted_at is null",
};
const say = (line: string) => process.stdout.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), "followspot-communities-"));
await chmod(folder, 0o755);
const postgres = await startPostgres(folder, () => {});
const connections: Sql[] = [];
try {
  const before = await createDatabase("before");
  await transactOnce(before, async (tx) => {
    await tx.unsafe(MIGRATIONS_TABLE);
    const known = (await migrationFiles()).filter((name) => name < CHANGE);
    await applyMigrations((text) => tx.unsafe(text), known);
    return { answer: undefined };
  });
  const shared = await createDatabase("shared");
  await migrate(shared);
  await fill(before);
  await fill(shared);
  await before.unsafe("vacuum analyze");
  await shared.unsafe("vacuum analyze");
  say(`ms, middle of ${TRIES}          ${Object.keys(STATEMENTS).join(" | ")}`);
  await show("before", before);
  await show("since, alone", shared);
  const began = performance.now();
  await migrate(before);
  say(`the change of ${ROWS} people, songs and jobs takes ${Math.round(performance.now() - began)} ms`);
  const other = await letOtherIn(shared);
  await fill(other);
  await shared.unsafe("vacuum analyze");
  await show("as one of two", other);
} finally {
  await Promise.all(connections.map((sql) => sql.end({ timeout: 2 })));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function createDatabase(name: string): Promise<Sql> {
  const root = openDatabase(postgres.url, 1);
  await root.unsafe(`create database ${name}`);
  await root.end();
  return open(postgres.url.replace(/\/followspot$/, `/${name}`));
}

function open(url: string): Sql {
  const sql = openDatabase(url, 1);
  connections.push(sql);
  return sql;
}

/** Lets another community in. @returns its connection to the database */
async function letOtherIn(owner: Sql): Promise<Sql> {
  const [role, password] = ["followspot_other", randomBytes(12).toString("hex")];
  await transactOnce(owner, async (tx) => ({
    answer: await insertCommunity(tx, { slug: "other", name: "Other", role, password }),
  }));
  const url = new URL(postgres.url);
  [url.pathname, url.username, url.password] = ["/shared", role, password];
  return open(url.href);
}

async function fill(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into users (id, name, email)
    select 'U' || lpad(i::text, 6, '0'), 'Person ' || i, 'p' || i || '@example.org' from generate_series(1, ${ROWS}) i;
    insert into songs (id, title, artist, ytid)
    select 'S' || lpad(i::text, 6, '0'), 'Song ' || i, 'Artist ' || i % 200, lpad(i::text, 11, 'v')
    from generate_series(1, ${ROWS}) i;
    insert into song_jobs (id, song_id, step, state)
    select 'J' || lpad(i::text, 6, '0'), 'S' || lpad(i::text, 6, '0'), 'download', 'queued'
    from generate_series(1, ${ROWS}) i`);
}

async function show(name: string, sql: Sql): Promise<void> {
  const costs: string[] = [];
  for (const text of Object.values(STATEMENTS)) costs.push((await millisecondsOf(sql, text)).toFixed(2));
  say(`${name.padEnd(24)} ${costs.join(" | ")}`);
}

async function millisecondsOf(sql: Sql, text: string): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    const began = performance.now();
    await sql.unsafe(text, [], { prepare: true });
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[TRIES / 2]!; // there are so many
}
