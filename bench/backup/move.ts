/**
 * Moves a laptop's installation to servers and back, by the commands of the operations guide: a database with a standby, three
 * brokers and an S3 store, where it lives on for a while. After each move fifty calls and the sound of every song are asked for
 * on both sides.
 *
 *   npm run bench:move                                       20,000 rows, 50 MB of songs
 *   npm run bench:move -- --rows 1000000 --gigabytes 1
 */
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { startBrokerCluster } from "../../apps/server/src/testing/broker-cluster.ts";
import { startDatabasePair } from "../../apps/server/src/testing/database-pair.ts";
import { S3_KEYS, s3Setting, startS3 } from "../../apps/server/src/testing/s3-store.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { removeData, startProduct, until, type Product } from "../../e2e/testing/product.ts";
import { isReady, upload } from "../../e2e/testing/songs.ts";
import { admin } from "./admin.ts";
import { addRows, addSongs, EVENT } from "./fill.ts";
import { askFifty, differing, FIFTY } from "./fifty-calls.ts";

const { values: flags } = parseArgs({
  options: { rows: { type: "string", default: "20000" }, gigabytes: { type: "string", default: "0.05" } },
});
const LIT_MS = 180_000;
const LONGEST_SILENCE_MS = 180_000;

/** What an installation answers. */
interface Answers {
  readonly calls: readonly string[];
  /** SHA-256 of its sound by id of the song. */
  readonly sounds: ReadonlyMap<string, string>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "followspot-bench-move-"));
await chmod(folder, 0o755); // as root PostgreSQL runs as the user nobody
await mkdir(join(folder, "brokers"));
Object.assign(process.env, S3_KEYS);
const started: Product[] = [];
const open: { close(): Promise<void> }[] = [];
try {
  const laptop = await start({});
  await fill(laptop);
  await live(laptop, "at home");
  const atHome = await settled(laptop);

  const [database, brokers, s3] = await Promise.all([
    startDatabasePair(folder),
    startBrokerCluster(join(folder, "brokers")),
    startS3(),
  ]);
  open.push(database, brokers, s3);
  const servers = await move(laptop, {
    DATABASE_URL: database.url,
    NATS_URL: brokers.url,
    FOLLOWSPOT_NATS_REPLICAS: "3",
    FOLLOWSPOT_BLOBS: s3Setting(s3.port),
  });
  const isThere = compare("laptop to servers", atHome, await settled(servers));
  await live(servers, "on servers");
  const onServers = await settled(servers);

  const back = await move(servers, {});
  const isBack = compare("servers to laptop", onServers, await settled(back));
  process.exitCode = isThere && isBack ? 0 : 1;
} finally {
  for (const product of started) {
    await product.stop();
    await removeData(product.dataDir);
  }
  for (const part of open) await part.close();
  await rm(folder, { recursive: true, force: true });
}

async function start(env: Record<string, string>): Promise<Product> {
  const product = await startProduct({ env, fresh: true });
  started.push(product);
  return product;
}

/** Backup there, restore here. */
async function move(from: Product, env: Record<string, string>): Promise<Product> {
  const target = join(folder, `backup ${started.length}`);
  const backup = await admin(from, "backup", target);
  await from.stop();
  const to = await start(env);
  const restore = await admin(to, "restore", target);
  if (!backup.hasEnded || !restore.hasEnded) throw new Error("the move broke off");
  say(`backup ${backup.seconds.toFixed(1)} s, restore ${restore.seconds.toFixed(1)} s`);
  return to;
}

async function fill(product: Product): Promise<void> {
  const sql = await databaseOf(product);
  await addRows(sql, Number(flags.rows));
  await addSongs(sql, product.dataDir, Number(flags.gigabytes) * 1024 ** 3);
  await sql.end();
  await product.call("director.v1.DirectorService/CreateStageLink", { event_id: EVENT });
}

/** What people do in an evening: a person joins, a song is brought and lit. */
async function live(product: Product, where: string): Promise<void> {
  await product.call("user.v1.UserService/CreateUser", { name: `Joined ${where}` });
  const { body } = await upload(product, `Brought ${where}.wav`, synthesiseSong(8, started.length));
  await until(() => isReady(product, body.song.id), LIT_MS);
}

/** Its answers once no song is at work. */
async function settled(product: Product): Promise<Answers> {
  const sql = await databaseOf(product);
  const isQuiet = async () => (await sql`select 1 from song_jobs where state in ('queued', 'running')`).length === 0;
  await until(isQuiet, LONGEST_SILENCE_MS);
  const songs = await sql<{ id: string }[]>`select id from songs order by id`;
  await sql.end();
  const token = await product.token();
  const calls = await askFifty(product, token);
  const sounds = new Map<string, string>();
  for (const { id } of songs) {
    const answer = await fetch(`${product.url}/proxy/songs/${id}/audio.mp3`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    sounds.set(id, answer.ok ? createHash("sha256").update(bytes).digest("hex") : `refused with ${answer.status}`);
  }
  return { calls, sounds };
}

function compare(way: string, before: Answers, after: Answers): boolean {
  const different = differing(before.calls, after.calls);
  for (const call of different) say(`answered otherwise: ${call}`);
  const lost = [...before.sounds].filter(([id, hash]) => after.sounds.get(id) !== hash || !/^[0-9a-f]{64}$/.test(hash));
  const added = [...after.sounds.keys()].filter((id) => !before.sounds.has(id));
  say(
    `${way}: ${FIFTY - different.length} of ${FIFTY} calls answered byte by byte, ` +
      `${before.sounds.size - lost.length} of ${before.sounds.size} sounds the same, ${added.length} songs too many`,
  );
  return different.length + lost.length + added.length === 0;
}

async function databaseOf({ dataDir }: Product) {
  const { database } = JSON.parse(await readFile(join(dataDir, "running.json"), "utf8")) as { database: string };
  return openDatabase(database, 2);
}
