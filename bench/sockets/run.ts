/**
 * How soon thousands of clients of /ws/events hear of a change, from the moment it is asked for: through the call, the
 * database, the broker and the sockets; and what each of them costs. Beside a plain `ws` server that says to everybody
 * what is posted to it, in the same run. Two heartbeats fall into each half.
 *
 *   npm run bench:sockets                             5,000 clients, about two and a half minutes
 *   npm run bench:sockets -- --clients 500 --events 20
 */
import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import { newId } from "../../apps/server/src/platform/database/ids.ts";
import { ENGINE } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer, startNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { freePort, stopChild } from "../../apps/server/src/operations/supervisor/processes.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";
import { cpuSecondsOf, memoryOf } from "../api/cpu.ts";
import { clockMs, MARK, type Ask, type Heard } from "./asks.ts";
import { addListeners, askListeners, causeEvents, EVERY_MS, LAST_MS, TOPIC } from "./crowd.ts";

const BARS = { p50: 100, p99: 300 };
const SECRET = "a secret of the bench, thirty-two bytes or more";

const { values: flags } = parseArgs({
  options: { clients: { type: "string", default: "5000" }, events: { type: "string", default: "80" } },
});
const clients = Number(flags.clients);
const events = Number(flags.events);
const say = (line: string) => process.stdout.write(`${line}\n`);
const quiet = () => {};

/** A server that is measured. */
interface Side {
  readonly child: ChildProcess;
  readonly port: number;
  readonly path: string;
  /** What each client says first; "" says nothing. */
  readonly hellos: readonly string[];
  /** Path and body of the call that causes the n-th event. */
  readonly cause: (n: number) => readonly [string, object];
}

interface Figures extends Heard {
  readonly joinSeconds: number;
  /** Resident memory per client that listens, KiB. */
  readonly kib: number;
  /** Of the server, for a thousand envelopes delivered. */
  readonly cpuMs: number;
  /** Of the clients, for the same: on a machine of two cores it delays what they hear. */
  readonly clientsCpuMs: number;
}

checkDescriptors();
const folder = await mkdtemp(join(tmpdir(), "followspot-sockets-"));
await chmod(folder, 0o755);
const postgres = await startPostgres(folder, quiet);
const nats = await startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, quiet), quiet);
const children: ChildProcess[] = [];
const sql = openDatabase(postgres.url, 10);
let admin = "";
try {
  await migrate(sql);
  const listeners = start("bench/sockets/listeners.ts", {});
  const product = await measure(await startProduct(), listeners);
  const plain = await measure(await startPlain(), listeners);
  show(product, plain);
} finally {
  for (const child of children) await stopChild(child, "SIGTERM", 5000);
  await sql.end();
  await Promise.all([postgres.stop(), nats.stop()]);
  await rm(folder, { recursive: true, force: true });
}

/** Each side holds one file per client, and so do the clients. */
function checkDescriptors(): void {
  const limit = Number(/Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
  if (limit >= clients + 500) return;
  say(`A process may open ${limit} files here; ${clients} clients need ${clients + 500}: ulimit -n ${clients + 500}`);
  process.exit(1);
}

async function measure(side: Side, listeners: ChildProcess): Promise<Figures> {
  const ask = <Answer>(question: Ask): Promise<Answer> => askListeners(listeners, question);
  const { child, port, path, hellos } = side;
  const pid = child.pid ?? 0;
  await cause(side, events); // warm, and heard by no listener
  const before = memoryOf(pid).now;
  const joinedFrom = clockMs();
  const { closed } = await ask<{ closed: number }>({ do: "join", port, path, hellos });
  if (closed > 0) throw new Error(`${closed} of ${clients} clients were not let in`);
  const joinSeconds = (clockMs() - joinedFrom) / 1000;
  await pause(LAST_MS);
  const kib = ((memoryOf(pid).now - before) * 1024) / clients;

  const cpuOf = [pid, listeners.pid ?? 0].map((id) => [id, cpuSecondsOf(id)] as const);
  const begun = await causeEvents(events, (n) => cause(side, n));
  const [cpuMs = 0, clientsCpuMs = 0] = cpuOf.map(
    ([id, used]) => ((cpuSecondsOf(id) - used) * 1000) / ((clients * events) / 1000),
  );
  const heard = await ask<Heard>({ do: "tell", begun });
  await ask({ do: "leave" });
  return { ...heard, joinSeconds, kib, cpuMs, clientsCpuMs };
}

async function cause({ port, cause: causeOf }: Side, n: number): Promise<void> {
  const [path, body] = causeOf(n);
  const headers = { "content-type": "application/json", authorization: `Bearer ${admin}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`);
}

function show(product: Figures, plain: Figures): void {
  const lines = [
    ["delivered after, p50 ms", "p50", 1, BARS.p50],
    ["delivered after, p99 ms", "p99", 1, BARS.p99],
    ["delivered after, most ms", "slowest", 1],
    ["server's CPU ms per 1,000 delivered", "cpuMs", 1],
    ["clients' CPU ms per 1,000 delivered", "clientsCpuMs", 1],
    ["server's memory per client, KiB", "kib", 1],
    ["all have joined after, s", "joinSeconds", 1],
    ["lost", "lost", 0, 0],
    ["doubled", "doubled", 0, 0],
    ["closed", "closed", 0, 0],
  ] as const;
  say(`\n${clients} clients on "${TOPIC}", ${events} changes, one every ${EVERY_MS} ms`);
  say(`${"".padEnd(37)} followspot    plain    times     bar`);
  let isHeld = true;
  for (const [name, key, digits, bar] of lines) {
    const [ours, theirs] = [product[key], plain[key]];
    isHeld &&= bar === undefined || ours <= bar;
    const times = theirs > 0 ? (ours / theirs).toFixed(2) : "";
    const columns = [ours.toFixed(digits), theirs.toFixed(digits), times, bar === undefined ? "" : `≤ ${bar}`];
    say(`${name.padEnd(37)} ${columns.map((column, i) => column.padStart(i === 0 ? 10 : 8)).join(" ")}`);
  }
  say(isHeld ? "every bar holds" : "a bar does not hold");
  process.exitCode = isHeld ? 0 : 1;
}

/** Every client is a person of their own. */
async function startProduct(): Promise<Side> {
  const secret = new TextEncoder().encode(SECRET);
  admin = await issueToken(sql, secret, (await insertUser(sql, { name: "Bench", roles: ["Admin"] })).id, "bench");
  const hellos = await addListeners(sql, secret, clients);
  const talkId = newId();
  await sql`insert into talks (id, title) values (${talkId}, 'Talk')`;
  const port = await freePort();
  const env = { NATS_URL: nats.url, FOLLOWSPOT_SECRET: SECRET, FOLLOWSPOT_DATA_DIR: folder };
  const child = start("apps/server/dist/main-api.js", {
    PORT: String(port),
    DATABASE_URL: postgres.url,
    FOLLOWSPOT_LOG_LEVEL: "error",
    ...env,
  });
  const isUp = async () =>
    ((await fetch(`http://127.0.0.1:${port}/health`).then((a) => a.json())) as Health).status === "ok";
  await until(isUp);
  const path = "/followspot.talk.v1.TalkService/UpdateTalk";
  return { child, port, path: "/ws/events", hellos, cause: (n) => [path, { talkId, title: `${MARK}${n} ` }] };
}

interface Health {
  readonly status: string;
}

async function startPlain(): Promise<Side> {
  const port = await freePort();
  const child = start("bench/sockets/plain-server.ts", { PORT: String(port) });
  const side: Side = {
    child,
    port,
    path: "/",
    hellos: Array.from({ length: clients }, () => ""),
    // As long as the product's envelope of a talk.
    cause: (n) => [
      "/",
      { id: newId(), topic: TOPIC, ts: new Date(), payload: { title: `${MARK}${n} `, more: "x".repeat(400) } },
    ],
  };
  await until(() => cause(side, events).then(() => true));
  return side;
}

/** As the supervisor starts its parts; the plain server and the clients get the same. */
function start(file: string, env: Record<string, string>): ChildProcess {
  const child = fork(join(import.meta.dirname, "../..", file), {
    env: { PATH: process.env.PATH ?? "", ...ENGINE.env, ...env },
    execArgv: [...ENGINE.execArgv],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isTrue().catch(() => false)) return;
    await pause(100);
  }
  throw new Error("a server does not answer");
}
