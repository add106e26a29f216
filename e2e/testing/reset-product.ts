import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { calibrationOf, GIVE_ALL_BACK, type DeskState } from "@followspot/contract";
import { WebSocket } from "ws";
import { openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import { connectBroker, leaveBroker } from "../../apps/server/src/platform/broker/nats.ts";
import { readRunningFile } from "../../apps/server/src/platform/files/running-file.ts";
import { ConsoleSocket } from "../../apps/server/src/stage/testing/console-socket.ts";
import { emptyStreams } from "../../apps/server/src/testing/empty-streams.ts";
import { until, type RunningProduct } from "./product.ts";

/** Schema with copies of the tables as they were after the first start. */
const SNAPSHOT = "first_start";
/** Tables that are not restored: the stage compares revisions, and the heartbeat tells a restart from a power failure. */
const KEPT = ["rig_revision", "heartbeat", "schema_migrations"];
/** Folders of the data folder that hold what users made. */
const FOLDERS = ["songs", "films", "recordings"];

/** Copies the tables of a product that was just started, for {@link resetProduct}. */
export async function takeSnapshot(product: RunningProduct): Promise<void> {
  await withDatabase(product, async (sql) => {
    await sql.unsafe(`create schema ${SNAPSHOT}`);
    for (const table of await tablesOf(sql))
      await sql.unsafe(`create table ${SNAPSHOT}.${table} as table public.${table}`);
  });
}

/**
 * Returns a running product to the state of its snapshot: tables, streams, files of songs, desk and stage.
 *
 * @throws Error if the product does not reach that state
 */
export async function resetProduct(product: RunningProduct): Promise<void> {
  await product.call("music.v1.MusicService/StopMusic", {});
  await releaseLamps(product);
  await releaseDesk(product);
  await withDatabase(product, async (sql) => {
    const tables = await tablesOf(sql);
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = '10s'`;
      // Neither triggers nor foreign keys act on what is restored.
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(`truncate ${tables.map((table) => `public.${table}`).join(", ")} restart identity`);
      for (const table of tables) await restore(tx, table);
      await tx`update rig_revision set revision = revision + 1`;
    });
  });
  await withBroker(product, emptyStreams);
  for (const folder of FOLDERS) await empty(join(product.dataDir, folder));
  await expectEmpty(product);
}

async function restore(tx: Pick<Sql, "unsafe">, table: string): Promise<void> {
  const columns = await tx.unsafe<{ name: string; sequence: string | null }[]>(`
    select quote_ident(column_name) as name, pg_get_serial_sequence('public.${table}', column_name) as sequence
    from information_schema.columns
    where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER'`);
  const names = columns.map(({ name }) => name).join(", ");
  await tx.unsafe(`
    insert into public.${table} (${names}) overriding system value select ${names} from ${SNAPSHOT}.${table}`);
  for (const { name, sequence } of columns) {
    if (sequence)
      await tx.unsafe(`select setval('${sequence}', max(${name})) from public.${table} having count(*) > 0`);
  }
}

/** Names of the tables, as SQL writes them. */
async function tablesOf(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ table: string }[]>`
    select quote_ident(tablename) as table from pg_tables
    where schemaname = 'public' and tablename <> all(${KEPT}) order by 1`;
  return rows.map(({ table }) => table);
}

/** Takes over the fixtures from a page that was closed while its song played, and releases them. */
async function releaseLamps(product: RunningProduct): Promise<void> {
  const url = `${product.url.replace("http", "ws")}/lights/playback/${calibrationOf()}`;
  const headers = { authorization: `Bearer ${await product.token()}` };
  const socket = await new ConsoleSocket(url, { headers }).opened();
  try {
    if (socket.state?.mode !== "idle") {
      socket.say({ type: "prepare_playback", take_over: true });
      await until(() => socket.state?.owner === true);
      socket.say({ type: "stop" });
    }
    await until(() => socket.state?.mode === "idle");
  } finally {
    socket.close();
  }
}

/** Releases every control of the desk, blackout and idle look included. */
async function releaseDesk(product: RunningProduct): Promise<void> {
  const headers = { authorization: `Bearer ${await product.token()}` };
  const socket = new WebSocket(`${product.url.replace("http", "ws")}/lights/desk`, { headers });
  try {
    let desk: DeskState | undefined;
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as DeskState | { readonly type: "taken" | "refused" };
      if (message.type === "desk") desk = message;
    });
    socket.on("error", () => {}); // the wait below fails
    await until(() => desk !== undefined);
    const held = () => Object.keys(desk?.hands ?? {});
    for (const control of held().length > 0 ? [GIVE_ALL_BACK, ...held()] : [])
      socket.send(JSON.stringify({ type: "press", id: `reset ${control}`, control, value: null }));
    await until(() => held().length === 0);
  } finally {
    socket.terminate();
  }
}

/** @throws Error that names the remaining entries */
async function expectEmpty(product: RunningProduct): Promise<void> {
  const counts = {
    songs: await product.call("music.v1.MusicService/ListSongs", {}),
    events: await product.call("event.v1.EventService/ListEvents", {}),
    lights: await product.call("lights.v1.LightsService/ListLights", {}),
    outputs: await product.call("lights.v1.LightsService/ListOutputs", {}),
    playlists: await product.call("music.v1.MusicService/ListPlaylists", {}),
  };
  for (const [name, answer] of Object.entries(counts)) {
    const left = answer[name]?.length ?? 0;
    if (left > 0) throw new Error(`${left} ${name} are left after a reset`);
  }
}

async function withDatabase(product: RunningProduct, work: (sql: Sql) => Promise<void>): Promise<void> {
  const running = await readRunningFile(product.dataDir);
  const sql = openDatabase(running!.owner!, 1); // a product with a database of its own
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

async function withBroker(product: RunningProduct, work: typeof emptyStreams): Promise<void> {
  const running = await readRunningFile(product.dataDir);
  const broker = await connectBroker(running!.broker!, "journeys"); // see withDatabase
  try {
    await work(broker);
  } finally {
    await leaveBroker(broker);
  }
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    await rm(join(folder, name), { recursive: true, force: true });
}
