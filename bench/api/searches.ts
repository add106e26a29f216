/**
 * What a search costs in lists whose text has no index of its own: milliseconds for the first page of a text that few
 * rows hold, that many hold and that none holds; and what the log's index costs each writer.
 *
 *   npm run bench:searches                        100,000 and 1,000,000 rows, some minutes
 *   npm run bench:searches -- --rows 100000
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { create } from "@bufbuild/protobuf";
import { ListQuerySchema } from "@followspot/contract/list";
import { AUDIT_LIST } from "../../apps/server/src/community/audit/audit.store.ts";
import { PLAYER_LIST, players } from "../../apps/server/src/night/director/players.store.ts";
import { openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import { readPage, type ListDefinition } from "../../apps/server/src/platform/database/lists.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";

const { values: flags } = parseArgs({ options: { rows: { type: "string", default: "100000,1000000" } } });
const SIZES = flags.rows.split(",").map(Number);
const TRIES = 7;
const WRITES = 20_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), "followspot-searches-"));
await chmod(folder, 0o755);
const postgres = await startPostgres(folder, () => {});
const sql = openDatabase(postgres.url, 2);
try {
  await migrate(sql);
  say("ms for the first page, middle of 7       rare     many     none   (before: without the index's help)");
  for (const [i, rows] of SIZES.entries()) {
    await addRows(sql, i === 0 ? 1 : SIZES[i - 1]! + 1, rows);
    await show(`players of ${rows}`, PLAYER_LIST, ["person 777x", "person", "no such person"]);
    await show(`audit log of ${rows}, texts`, AUDIT_LIST, ["t00000777", "talk.updated", "nothing at all"]);
    await show(`audit log of ${rows}, names`, AUDIT_LIST, ["person 778x", "person", "no such person"]);
  }
  await showWrites();
} finally {
  await sql.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function show(name: string, list: ListDefinition, texts: readonly string[]): Promise<void> {
  const { narrowed: _, ...plain } = list;
  for (const [label, definition] of [
    [name, list],
    ["  before", plain],
  ] as const) {
    const costs: string[] = [];
    for (const text of texts) costs.push((await millisecondsFor(definition, text)).toFixed(1).padStart(8));
    say(`${label.padEnd(36)} ${costs.join(" ")}`);
  }
}

async function millisecondsFor(list: ListDefinition, text: string): Promise<number> {
  const query = create(ListQuerySchema, { query: text, pageSize: 50 });
  const scope = list.from === PLAYER_LIST.from ? players(sql) : sql`true`;
  const took: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    const from = performance.now();
    await readPage(sql, list, query, scope);
    took.push(performance.now() - from);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)]!;
}

/** Microseconds per entry of the log, one statement each, with and without the index. */
async function showWrites(): Promise<void> {
  const write = async () => {
    const from = performance.now();
    await sql.unsafe(`do $$ begin for i in 1..${WRITES} loop
      insert into audit_log (user_id, action, target)
        values ('U' || lpad((i % 5000)::text, 8, '0'), 'talk.updated', 'talk ' || md5(i::text));
      end loop; end $$`);
    return (((performance.now() - from) * 1000) / WRITES).toFixed(1);
  };
  const withIt = await write();
  await sql`drop index audit_log_searched`;
  say(`\nµs for one more entry of the log: ${withIt}, without the index ${await write()}`);
}

/** People, each of whom wrote one entry about one talk; every hundredth was about another person's. */
async function addRows(db: Sql, from: number, to: number): Promise<void> {
  await db`
    insert into users (id, name, email)
    select 'U' || lpad(i::text, 8, '0'), 'Person ' || i || 'x', 'p' || i || '@example.org'
    from generate_series(${from}::int, ${to}::int) i`;
  await db`
    insert into audit_log (user_id, action, target)
    select 'U' || lpad(i::text, 8, '0'), case when i % 100 = 0 then 'talk.created' else 'talk.updated' end,
      'talk T' || lpad(i::text, 8, '0')
    from generate_series(${from}::int, ${to}::int) i`;
  await db`vacuum analyze`;
}
