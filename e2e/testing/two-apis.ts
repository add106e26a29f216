import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import { openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import {
  keepPart,
  keepService,
  stopAll,
  type Running,
} from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer, startNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { freePort } from "../../apps/server/src/operations/supervisor/processes.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";
import { ROOT, until } from "./product.ts";

const SECRET = "a secret of two servers, thirty-two bytes or more";
const quiet = () => {};

/** Two API processes with one database and one broker, each restarted when it dies. */
export interface TwoApis {
  /** Without a final slash. */
  readonly urls: readonly [string, string];
  readonly dataDir: string;
  /** Bearer token of an Admin. */
  readonly token: string;
  readonly sql: Sql;
  close(): Promise<void>;
}

export async function startTwoApis(): Promise<TwoApis> {
  const dataDir = await mkdtemp(join(tmpdir(), "followspot-two-"));
  // As root, PostgreSQL runs as the user nobody, which needs access.
  await chmod(dataDir, 0o755);
  const postgres = await startPostgres(dataDir, quiet);
  const binary = await findNatsServer(process.env.NATS_SERVER_BIN, quiet);
  const start = (previous?: string) => startNats(dataDir, binary, quiet, previous);
  const broker = keepService("broker", start, { warn: quiet });
  const running: Running[] = [{ name: "database", stop: () => postgres.stop() }, broker];
  const sql = openDatabase(postgres.url, 2);
  await migrate(sql);
  const admin = await insertUser(sql, { name: "Ada", roles: ["Admin"] });
  const token = await issueToken(sql, new TextEncoder().encode(SECRET), admin.id, "test");
  const startApi = async () => {
    const port = await freePort();
    const env = {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: postgres.url,
      NATS_URL: await broker.url,
      FOLLOWSPOT_SECRET: SECRET,
      FOLLOWSPOT_DATA_DIR: dataDir,
      FOLLOWSPOT_LEAVE_SECONDS: "1",
      FOLLOWSPOT_LOG_LEVEL: "error",
    };
    running.push(keepPart("main-api", join(ROOT, "apps/server/dist/main-api.js"), env, quiet));
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(`${url}/health`).then(isOk, () => false), 60_000);
    return url;
  };
  const isOk = async (answer: Response) => ((await answer.json()) as { status: string }).status === "ok";
  return {
    urls: [await startApi(), await startApi()],
    dataDir,
    token,
    sql,
    close: async () => {
      await sql.end({ timeout: 2 });
      await stopAll(running, 60_000);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
