import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectBroker, leaveBroker, type Broker } from "../../apps/server/src/platform/broker/nats.ts";
import { startBrokerCluster, type BrokerCluster } from "../../apps/server/src/testing/broker-cluster.ts";
import { ask, startDatabasePair, type DatabasePair } from "../../apps/server/src/testing/database-pair.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { removeData, startProduct, until, type Product } from "../testing/product.ts";
import { isReady, upload } from "../testing/songs.ts";

/** A product on three brokers, and on a database with a standby. */
let folder: string;
let database: DatabasePair;
let brokers: BrokerCluster;
let broker: Broker;
let product: Product;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-clusters-"));
  await chmod(folder, 0o755);
  await mkdir(join(folder, "brokers"));
  [database, brokers] = await Promise.all([startDatabasePair(folder), startBrokerCluster(join(folder, "brokers"))]);
  const env = { DATABASE_URL: database.url, NATS_URL: brokers.url, FOLLOWSPOT_NATS_REPLICAS: "3" };
  product = await startProduct({ env });
  broker = await connectBroker(brokers.url, "test");
});
afterAll(async () => {
  if (broker) await leaveBroker(broker);
  await product?.stop();
  await brokers?.close();
  await database?.close();
  if (product) await removeData(product.dataDir);
  await rm(folder, { recursive: true, force: true });
});

/** Health reason while neither host accepts writes. */
const NO_DATABASE = /The database (does not answer|takes no changes)/;

let made = 0;
const addSong = async (): Promise<string> => {
  const { body } = await upload(product, `Clustered - ${++made}.wav`, synthesiseSong(5, 100 + made));
  return body.song.id;
};
const areLit = async (...songs: string[]) =>
  (await Promise.all(songs.map((id) => isReady(product, id)))).every(Boolean);
const createPerson = (name: string) => product.call("user.v1.UserService/CreateUser", { name });
const people = async (): Promise<string[]> =>
  (await product.call("user.v1.UserService/ListUsers", {})).users
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !name.startsWith("Scripts"))
    .sort();
const reasons = async (): Promise<string[]> => (await (await fetch(`${product.url}/health`)).json()).reasons;

test("songs added while the broker loses its leader are processed", async () => {
  const leader = async () => (await broker.jsm.streams.info("SONGS")).cluster?.leader ?? "";
  await until(async () => brokers.servers.has(await leader()));
  expect((await broker.jsm.streams.info("SONGS")).config.num_replicas).toBe(3);
  const songs = [await addSong()];
  brokers.servers.get(await leader())!.kill("SIGKILL");
  songs.push(await addSong(), await addSong());
  await until(() => areLit(...songs), 90_000);
  expect(await reasons()).toEqual([]);
});

test("when the database's primary dies, calls are rejected with a remedy, and continue at the standby with every row", async () => {
  await createPerson("Before");
  const song = await addSong();
  await database.followed();
  await database.killPrimary();
  const refused = await createPerson("Meanwhile").catch((error: Error) => error.message);
  expect(refused).toMatch(/^\[unavailable\] The database .* Try again in a moment\.$/);
  expect((await reasons()).join()).toMatch(NO_DATABASE);
  // The cluster's operator needs a while to react.
  await new Promise((passed) => setTimeout(passed, 5000));
  await database.promote();
  await until(() => createPerson("After").then(() => true, () => false)); // prettier-ignore
  expect(await people()).toEqual(["After", "Before"]);
  const later = await addSong();
  await until(() => areLit(song, later), 90_000);
  expect(await reasons()).toEqual([]);
});

test("a read-only database is reported, and writes continue without a restart", async () => {
  const [, now] = database.urls;
  await ask(now, "alter system set default_transaction_read_only = on");
  await ask(now, "select pg_reload_conf()");
  await until(async () => NO_DATABASE.test((await reasons()).join()));
  const refused = await createPerson("Meanwhile").catch((error: Error) => error.message);
  expect(refused).toMatch(/^\[unavailable\] The database .* Try again in a moment\.$/);
  await ask(now, "alter system reset default_transaction_read_only");
  await ask(now, "select pg_reload_conf()");
  await until(() => createPerson("Again").then(() => true, () => false)); // prettier-ignore
  await until(async () => (await reasons()).length === 0);
  expect(await people()).toEqual(["After", "Again", "Before"]);
});
