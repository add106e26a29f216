import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { startPostgres, type RunningPostgres } from "../operations/supervisor/postgres.ts";

const quiet = () => {};

/** PostgreSQL primary with a streaming standby. */
export interface DatabasePair {
  /** Address of both hosts, the initial primary first. */
  readonly url: string;
  /** Addresses of the initial primary and of its standby. */
  readonly urls: readonly [string, string];
  /** Resolves once the standby has replayed everything written so far. */
  followed(): Promise<void>;
  /** Kills the primary. */
  killPrimary(): Promise<void>;
  /** Starts the killed primary again, as a reboot of its host does. It does not know of the promotion. */
  returnPrimary(): Promise<void>;
  /** Kills the standby, which may have been promoted. */
  killStandby(): Promise<void>;
  /** Promotes the standby. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** @param folder folder that every user may enter, and that exists until both have ended */
export async function startDatabasePair(folder: string): Promise<DatabasePair> {
  const [first, second] = [join(folder, "primary"), join(folder, "standby")];
  await mkdir(first);
  await chmod(first, 0o755);
  // The standby starts as a copy of the stopped primary.
  const made = await startPostgres(first, quiet);
  await made.stop();
  await promisify(execFile)("cp", ["-a", first, second]);
  let primary = await startPostgres(first, quiet, portOf(made));
  const password = (await readFile(join(first, "postgres-password"), "utf8")).trim();
  const cluster = join(second, "postgres/cluster");
  const source = `host=127.0.0.1 port=${portOf(primary)} user=followspot password=${password}`;
  await appendFile(join(cluster, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await writeFile(join(cluster, "standby.signal"), "");
  const standby = await startPostgres(second, quiet);
  return {
    url: primary.url.replace(/@([^/]+)/, (_, host) => `@${host},127.0.0.1:${portOf(standby)}`),
    urls: [primary.url, standby.url],
    followed: async () => {
      const [at] = await ask(primary.url, "select pg_current_wal_flush_lsn()::text as lsn");
      for (;;) {
        const [row] = await ask(standby.url, `select pg_last_wal_replay_lsn() >= '${at!["lsn"]}'::pg_lsn as there`);
        if (row?.["there"]) return;
      }
    },
    killPrimary: () => kill(primary),
    killStandby: () => kill(standby),
    returnPrimary: async () => {
      primary = await startPostgres(first, quiet, portOf(primary));
    },
    promote: async () => void (await ask(standby.url, "select pg_promote()")),
    close: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function kill({ child }: RunningPostgres): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const portOf = ({ url }: RunningPostgres): number => Number(new URL(url).port);

/** Queries one host directly. */
export async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: quiet });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
