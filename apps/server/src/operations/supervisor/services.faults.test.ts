import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { STREAMS } from "@followspot/contract";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connectBroker, ensureStreams, leaveBroker } from "../../platform/broker/nats.ts";
import { isRunning } from "../../testing/is-running.ts";
import { download, findNatsServer, startNats } from "./nats.ts";
import { startPostgres } from "./postgres.ts";
import { pidsIn, sleep } from "./processes.ts";
import { folderUntil } from "../../testing/open-until.ts";

let folder: string;
let said: string[];
/** Time in which NATS with missing files is killed, ms. */
const SEEN_MS = 2000;
const log = (line: string) => void said.push(line);
const opened: { stop(): Promise<unknown> }[] = [];
beforeEach(async () => {
  said = [];
  folder = await folderUntil(onTestFinished);
  // As root, PostgreSQL runs as the user nobody, which needs access.
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const service of opened.splice(0).reverse()) await service.stop();
});

function kept<T extends { stop(): Promise<unknown> }>(service: T): T {
  opened.push(service);
  return service;
}

async function query(url: string, text: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const isListening = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true))).once("error", () => resolve(false));
  });

describe("our PostgreSQL", () => {
  // kept: Live | After its data folder was missing for a moment, the product continued with an empty database | failed
  // on the old code
  it("creates no empty database in place of missing files, and starts once they are back", async () => {
    const first = await startPostgres(folder, log);
    await query(first.url, "create table kept as select 'a row' as text");
    await first.stop();
    const home = join(folder, "postgres");
    await rename(home, join(folder, "unplugged"));
    const port = Number(new URL(first.url).port);
    await expect(startPostgres(folder, log, port)).rejects.toThrow("files of the database are missing");
    await rm(home, { recursive: true, force: true });
    await rename(join(folder, "unplugged"), home);
    const again = kept(await startPostgres(folder, log, port));
    expect(await query(again.url, "select text from kept")).toMatchObject([{ text: "a row" }]);
  });

  it("stops the server that a killed parent left, and keeps its rows and password", async () => {
    const left = kept(await startPostgres(folder, log));
    await query(left.url, "create table kept as select 'a row' as text");
    const again = kept(await startPostgres(folder, log, Number(new URL(left.url).port)));
    expect(await query(again.url, "select text from kept")).toMatchObject([{ text: "a row" }]);
    expect([again.url, await isRunning(left.child.pid!)]).toEqual([left.url, false]);
    expect(said).toEqual(["Stopping the database an interrupted run left behind…"]);
  });

  // kept: Doors | A database whose processes all hung was not restarted: they occupied its shared memory | failed on
  // the old code
  it("restarts after all of its processes hang and its main one is killed", async () => {
    const hung = kept(await startPostgres(folder, log));
    await query(hung.url, "create table kept as select 'a row' as text");
    const main = hung.child.pid!;
    const ended = new Promise((resolve) => hung.child.once("exit", resolve));
    const all = [main, ...(await pidsIn(await readlink(`/proc/${main}/cwd`))).filter((pid) => pid !== main)];
    expect(all.length).toBeGreaterThan(3);
    for (const pid of all) process.kill(pid, "SIGSTOP");
    hung.child.kill("SIGKILL");
    await ended;
    const again = kept(await startPostgres(folder, log, Number(new URL(hung.url).port)));
    expect(await query(again.url, "select text from kept")).toMatchObject([{ text: "a row" }]);
    expect(await Promise.all(all.map(isRunning))).not.toContain(true);
  });

  it("never stops a process that is not PostgreSQL, whatever PID the file contains", async () => {
    const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    kept({ stop: async () => stranger.kill("SIGKILL") });
    const first = await startPostgres(folder, log);
    const [home] = await query(first.url, "select current_setting('data_directory') as path");
    await first.stop();
    const pidFile = join(String(home!.path), "postmaster.pid");
    await writeFile(pidFile, `${stranger.pid}\n${home!.path}\n`);
    const again = kept(await startPostgres(folder, log));
    expect(await query(again.url, "select 1 as one")).toMatchObject([{ one: 1 }]);
    expect([await isRunning(stranger.pid!), said]).toEqual([true, []]);
    expect(Number((await readFile(pidFile, "utf8")).split("\n")[0])).toBe(again.child.pid);
  });

  it("creates a cluster again that an interrupted first start left incomplete", async () => {
    const first = await startPostgres(folder, log);
    const [home] = await query(first.url, "select current_setting('data_directory') as path");
    await first.stop();
    await rm(join(String(home!.path), "PG_VERSION"));
    const again = kept(await startPostgres(folder, log));
    expect(await query(again.url, "select 1 as one")).toMatchObject([{ one: 1 }]);
  });

  it("does not run after its stop, and listens on loopback only", async () => {
    const database = await startPostgres(folder, log);
    expect(await query(database.url, "show listen_addresses")).toMatchObject([{ listen_addresses: "127.0.0.1" }]);
    await database.stop();
    expect([await isListening(database.url), await isRunning(database.child.pid!)]).toEqual([false, false]);
  });
});

describe("a download", () => {
  /** Serves a body in parts; each part is sent when the test requests it. */
  async function server(status = 200) {
    let answer: ServerResponse | undefined;
    const opened = createServer((_request, response) => (answer = response.writeHead(status))).listen(0, "127.0.0.1");
    await once(opened, "listening");
    onTestFinished(() => {
      opened.closeAllConnections();
      opened.close();
    });
    const send = (text: string) => vi.waitFor(() => answer!.write(text), { timeout: 10_000 });
    const url = `http://127.0.0.1:${(opened.address() as AddressInfo).port}/`;
    return { url, send, end: () => answer!.end() };
  }

  // kept: Live | On a slow network nats-server was never downloaded: the download was limited to 60 s in total | failed
  // with the fault put back
  it("continues for as long as bytes arrive", async () => {
    const silenceMs = 3000;
    const { url, send, end } = await server();
    const fetched = download(url, silenceMs);
    fetched.catch(() => undefined);
    const since = performance.now();
    let sent = 0;
    for (; performance.now() - since < 1.5 * silenceMs; sent++) {
      await send("part ");
      await sleep(50);
    }
    end();
    expect((await fetched).toString()).toBe("part ".repeat(sent));
  });

  it("ends when nothing arrives, before or after the first bytes", async () => {
    const silent = await server();
    await expect(download(silent.url, 200)).rejects.toThrow("received nothing for 0 s");
    const stalled = await server();
    const fetched = download(stalled.url, 1000);
    fetched.catch(() => undefined);
    await stalled.send("part ");
    await expect(fetched).rejects.toThrow("received nothing for 1 s");
  });

  it("names the status of a refusal", async () => {
    const { url, send } = await server(404);
    const fetched = download(url);
    fetched.catch(() => undefined);
    await send("gone");
    await expect(fetched).rejects.toThrow("answered 404");
  });
});

describe("our broker", () => {
  it("stops the server that a killed parent left, and keeps its address if requested", async () => {
    const binary = await findNatsServer(process.env.NATS_SERVER_BIN, log);
    const left = kept(await startNats(folder, binary, log));
    const again = kept(await startNats(folder, binary, log, left.url));
    expect([again.url, await isRunning(left.child.pid!)]).toEqual([left.url, false]);
    expect(said).toEqual(["Stopping the broker an interrupted run left behind…"]);
    const broker = await connectBroker(again.url, "test");
    await leaveBroker(broker);
  });

  it("rejects clients without its password, which only this account can read", async () => {
    const binary = await findNatsServer(process.env.NATS_SERVER_BIN, log);
    const nats = kept(await startNats(folder, binary, log));
    const { host } = new URL(nats.url);
    await expect(refusal(host)).resolves.toContain("Authorization Violation");
    expect((await stat(join(folder, "nats", "server.conf"))).mode & 0o077).toBe(0);
  });

  it("never stops a process that is not NATS, whatever PID the file contains", async () => {
    const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    kept({ stop: async () => stranger.kill("SIGKILL") });
    const binary = await findNatsServer(process.env.NATS_SERVER_BIN, log);
    await (await startNats(folder, binary, log)).stop();
    await writeFile(join(folder, "nats", "server.pid"), String(stranger.pid));
    const nats = kept(await startNats(folder, binary, log));
    expect([await isListening(nats.url), await isRunning(stranger.pid!), said]).toEqual([true, true, []]);
  });

  // kept: Live | Songs waited until a restart once the broker's folder was deleted | also
  it("ends when its files are deleted, but not when a stream is recreated or another program's is deleted", async () => {
    const binary = await findNatsServer(process.env.NATS_SERVER_BIN, log);
    const nats = kept(await startNats(folder, binary, log));
    const ended = vi.fn();
    nats.child.once("exit", ended);
    const broker = await connectBroker(nats.url, "test");
    await ensureStreams(broker);
    for (const end = Date.now() + 2500; Date.now() < end; await sleep(10)) {
      await broker.jsm.streams.delete(STREAMS.songs.name);
      await ensureStreams(broker);
    }
    await broker.jsm.streams.add({ name: "OTHERS", subjects: ["others.>"] });
    await sleep(SEEN_MS);
    await broker.jsm.streams.delete("OTHERS");
    await sleep(SEEN_MS);
    expect(ended).not.toHaveBeenCalled();
    await leaveBroker(broker);
    await rm(join(folder, "nats", "jetstream"), { recursive: true, maxRetries: 20, retryDelay: 20 });
    await expect.poll(() => ended.mock.calls.length).toBe(1);
    expect(said).toEqual(["The broker's files are missing."]);
    const again = kept(await startNats(folder, binary, log, nats.url));
    const back = await connectBroker(again.url, "test");
    await ensureStreams(back);
    await leaveBroker(back);
  });

  it("reports why a program cannot be run", async () => {
    await expect(findNatsServer(join(folder, "nothing"), log)).rejects.toThrow("no program can be run there");
    const program = join(folder, "broken");
    await writeFile(program, "#!/bin/sh\necho 'it is broken' >&2; exit 3\n", { mode: 0o755 });
    await expect(startNats(folder, program, log)).rejects.toThrow("it is broken");
  });
});

/** Returns NATS's answer to a client without credentials. */
function refusal(host: string): Promise<string> {
  const [name, port] = host.split(":");
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), name).once("error", reject);
    socket.on("data", (bytes) => (answer += bytes.toString()));
    socket.on("close", () => resolve(answer));
    socket.write("CONNECT {}\r\nPING\r\n");
  });
}
