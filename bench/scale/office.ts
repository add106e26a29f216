import { fork } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import { openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import { ENGINE, type Service } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer, startNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres, type RunningPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { freePort, stopChild } from "../../apps/server/src/operations/supervisor/processes.ts";
import { S3_KEYS, s3Setting } from "../../apps/server/src/testing/s3-store.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";
import { ROOT, until } from "../../e2e/testing/product.ts";
import { cpuSecondsOf } from "../api/cpu.ts";
import { openPacedHost } from "./paced-host.ts";

export const SECRET = new TextEncoder().encode("a secret of the bench, thirty-two bytes or more");
const STOP_MS = 12_000;
const quiet = () => {};

/** What an office is made of, and who asks it. */
export type Part = "API" | "database" | "broker" | "store" | "proxy";

/** A program that listens at a port of loopback. */
export interface Started {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Ways {
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Words for the engine itself. */
  readonly node?: readonly string[];
  /** Its pace; as much as it gets when left out. */
  readonly cores?: number;
}

/** An office of which each part is a process of its own, so that each is counted: APIs come and go. */
export class Office {
  readonly folder: string;
  readonly sql: Sql;
  /** Of an Admin, whose id is beside it. */
  readonly token: string;
  readonly adminId: string;
  readonly #postgres: RunningPostgres;
  readonly #nats: Service;
  readonly #running = new Map<Started, Part>();
  #storePort = 0;
  /** Of parts that have ended. */
  readonly #spent = new Map<Part, number>();

  private constructor(made: {
    readonly folder: string;
    readonly sql: Sql;
    readonly token: string;
    readonly adminId: string;
    readonly postgres: RunningPostgres;
    readonly nats: Service;
  }) {
    this.folder = made.folder;
    this.sql = made.sql;
    this.token = made.token;
    this.adminId = made.adminId;
    this.#postgres = made.postgres;
    this.#nats = made.nats;
  }

  /** A database, a broker and a store of songs. */
  static async open(): Promise<Office> {
    const folder = await mkdtemp(join(tmpdir(), "followspot-scale-"));
    // As root PostgreSQL runs as the user nobody, who must be able to get in.
    await chmod(folder, 0o755);
    const postgres = await startPostgres(folder, quiet);
    const nats = await startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, quiet), quiet);
    const sql = openDatabase(postgres.url, 4);
    await migrate(sql);
    const admin = await insertUser(sql, { name: "Bench", roles: ["Admin"] });
    const token = await issueToken(sql, SECRET, admin.id, "bench");
    const office = new Office({ folder, sql, token, adminId: admin.id, postgres, nats });
    office.#storePort = await freePort();
    const words = ["127.0.0.1", String(office.#storePort), join(folder, "s3")];
    // s3rver signs the pages of a list with DES.
    const node = ["--openssl-legacy-provider"];
    const store = await office.#start("store", "bench/hosts/s3.ts", office.#storePort, { words, node });
    await until(() => fetch(store.url).then(() => true, () => false), 20_000); // prettier-ignore
    return office;
  }

  get databaseUrl(): string {
    return this.#postgres.url;
  }

  /** @param cores its pace; as much as it gets when left out */
  async startApi(cores?: number): Promise<Started> {
    const port = await freePort();
    const own = join(this.folder, `api-${port}`);
    await mkdir(own, { recursive: true });
    await chmod(own, 0o755);
    const env = {
      PORT: String(port),
      DATABASE_URL: this.#postgres.url,
      NATS_URL: this.#nats.url,
      FOLLOWSPOT_SECRET: new TextDecoder().decode(SECRET),
      FOLLOWSPOT_DATA_DIR: own,
      FOLLOWSPOT_BLOBS: s3Setting(this.#storePort),
      FOLLOWSPOT_LEAVE_SECONDS: "1",
      FOLLOWSPOT_LOG_LEVEL: "error",
      ...S3_KEYS,
    };
    const api = await this.#start("API", "apps/server/dist/main-api.js", port, { env, ...(cores && { cores }) });
    const isOk = async () => ((await (await fetch(`${api.url}/health`)).json()) as { status: string }).status === "ok";
    await until(() => isOk().catch(() => false), 60_000);
    return api;
  }

  /** The plain proxy before some APIs. */
  async startProxy(apis: readonly Started[]): Promise<Started> {
    const port = await freePort();
    const words = ["127.0.0.1", String(port), ...apis.map(({ url }) => url)];
    const proxy = await this.#start("proxy", "bench/hosts/proxy.ts", port, { words });
    await until(() => fetch(`${proxy.url}/healthz`).then(({ ok }) => ok, () => false), 20_000); // prettier-ignore
    return proxy;
  }

  /** Processor seconds that each part has used so far. */
  seconds(): Record<Part, number> {
    const seconds = {
      ...{ API: 0, proxy: 0, store: 0 },
      database: cpuSecondsOf(this.#postgres.child.pid!), // it runs
      broker: cpuSecondsOf(this.#nats.child.pid!), // it runs too
    };
    for (const [{ pid }, part] of this.#running) seconds[part] += cpuSecondsOf(pid);
    for (const [part, spent] of this.#spent) seconds[part] += spent;
    return seconds;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((each) => each.stop()));
    await this.sql.end({ timeout: 2 });
    await Promise.all([this.#postgres.stop(), this.#nats.stop()]);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #start(part: Part, file: string, port: number, { words, env, node, cores }: Ways): Promise<Started> {
    const child = fork(join(ROOT, file), words ?? [], {
      env: { PATH: process.env.PATH, ...ENGINE.env, ...env },
      execArgv: [...ENGINE.execArgv, ...(node ?? [])],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const pid = child.pid!; // it was started
    const host = cores === undefined ? undefined : await openPacedHost(`${part}-${port}`, cores);
    await host?.add(pid);
    const stop = async () => {
      if (!this.#running.delete(started)) return; // it was stopped before
      this.#spent.set(part, (this.#spent.get(part) ?? 0) + cpuSecondsOf(pid));
      await stopChild(child, "SIGTERM", STOP_MS);
      await host?.remove();
    };
    const started = { url: `http://127.0.0.1:${port}`, pid, stop };
    this.#running.set(started, part);
    return started;
  }
}

/** What each part has used since, s. */
export function spentSince(office: Office, before: Readonly<Record<Part, number>>): Record<Part, number> {
  const now = office.seconds();
  return Object.fromEntries(
    Object.entries(now).map(([part, seconds]) => [part, seconds - before[part as Part]]),
  ) as Record<Part, number>; // the same parts
}
