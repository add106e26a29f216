import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../apps/server/src/supervisor/processes.ts";
import { makeDataFolder } from "./data-folder.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Limit that only a hanging start reaches, ms: three products may start at once on a busy machine. */
const START_MS = 280_000;
/** Letters of what a product printed that stand in the report of a call that was not answered. */
const LAST_SAID = 1500;

/** `npm test -- --outside`: products start with a database, a broker and a store of songs beside them. */
const outside = process.env.TEST_OUTSIDE === "1" ? await import("./outside.ts") : undefined;

/** Where files of songs lie in the data folder: all of them, or copies of those outside. */
export const SONGS_FOLDER = outside ? "cache" : "songs";

/** A Followspot that is called from outside. */
export interface Server {
  /** Without a slash at the end. */
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

/** A whole Followspot with a data folder, started by this journey or by the pool. */
export interface RunningProduct extends Server {
  readonly ownerLink: string | undefined;
  readonly dataDir: string;
  /** Everything it has printed. */
  output(): string;
}

/** A whole Followspot in a folder of its own, as a new user starts it. */
export interface Product extends RunningProduct {
  readonly process: ChildProcess;
  /** Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface ProductOptions {
  /** Reuses the folder of an earlier run. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of an earlier run, whose pages come back to it. */
  readonly port?: number;
  /** Words of the command line. */
  readonly words?: readonly string[];
  /** In an empty folder, as on a new machine; else its database was made before. */
  readonly fresh?: boolean;
}

export async function startProduct({
  dataDir,
  env = {},
  port: given,
  words = [],
  // The demo and the box of a venue begin on machines of their own.
  fresh = words.length > 0,
}: ProductOptions = {}): Promise<Product> {
  const folder = dataDir ?? (await makeDataFolder(fresh));
  // As root PostgreSQL runs as the user nobody, who must be able to get in.
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const port = given ?? (await freePort());
  const settings = {
    ...process.env,
    DATABASE_URL: "",
    NATS_URL: "",
    PORT: String(port),
    FOLLOWSPOT_DATA_DIR: folder,
    // Stems take more processor time than everything else of a song: journeys about them ask for them.
    FOLLOWSPOT_STEMS: "off",
    // A search for nodes stays on this machine.
    FOLLOWSPOT_SEARCH_ADDRESSES: "127.0.0.1",
    // The demo and the box of a venue bring their own.
    ...(words.length === 0 && (await outside?.settingsOf(folder))),
    ...env,
  };
  const child = spawn(process.execPath, [join(ROOT, "apps/server/src/main.ts"), ...words], {
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
    // Else it would come up after all, and run beside every test that follows.
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
        // Why its API is away is said by the product alone.
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

/** Ids of the songs that have files. */
export async function songsWithFiles({ dataDir }: RunningProduct): Promise<string[]> {
  const ids = (await outside?.songsOf(dataDir)) ?? (await readdir(join(dataDir, "songs")));
  return ids.toSorted();
}

export async function removeData(dataDir: string): Promise<void> {
  await outside?.close(dataDir);
  // A demo's lies beside the one it was started with.
  for (const folder of [dataDir, dataDir.replace(/-demo$/, "")]) await rm(folder, { recursive: true, force: true });
}

/** Process ids of a product's parts: those whose command line or environment names its data folder. */
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

/** A bearer token of the scripts of a role, as `npm run admin -- token` prints it. */
export async function scriptTokenOf(dataDir: string, role: "Admin" | "Director"): Promise<string> {
  const cli = join(ROOT, "apps/server/src/cli/admin.ts");
  const env = { ...process.env, DATABASE_URL: "", NATS_URL: "", FOLLOWSPOT_DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "token", "--role", role], { env });
  return stdout.trim();
}

/** Of a test that waits; how fast something is, is measured. Beside other work everything may take long. */
const PATIENCE_MS = 90_000;

/** @throws Error when it does not come true within `ms` */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  for (const end = Date.now() + ms; !(await isTrue());) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${isTrue}`);
    await new Promise((next) => setTimeout(next, 100));
  }
}
