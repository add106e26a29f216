import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { createServer, connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { issueToken } from "../community/auth/sessions.ts";
import type { Sql } from "../platform/database/database.ts";
import { ROOT } from "../platform/settings.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { freePort, stopChild } from "../operations/supervisor/processes.ts";
import { insertUser } from "../community/users/users.store.ts";
import { folderUntil } from "./open-until.ts";
import type { Wire } from "./test-server.ts";

const SECRET = "a secret of an office, of thirty-two bytes or more";
const STOP_MS = 10_000;

/** Worker process on a remote machine that knows only its server's address and a token. */
export interface AwayWorker {
  readonly id: string;
  readonly token: string;
  readonly process: ChildProcess;
  readonly folder: string;
  /** Returns its output so far. */
  said(): string;
}

interface AwayOptions {
  /** Server address to use instead of the office's. */
  readonly server?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Work folder left over from an earlier run. */
  readonly leftover?: string;
}

/** Starts the API in its own process, on the tests' database and broker, without a worker. */
export async function startOffice(
  end: (close: () => Promise<void>) => unknown,
  more: Readonly<Record<string, string>> = {},
) {
  const database = await createTestDatabase();
  end(() => database.close());
  const { sql } = database;
  const folder = await folderUntil(end);
  const admin = await insertUser(sql, { name: "Ada", roles: ["Admin"] });
  const adminToken = await issueToken(sql, new TextEncoder().encode(SECRET), admin.id, "test");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let said = "";
  let api: ChildProcess | undefined;
  const children: ChildProcess[] = [];

  async function start(): Promise<void> {
    const env = {
      ...{ PATH: process.env.PATH, PORT: String(port), DATABASE_URL: database.url, NATS_URL: process.env.NATS_URL },
      ...{ FOLLOWSPOT_SECRET: SECRET, FOLLOWSPOT_DATA_DIR: folder },
      ...more,
    };
    const child = (api = spawn(process.execPath, [join(ROOT, "apps/server/dist/main-api.js")], { env }));
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += String(chunk)));
    for (let tries = 0; !(await isWell()); tries++) {
      if (child.exitCode !== null || tries > 300) throw new Error(`the API does not answer:\n${said}`);
      await new Promise((waited) => setTimeout(waited, 100));
    }
  }
  const isWell = () =>
    fetch(`${url}/health`).then(
      async (answer) => ((await answer.json()) as { broker: boolean }).broker,
      () => false, // not ready yet
    );

  async function call(method: string, body: object): Promise<Wire> {
    const answer = await fetch(`${url}/followspot.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${adminToken}` },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as Wire;
    if (!answer.ok) throw new Error(`${method}: ${json.message}`);
    return json;
  }

  const office = {
    url,
    sql: sql as Sql,
    dataDir: folder,
    call,
    said: () => said,
    start,
    /** Kills the API, as a power failure would. */
    kill: async () => {
      const exited = new Promise((ended) => api?.once("exit", ended));
      api?.kill("SIGKILL");
      await exited;
    },
    upload: async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
      const headers = { authorization: `Bearer ${adminToken}`, "x-file-name": name };
      const answer = await fetch(`${url}/api/songs/upload`, { method: "POST", headers, body: bytes });
      return ((await answer.json()) as Wire).song.id;
    },
    enrol: async (name: string): Promise<{ id: string; token: string }> => {
      const { worker, token } = await call("queues.v1.QueuesService/AddWorker", { name });
      return { id: worker.id, token };
    },
    worker: async (id: string): Promise<Wire> =>
      (await call("queues.v1.QueuesService/ListWorkers", {})).workers.find((worker: Wire) => worker.id === id),
    startWorker: async (
      { id, token }: { readonly id: string; readonly token: string },
      { server = url, env = {}, leftover }: AwayOptions = {},
    ): Promise<AwayWorker> => {
      const home = await mkdtemp(join(folder, "home-"));
      if (leftover) await mkdir(join(home, "data", "work", leftover), { recursive: true });
      const words = [join(ROOT, "apps/server/dist/main-away-worker.js"), "--server", server, "--token", token];
      const child = spawn(process.execPath, words, {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, FOLLOWSPOT_DATA_DIR: join(home, "data"), ...env },
      });
      children.push(child);
      let printed = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      return { id, token, process: child, folder: home, said: () => printed };
    },
  };
  end(async () => {
    await Promise.all(children.map((child) => stopChild(child, "SIGKILL", STOP_MS)));
    if (api) await stopChild(api, "SIGTERM", STOP_MS);
  });
  await start();
  return office;
}

/** Starts a proxy to the office that stalls in the middle of the first upload. */
export async function startStickyWay(end: (close: () => Promise<void>) => unknown, url: string) {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  let isStuck = false;
  const way = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    let isUpload = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => near.destroy() && far.destroy()).on("close", () => (near.destroy(), far.destroy()));
    }
    near.on("data", (chunk: Buffer) => {
      if (isUpload) return;
      isUpload = chunk.toString("latin1").startsWith("PUT ");
      // Forwards the head of the request and the beginning of the file only.
      far.write(isUpload ? chunk.subarray(0, 4000) : chunk);
      isStuck ||= isUpload;
    });
    far.pipe(near);
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => way.once("listening", listening));
  end(async () => {
    for (const socket of sockets) socket.destroy();
    way.close();
  });
  return { url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`, isStuck: () => isStuck };
}
