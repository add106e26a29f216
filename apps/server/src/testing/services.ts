import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../platform/database/database.ts";
import { createTemplate } from "../platform/testing/test-database.ts";
import { keepService, type Running } from "../operations/supervisor/keep-running.ts";
import { findNatsServer, startUnwatchedNats } from "../operations/supervisor/nats.ts";
import { startPostgres } from "../operations/supervisor/postgres.ts";
import { fastFolder } from "./fast-folder.ts";

/**
 * Starts real PostgreSQL and NATS for the server's tests, in a temporary folder. Each test file has its own database,
 * and each worker its own broker (`services-of-worker.ts`).
 */
export async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await fastFolder(), "followspot-test-"));
  // PostgreSQL started by root runs as the user nobody, who must be able to enter.
  await chmod(folder, 0o755);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const database = await startPostgres(folder, log);
  const running: Running[] = [{ name: "database", stop: () => database.stop() }];
  const end = async () => {
    await Promise.all(running.map((service) => service.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const binary = await findNatsServer(process.env.NATS_SERVER_BIN, log);
    const urls = [];
    for (let worker = 0; worker < config.maxWorkers; worker++) {
      const start = (previous?: string) => startUnwatchedNats(join(folder, `worker-${worker}`), binary, log, previous);
      const broker = keepService(`broker ${worker}`, start, { warn: log });
      running.push(broker);
      urls.push(await broker.url);
    }
    process.env.DATABASE_URL = database.url;
    process.env.NATS_URLS = urls.join(" ");
    await setForTests(database.url);
    await createTemplate();
    return end;
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Disables durability, for folders on a disk: no test depends on data that a power failure would lose. Disables parallel
 * queries, too: comparing all tables would start two more processes each time, for a few rows.
 */
async function setForTests(url: string): Promise<void> {
  const sql = openDatabase(url, 1);
  for (const name of ["fsync", "full_page_writes", "synchronous_commit"])
    await sql.unsafe(`alter system set ${name} = off`);
  await sql`alter system set max_parallel_workers_per_gather = 0`;
  await sql`select pg_reload_conf()`;
  await sql.end();
}
