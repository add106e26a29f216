import { createWriteStream } from "node:fs";
import { appendFile, chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ChildProcess } from "node:child_process";
import { hostsOf, openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import { connectBroker, leaveBroker } from "../../apps/server/src/platform/broker/nats.ts";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import { ENGINE } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { ask } from "../../apps/server/src/testing/database-pair.ts";
import { BUCKET, S3_KEYS } from "../../apps/server/src/testing/s3-store.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";
import { ROOT, serverAt, until, type Server } from "../../e2e/testing/product.ts";
import { killAll, type Hosts } from "./topology.ts";

export const BOXES = ["venue-a", "venue-a2", "venue-b"] as const;
export type Box = (typeof BOXES)[number];
export const VENUES = ["venue-a", "venue-b"] as const;
export type Venue = (typeof VENUES)[number];
export const BROKERS = ["nats1", "nats2", "nats3"] as const;
export const WORKERS = ["worker1", "worker2", "worker3"] as const;
const APIS = ["api1", "api2"] as const;
/** Every host; the bench itself runs on the desk. */
export const NAMES = [
  ...["desk", "crowd", "proxy", ...APIS, "db1", "db2", ...BROKERS, "s3", ...WORKERS],
  ...[...BOXES, "lamps-a", "lamps-b"],
];
export const lampsOf = (venue: Venue): string => venue.replace("venue", "lamps");

const SECRET = "a secret of many hosts, of thirty-two bytes or more";
const PORTS = { http: 3000, database: 5432, broker: 4222, route: 6222, s3: 9000 };
/** PostgreSQL refuses to run as root; this user exists on every Unix. */
const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
/** A part that ended is started again after so long, as systemd does. */
const RESTART_MS = 1000;
/** A database whose peer is silent for so long takes it for dead, ms. */
const PEER_SILENCE_MS = 3000;
const OPERATOR_LOOKS_MS = 1000;
const quiet = () => {};

/** What runs on a host, and is started again when it ends. */
interface Kept {
  readonly host: string;
  readonly child: () => ChildProcess;
  end(): void;
}

/** All parts of a night, each on a host of its own. */
export class Parts {
  readonly hosts: Hosts;
  readonly folder: string;
  /** Of the office, whichever host of the database takes changes. */
  readonly sql: Sql;
  readonly office: Server;
  readonly adminId: string;
  readonly boxes = new Map<Box, Server>();
  readonly #kept: Kept[] = [];
  readonly #brokerUrl: string;
  readonly #databasePassword: string;
  #primary = "db1";
  #isEnding = false;

  private constructor(
    hosts: Hosts,
    folder: string,
    made: {
      readonly sql: Sql;
      readonly office: Server;
      readonly adminId: string;
      readonly brokerUrl: string;
      readonly password: string;
      readonly kept: readonly Kept[];
    },
  ) {
    this.hosts = hosts;
    this.folder = folder;
    this.sql = made.sql;
    this.office = made.office;
    this.adminId = made.adminId;
    this.#brokerUrl = made.brokerUrl;
    this.#databasePassword = made.password;
    this.#kept.push(...made.kept);
    void this.#operateDatabase();
  }

  /** The office: a database with a standby, three brokers, a store of songs, two APIs behind a proxy. @param folder empty */
  static async open(hosts: Hosts, folder: string): Promise<Parts> {
    const kept: Kept[] = [];
    const keep = (host: string, command: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      kept.push(keepOn(hosts, folder, host, command, env));
    const password = await startDatabases(hosts, folder, keep);
    const brokerUrl = await startBrokers(hosts, folder, keep);
    // s3rver signs the pages of a list with DES.
    const bucket = join(folder, "s3");
    const [program = "", ...words] = node("bench/hosts/s3.ts", hosts.addressOf("s3"), String(PORTS.s3), bucket);
    keep("s3", [program, "--openssl-legacy-provider", ...words]);
    const place = (host: string) => `${hosts.addressOf(host)}:${PORTS.database}`;
    const databaseUrl = `postgres://followspot:${password}@${place("db1")},${place("db2")}/followspot`;
    const sql = openDatabase(databaseUrl, 3);
    await migrate(sql);
    const admin = await insertUser(sql, { name: "Ada", roles: ["Admin"], email: "ada@example.org" });
    const token = await issueToken(sql, new TextEncoder().encode(SECRET), admin.id, "bench");
    const s3 = encodeURIComponent(`http://${hosts.addressOf("s3")}:${PORTS.s3}`);
    for (const api of APIS)
      keep(api, node("apps/server/dist/main-api.js"), {
        PORT: String(PORTS.http),
        HOST: hosts.addressOf(api),
        DATABASE_URL: databaseUrl,
        NATS_URL: brokerUrl,
        FOLLOWSPOT_NATS_REPLICAS: "3",
        FOLLOWSPOT_SECRET: SECRET,
        FOLLOWSPOT_DATA_DIR: await folderOf(folder, api),
        FOLLOWSPOT_BLOBS: `s3://${BUCKET}/office?endpoint=${s3}&path-style=1`,
        FOLLOWSPOT_STEMS: "off",
        FOLLOWSPOT_LEAVE_SECONDS: "1",
        ...S3_KEYS,
      });
    const urls = APIS.map((api) => `http://${hosts.addressOf(api)}:${PORTS.http}`);
    keep("proxy", node("bench/hosts/proxy.ts", hosts.addressOf("proxy"), String(PORTS.http), ...urls));
    for (const url of urls) await untilWell(url);
    const office = serverAt(`http://${hosts.addressOf("proxy")}:${PORTS.http}`, () => Promise.resolve(token));
    return new Parts(hosts, folder, { sql, office, adminId: admin.id, brokerUrl, password, kept });
  }

  /** A bearer token of a person of the office. */
  tokenOf(userId: string): Promise<string> {
    return issueToken(this.sql, new TextEncoder().encode(SECRET), userId, "bench");
  }

  /** A worker on a machine of its own, which knows the proxy's address and a token. */
  async addWorker(host: (typeof WORKERS)[number]): Promise<void> {
    const { token } = await this.office.call("queues.v1.QueuesService/AddWorker", { name: host });
    this.#kept.push(
      keepOn(this.hosts, this.folder, host, node("apps/server/dist/main-away-worker.js"), {
        FOLLOWSPOT_WORKER_SERVER: this.office.url,
        FOLLOWSPOT_WORKER_TOKEN: token,
        FOLLOWSPOT_CONCURRENCY: "1",
        FOLLOWSPOT_YTDLP_RELEASES: "off",
        FOLLOWSPOT_DATA_DIR: await folderOf(this.folder, host),
      }),
    );
  }

  /** A box on its host, for the office or for the machine it stands by for. Started again, it keeps its data. */
  async startBox(box: Box, server: Server, token: string): Promise<Server> {
    const { hosts, folder } = this;
    const url = `http://${hosts.addressOf(box)}:${PORTS.http}`;
    const dataDir = await folderOf(folder, box);
    const words = ["--venue", "--server", server.url, "--token", token];
    const env = {
      PORT: String(PORTS.http),
      HOST: "0.0.0.0",
      FOLLOWSPOT_SECRET: `${SECRET}, of ${box}`,
      FOLLOWSPOT_DATA_DIR: dataDir,
      FOLLOWSPOT_STEMS: "off",
      FOLLOWSPOT_YTDLP_RELEASES: "off",
      FOLLOWSPOT_SEARCH_ADDRESSES: "127.0.0.1",
    };
    this.#kept.push(keepOn(hosts, folder, box, node("apps/server/dist/main.js", ...words), env));
    await untilWell(url);
    const script = node("apps/server/dist/admin.js", "token", "--role", "Admin");
    const read = async () => (await hosts.run(box, script, { ...process.env, ...ENGINE.env, ...env })).trim();
    let own: Promise<string> | undefined;
    const reached = serverAt(url, () => (own ??= read()));
    await reached.token();
    this.boxes.set(box, reached);
    return reached;
  }

  /** A program of the bench on a host, with messages to it and back. */
  startProgram(host: string, file: string, ...words: string[]): ChildProcess {
    return this.hosts.spawn(host, node(file, ...words), {
      env: { ...process.env, ...ENGINE.env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  /** Kills what runs on a host; those that are kept start again. @param part of the command line; everything when left out */
  async kill(host: string, part = ""): Promise<void> {
    const found = [];
    for (const pid of await this.hosts.pids(host)) {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (command.replaceAll("\0", " ").includes(part)) found.push(pid);
    }
    // All at once: a stage that sees its parent die makes the lamps dark.
    killAll(found);
  }

  /** The host and what was on it never come back. */
  async lose(host: string): Promise<void> {
    for (const kept of this.#kept) if (kept.host === host) kept.end();
    await this.hosts.lose(host);
  }

  /** Ends what runs on a host, to start it in another way. */
  async stop(host: string): Promise<void> {
    for (const kept of this.#kept.filter((each) => each.host === host)) {
      kept.end();
      const child = kept.child();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGINT");
        await once(child, "exit");
      }
    }
  }

  /** The server of the broker that leads the stream of songs. */
  async leadingBroker(): Promise<string> {
    const broker = await connectBroker(this.#brokerUrl, "bench");
    try {
      for (;;) {
        const { cluster } = await broker.jsm.streams.info("SONGS");
        if (cluster?.leader) return cluster.leader;
        await pause(200);
      }
    } finally {
      await leaveBroker(broker);
    }
  }

  /** The operator of the database has noticed that its primary is lost. */
  async promote(): Promise<void> {
    this.#primary = "db2";
    await ask(this.#databaseAt("db2"), "select pg_promote()");
    // As the API does by itself.
    await hostsOf(this.sql)?.compare();
  }

  /** Whether the standby holds all that is committed, or has taken over. */
  async isFollowed(): Promise<boolean> {
    if (this.#primary !== "db1") return true;
    const [row] = await ask(
      this.#databaseAt(this.#primary),
      "select count(*) > 0 as followed from pg_stat_replication where sync_state = 'sync'",
    );
    return row!["followed"] === true; // a count is always answered
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    for (const kept of this.#kept) kept.end();
    await this.sql.end({ timeout: 1 });
  }

  #databaseAt(host: string): string {
    return `postgres://followspot:${this.#databasePassword}@${this.hosts.addressOf(host)}:${PORTS.database}/followspot?connect_timeout=2`;
  }

  /**
   * What Patroni and its like do with two hosts: while the standby follows, a commit waits for it, and while it does not, the
   * primary goes on alone.
   */
  async #operateDatabase(): Promise<void> {
    let waits = false;
    for (; !this.#isEnding; await pause(OPERATOR_LOOKS_MS)) {
      const primary = this.#primary;
      const isPrimary = () => primary === this.#primary && !this.#isEnding;
      try {
        const url = this.#databaseAt(primary);
        const [row] = await within(
          PEER_SILENCE_MS,
          ask(url, "select count(*) > 0 as follows from pg_stat_replication where state = 'streaming'"),
        );
        const follows = row!["follows"] === true; // a count is always answered
        if (follows === waits || !isPrimary()) continue;
        await within(PEER_SILENCE_MS, ask(url, `alter system set synchronous_standby_names = '${follows ? "*" : ""}'`));
        await within(PEER_SILENCE_MS, ask(url, "select pg_reload_conf()"));
        waits = follows;
      } catch {
        // It is away; it has kept its setting when it is back.
      }
    }
  }
}

type Keep = (host: string, command: readonly string[], env?: NodeJS.ProcessEnv) => void;

const node = (file: string, ...words: string[]): readonly string[] => [
  process.execPath,
  ...ENGINE.execArgv,
  join(ROOT, file),
  ...words,
];

function keepOn(hosts: Hosts, folder: string, host: string, command: readonly string[], env: NodeJS.ProcessEnv): Kept {
  const log = createWriteStream(join(folder, `${host}.log`), { flags: "a" });
  let isEnded = false;
  let child: ChildProcess;
  const start = () => {
    child = hosts.spawn(host, command, {
      env: { PATH: process.env.PATH, ...ENGINE.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.once("exit", (code, signal) => {
      log.write(`-- ended with ${code ?? signal} at ${new Date().toISOString()}\n`);
      if (!isEnded) setTimeout(() => isEnded || start(), RESTART_MS);
    });
  };
  start();
  return { host, child: () => child, end: () => (isEnded = true) };
}

async function folderOf(folder: string, host: string): Promise<string> {
  const own = join(folder, host);
  await mkdir(own, { recursive: true });
  await chmod(own, 0o755);
  return own;
}

/** A database and its standby. @returns their password */
async function startDatabases(hosts: Hosts, folder: string, keep: Keep): Promise<string> {
  const [first, second] = [await folderOf(folder, "db1"), await folderOf(folder, "db2")];
  // The standby is a copy of the primary at rest, which follows it from there.
  const made = await startPostgres(first, quiet);
  const program = made.child.spawnfile;
  await made.stop();
  const password = (await readFile(join(first, "postgres-password"), "utf8")).trim();
  const cluster = (of: string) => join(of, "postgres/cluster");
  const rules = ["all", "replication"].map((what) => `host ${what} all ${hosts.addressOf("desk")}/24 scram-sha-256\n`);
  await appendFile(join(cluster(first), "pg_hba.conf"), rules.join(""));
  await cp(first, second, { recursive: true, preserveTimestamps: true });
  const source = `host=${hosts.addressOf("db1")} port=${PORTS.database} user=followspot password=${password}`;
  await appendFile(join(cluster(second), "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await writeFile(join(cluster(second), "standby.signal"), "");
  for (const [host, at] of [
    ["db1", first],
    ["db2", second],
  ] as const) {
    await hosts.run(host, ["chown", "-R", "65534:65534", join(at, "postgres")], { PATH: process.env.PATH });
    const settings = {
      port: PORTS.database,
      listen_addresses: hosts.addressOf(host),
      unix_socket_directories: "",
      max_connections: 200,
      wal_sender_timeout: PEER_SILENCE_MS,
      wal_receiver_timeout: PEER_SILENCE_MS,
      timezone: "UTC",
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    keep(host, [...AS_NOBODY, program, "-D", cluster(at), ...words], { LC_ALL: "C" });
  }
  for (const host of ["db1", "db2"]) {
    const url = `postgres://followspot:${password}@${hosts.addressOf(host)}:${PORTS.database}/followspot`;
    await until(() => ask(url, "select 1").then(() => true, () => false), 30_000); // prettier-ignore
  }
  return password;
}

/** Three servers that hold every message together. @returns where they are */
async function startBrokers(hosts: Hosts, folder: string, keep: Keep): Promise<string> {
  const program = await findNatsServer(process.env.NATS_SERVER_BIN, quiet);
  const routes = BROKERS.map((name) => `"nats://${hosts.addressOf(name)}:${PORTS.route}"`).join(", ");
  for (const name of BROKERS) {
    const home = await folderOf(folder, name);
    const lines = [
      `server_name: ${name}`,
      `listen: "${hosts.addressOf(name)}:${PORTS.broker}"`,
      `jetstream { store_dir: ${JSON.stringify(join(home, "jetstream"))}, max_file_store: 1GB }`,
      `cluster { name: bench, listen: "${hosts.addressOf(name)}:${PORTS.route}", routes: [${routes}] }`,
      `authorization { user: followspot, password: "of the bench" }`,
      "max_payload: 4MB",
    ];
    await writeFile(join(home, "server.conf"), lines.join("\n"));
    keep(name, [program, "-c", join(home, "server.conf")]);
  }
  return BROKERS.map((name) => `nats://followspot:of%20the%20bench@${hosts.addressOf(name)}:${PORTS.broker}`).join(",");
}

async function untilWell(url: string): Promise<void> {
  const isWell = async () => {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) });
    return ((await answer.json()) as { status: string }).status === "ok";
  };
  await until(() => isWell().catch(() => false), 240_000);
}

async function within<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  work.catch(quiet); // it may fail after it was given up
  return Promise.race([work, pause(ms, undefined, { ref: false }).then(() => Promise.reject(new Error("no answer")))]);
}
