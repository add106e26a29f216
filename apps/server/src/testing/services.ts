import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer, startNats } from "../supervisor/nats.ts";
import { startPostgres } from "../supervisor/postgres.ts";

/** Real PostgreSQL and NATS for the server's tests, in a folder that goes away with them. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "followspot-test-"));
  // As root PostgreSQL runs as nobody, who must be able to get in.
  await chmod(folder, 0o755);
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const database = await startPostgres(folder, log);
  const nats = await findNatsServer(process.env.NATS_SERVER_BIN, log)
    .then((binary) => startNats(folder, binary, log))
    .catch(async (error: unknown) => {
      await database.stop();
      throw error;
    });
  process.env.DATABASE_URL = database.url;
  process.env.NATS_URL = nats.url;
  return async () => {
    await Promise.all([database.stop(), nats.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
}
