import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRunningFile } from "../../apps/server/src/platform/files/running-file.ts";
import { keepService, stopAll, type Running } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer, startNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { openS3, S3_KEYS, s3Setting, startS3 } from "../../apps/server/src/testing/s3-store.ts";

// Credentials for reads by the tests themselves, and for commands that they start.
Object.assign(process.env, S3_KEYS);

interface Outside {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** By the data folder of the product, which may restart with the same services. */
const known = new Map<string, Promise<Outside>>();

/** Settings for a database, a broker and a store of songs that survive the product. */
export async function settingsOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  if (!known.has(dataDir)) known.set(dataDir, startOutside());
  return (await known.get(dataDir)!).env; // set above
}

/** Returns the IDs of songs with files in the store. */
export async function songsOf(dataDir: string): Promise<string[]> {
  // Another process may have started the product.
  const { blobs } = (await readRunningFile(dataDir))!; // a product is running there
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(decodeURIComponent(blobs!))![1]); // set by startOutside
  const ids = new Set<string>();
  for await (const { key } of openS3(port).list("songs/")) ids.add(key.split("/")[1]!); // songs/<id>/<file>
  return [...ids];
}

export async function close(dataDir: string): Promise<void> {
  await (await known.get(dataDir))?.close();
  known.delete(dataDir);
}

async function startOutside(): Promise<Outside> {
  const folder = await mkdtemp(join(tmpdir(), "followspot-outside-"));
  // As root, PostgreSQL runs as the user nobody, which needs access.
  await chmod(folder, 0o755);
  const quiet = () => {};
  const binary = await findNatsServer(process.env["NATS_SERVER_BIN"], quiet);
  const database = await startPostgres(folder, quiet);
  const broker = keepService("broker", (previous) => startNats(folder, binary, quiet, previous), { warn: quiet });
  const s3 = await startS3();
  const running: Running[] = [{ name: "database", stop: () => database.stop() }, broker];
  return {
    env: { DATABASE_URL: database.url, NATS_URL: await broker.url, FOLLOWSPOT_BLOBS: s3Setting(s3.port) },
    close: async () => {
      await stopAll(running, 60_000);
      await s3.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
