import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../apps/server/src/operations/supervisor/processes.ts";
import { makeDataFolder } from "./data-folder.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Maximum duration of a start, ms, which only a hung one reaches: three products may start at once on a busy machine.
 */
const START_MS = 280_000;
/** Number of characters of a product's output in the error of a call without a response. */
const LAST_SAID = 1500;

/** `npm test -- --outside`: products use an external database, broker and store of songs. */
const outside = process.env.TEST_OUTSIDE === "1" ? await import("./outside.ts") : undefined;

/** Folder of song files in the data folder: all of them, or copies of external ones. */
export const SONGS_FOLDER = outside ? "cache" : "songs";

/** A Followspot that is accessed by its API. */
export interface Server {
  /** Without a final slash. */
  readonly url: string;
  /** Bearer token of an Admin. */
  token(): Promise<string>;
  /** Calls one method. @throws Error with the Connect message */
  call(method: string, body: object): Promise<any>;
}

export function serverAt(url: string, token: () => Promise<string>): Server {
  return {
    url,
    token,
    async call(method, body) {
      const answer = await fetch(`${url}/followspot.${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${await token()}` },
        body: JSON.stringify(body),
      });
      const reply: any = await answer.json();
      if (!answer.ok) throw new Error(`[${reply.code}] ${reply.message}`);
      return reply;
    },
  };
}

/** A complete Followspot with a data folder, started by this test or by the pool. */
export interface RunningProduct extends Server {
  readonly ownerLink: string | undefined;
  readonly dataDir: string;
  /** Returns all of its output. */
  output(): string;
}

/** A complete Followspot in a separate folder, started as a new user would. */
export interface Product extends RunningProduct {
  readonly process: ChildProcess;
  /** Ends it with Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface ProductOptions {
  /** Path of the program to start, relative to the repository; by default the bundle that `npm run build` writes. */
  readonly program?: string;
  /** Folder of an earlier run. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Port of an earlier run, to which its pages reconnect. */
  readonly port?: number;
  /** Arguments of the command line. */
  readonly words?: readonly string[];
  /** Whether to start in an empty folder, as on a new machine; by default the database exists already. */
  readonly fresh?: boolean;
}

export async function startProduct({
  program = "apps/server/dist/main.js",
  dataDir,
  env = {},
  port: given,
  words = [],
  // The demo and the venue server start on machines of their own.
  fresh = words.length > 0,
}: ProductOptions = {}): Promise<Product> {
  const folder = dataDir ?? (await makeDataFolder(fresh));
  // As root, PostgreSQL runs as the user nobody, which needs access.
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const port = given ?? (await freePort());
  const settings = {
    ...process.env,
    DATABASE_URL: "",
    NATS_URL: "",
    PORT: String(port),
    FOLLOWSPOT_DATA_DIR: folder,
    // Stems take more processor time than the rest of a song, so only tests about them enable them.
    FOLLOWSPOT_STEMS: "off",
    // Limits the search for nodes to this machine.
    FOLLOWSPOT_SEARCH_ADDRESSES: "127.0.0.1",
    // The demo and the venue server start their own.
    ...(words.length === 0 && (await outside?.settingsOf(folder))),
    ...env,
  };
  const child = spawn(process.execPath, [join(ROOT, program), ...words], {
    env: settings,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  try {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${printed}`);
      return printed.includes("Stop with Ctrl-C");
    }, START_MS);
  } catch (error) {
    // Otherwise it would finish its start and run beside every later test.
    child.kill("SIGINT");
    throw error;
  }
  const url = `http://localhost:${port}`;
  const ownFolder = words.includes("--demo") ? `${folder}-demo` : folder;
  let token: Promise<string> | undefined;
  const server = serverAt(url, () => (token ??= scriptTokenOf(ownFolder, "Admin")));
  return {
    ...server,
    call: (method, body) =>
      server.call(method, body).catch((error: Error) => {
        // Only the product's output has the reason why its API is unavailable.
        if (error instanceof TypeError) error.message += `; the product last said:\n${printed.slice(-LAST_SAID)}`;
        throw error;
      }),
    ownerLink: /\S+\?owner=\S+/.exec(printed)?.[0],
    dataDir: ownFolder,
    process: child,
    output: () => printed,
    stop() {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
      child.kill("SIGINT");
      return new Promise((done) => child.once("exit", done));
    },
  };
}

/** Returns the IDs of songs with files. */
export async function songsWithFiles({ dataDir }: RunningProduct): Promise<string[]> {
  const ids = (await outside?.songsOf(dataDir)) ?? (await readdir(join(dataDir, "songs")));
  return ids.toSorted();
}

export async function removeData(dataDir: string): Promise<void> {
  await outside?.close(dataDir);
  // A demo's folder is beside the given one.
  for (const folder of [dataDir, dataDir.replace(/-demo$/, "")]) await rm(folder, { recursive: true, force: true });
}

/** Returns the PIDs of a product's processes: those with its data folder in their command line or environment. */
export async function processesOn(dataDir: string, part = ""): Promise<number[]> {
  const found = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const read = (file: string) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "");
    const command = await read("cmdline");
    if (!command.includes(part)) continue;
    if (command.includes(dataDir) || (await read("environ")).includes(`FOLLOWSPOT_DATA_DIR=${dataDir}\0`))
      found.push(Number(name));
  }
  return found;
}

/** Returns a bearer token for scripts with a role, as `npm run admin -- token` prints it. */
export async function scriptTokenOf(dataDir: string, role: "Admin" | "Director"): Promise<string> {
  const cli = join(ROOT, "apps/server/dist/admin.js");
  const env = { ...process.env, DATABASE_URL: "", NATS_URL: "", FOLLOWSPOT_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "token", "--role", role], { env });
  return stdout.trim();
}

/** Default timeout of a wait, ms. It says nothing about speed, because other work may slow everything down. */
const PATIENCE_MS = 90_000;

/** Waits until a condition is true. @throws Error if that takes longer than `ms` */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  for (const end = Date.now() + ms; !(await isTrue());) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${isTrue}`);
    await new Promise((next) => setTimeout(next, 100));
  }
}
