import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect as connectToNats } from "@nats-io/transport-node";
import { findOnPath, isExecutable, plainEnvironment } from "../../platform/process/programs.ts";
import { ROOT } from "../../platform/settings.ts";
import { accountText, type BrokerAccount } from "../../platform/broker/shared-parts.ts";
import { endWithoutFiles } from "./broker-files.ts";
import { unpackDebianPackage } from "./debian-package.ts";
import { commandLine, freePort, isAlive, StartError, stopChild, stopPid } from "./processes.ts";
import { processorTicks } from "./processor-time.ts";
import { waitForStart } from "./wait-for-start.ts";

const run = promisify(execFile);

export interface RunningNats {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Time without data after which a download fails, ms. */
const DOWNLOAD_SILENCE_MS = 60_000;

/** Official release and the SHA-256 of its archives. */
const RELEASE = {
  version: "2.14.5",
  sha256: {
    "darwin-amd64": "f95c98d6b6ed2b63c5681b46b092c9585c99767d547cf495730c329234625e96",
    "darwin-arm64": "ddd907854d9a2de834af133fa396915fe6442fe6d8909ae31390d1ea7a0fea50",
    "linux-amd64": "5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355",
    "linux-arm64": "673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c",
  } as Record<string, string>,
};

/**
 * Account of a broker without accounts. Once a second community shares the broker, nothing uses its streams any more; they
 * are removed because they hold names and messages. The database publishes what is still needed again.
 */
const ACCOUNT_OF_ONE = "$G";

const CACHED = join(ROOT, ".cache", "nats-server");

/**
 * Storage limit of NATS. Its default is three quarters of the disk space free at its start, so one started on a full
 * disk would never store anything.
 */
const MAX_STORE = "64GB";

/** Starts NATS as {@link startUnwatchedNats} does, and kills it if its files are deleted at runtime. */
export async function startNats(...[dataDir, binary, log, ...more]: StartArguments): Promise<RunningNats> {
  const nats = await startUnwatchedNats(dataDir, binary, log, ...more);
  await endWithoutFiles(nats.child, storeIn(dataDir), log);
  return nats;
}

type StartArguments = Parameters<typeof startUnwatchedNats>;

const storeIn = (dataDir: string) => join(dataDir, "nats", "jetstream");

/**
 * Starts nats-server with JetStream on loopback, with a password and storage in the data folder. With `previous`, the
 * URL of an earlier run, it uses the same port and password. Tests that delete streams use it: the check of
 * {@link startNats} cannot distinguish a deleted stream from lost files.
 * @param others communities beside the first one
 * @param signal cancels the start
 */
export async function startUnwatchedNats(
  dataDir: string,
  binary: string,
  log: (line: string) => void,
  previous?: string,
  others: readonly BrokerAccount[] = [],
  signal?: AbortSignal,
): Promise<RunningNats> {
  const home = join(dataDir, "nats");
  await mkdir(home, { recursive: true, mode: 0o700 });
  const config = join(home, "server.conf");
  const pidFile = join(home, "server.pid");
  const store = storeIn(dataDir);
  await stopLeftover(pidFile, config, log);
  if (others.length > 0) await rm(join(store, "jetstream", ACCOUNT_OF_ONE), { recursive: true, force: true });

  const port = previous ? Number(new URL(previous).port) : await freePort();
  const password = previous ? new URL(previous).password : randomBytes(24).toString("hex");
  await writeFile(
    config,
    [
      `listen: "127.0.0.1:${port}"`,
      `pid_file: ${JSON.stringify(pidFile)}`,
      `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${MAX_STORE} }`,
      ...whoMaySignIn(password, others),
      "max_payload: 4MB",
      "",
    ].join("\n"),
    { mode: 0o600 },
  );
  const child = spawn(binary, ["-c", config], {
    detached: true,
    env: plainEnvironment(home),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let lastWords = "";
  child.stderr?.on("data", (chunk: Buffer) => (lastWords = (lastWords + chunk.toString()).slice(-2000)));
  let failure: Error | undefined;
  child.on("error", (error) => (failure = error));
  const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  try {
    await waitForStart({
      name: "the message broker",
      look: async () => (await accepts(port)) || "is loading its streams",
      failure: () =>
        hasEnded()
          ? new StartError(`nats-server did not start (${binary}): ${failure?.message ?? lastWords.slice(-600)}`)
          : undefined,
      progress: () => processorTicks(child.pid),
      say: log,
      signal,
    });
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return {
    url: `nats://followspot:${password}@127.0.0.1:${port}`,
    child,
    stop: () => stopChild(child, "SIGTERM", 10_000),
  };
}

/**
 * Returns the authorization lines of the configuration. NATS with accounts has no streams outside them: the first
 * community then gets an account too, and recreates its streams.
 */
function whoMaySignIn(password: string, others: readonly BrokerAccount[]): readonly string[] {
  if (others.length === 0) return [`authorization { user: followspot, password: "${password}" }`];
  return [
    "accounts {",
    ...[{ slug: "first", user: "followspot", password }, ...others].map((account) => accountText(account)),
    "}",
  ];
}

/**
 * Finds nats-server: NATS_SERVER_BIN, PATH, the cache of an earlier download, the official release (verified by its
 * checksum), or Debian's package unpacked without root.
 * @throws StartError that explains how to install it
 */
export async function findNatsServer(configured: string | undefined, log: (line: string) => void): Promise<string> {
  if (configured) {
    if (await isExecutable(configured)) return configured;
    throw new StartError(
      `NATS_SERVER_BIN is ${configured}, but no program can be run there. Correct it or take it away.`,
    );
  }
  const installed = await findOnPath("nats-server");
  if (installed) return installed;
  if (await isExecutable(CACHED)) return CACHED;
  log("Fetching nats-server (first start only)…");
  const reasons: string[] = [];
  for (const [from, fetchOne] of [
    ["release", fetchRelease],
    ["Debian package", fetchDebian],
  ] as const) {
    const folder = await mkdtemp(join(tmpdir(), "followspot-nats-"));
    try {
      await keep(await fetchOne(folder));
      return CACHED;
    } catch (error) {
      reasons.push(`${from}: ${firstLine(error)}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw new StartError(
    `nats-server is needed and could not be fetched (${reasons.join("; ")}).\n` +
      "Install it (Debian: apt-get install nats-server, macOS: brew install nats-server), or set NATS_SERVER_BIN to the program, or NATS_URL to a running server with JetStream.",
  );
}

async function fetchRelease(folder: string): Promise<string> {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const checksum = RELEASE.sha256[platform];
  if (!checksum) throw new Error(`no release for ${platform}`);
  const name = `nats-server-v${RELEASE.version}-${platform}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${RELEASE.version}/${name}.tar.gz`;
  const archive = await download(url);
  if (createHash("sha256").update(archive).digest("hex") !== checksum) throw new Error("the checksum does not match");
  await writeFile(join(folder, "release.tar.gz"), archive);
  await run("tar", ["-xzf", "release.tar.gz"], { cwd: folder });
  return join(folder, name, "nats-server");
}

/**
 * Downloads a file at whatever speed the network has. @throws Error if the server refuses, or sends nothing for
 * `silenceMs`
 */
export async function download(url: string, silenceMs = DOWNLOAD_SILENCE_MS): Promise<Buffer> {
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(new Error(`received nothing for ${Math.round(silenceMs / 1000)} s`)),
    silenceMs,
  );
  try {
    const response = await fetch(url, { signal: silence.signal });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      timer.refresh();
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

async function fetchDebian(folder: string): Promise<string> {
  const unpacked = await unpackDebianPackage("nats-server", folder);
  for (const path of ["usr/sbin/nats-server", "usr/bin/nats-server"]) {
    if (await isExecutable(join(unpacked, path))) return join(unpacked, path);
  }
  throw new Error("the package holds no nats-server");
}

async function keep(program: string): Promise<void> {
  await run(program, ["--version"]);
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  await writeFile(`${CACHED}.tmp`, await readFile(program), { mode: 0o755 });
  await rename(`${CACHED}.tmp`, CACHED);
}

async function stopLeftover(pidFile: string, config: string, log: (line: string) => void): Promise<void> {
  const pid = Number(await readFile(pidFile, "utf8").catch(() => ""));
  if (pid > 0 && isAlive(pid) && (await commandLine(pid)).includes(config)) {
    log("Stopping the broker an interrupted run left behind…");
    await stopPid(pid, "SIGTERM", 10_000);
  }
  await rm(pidFile, { force: true });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message || String(error)).split("\n")[0]!.slice(0, 200);
}

const ANSWER_MS = 2000;

/**
 * Requests the state of JetStream: after a full disk NATS may have disabled it and still accept connections.
 * @throws Error if there is no answer, or JetStream is disabled
 */
export async function askJetStream(url: string): Promise<void> {
  const { username, password, host } = new URL(url);
  const connection = await connectToNats({
    servers: host,
    user: username,
    pass: password,
    timeout: ANSWER_MS,
    reconnect: false,
  });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
    await manager.getAccountInfo();
  } finally {
    await connection.close();
  }
}
