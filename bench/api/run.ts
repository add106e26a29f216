/**
 * What an answer of the API costs: processor seconds of server and PostgreSQL per 1,000 answers at 32 callers, beside
 * a plain fastify and pg server on the same 100,000 people in the same run; and how lists and searches grow.
 *
 *   npm run bench:api                  the table, about two minutes
 *   npm run bench:api -- --growth      and lists and searches from 1,000 to 1,000,000 rows, about five more
 *   npm run bench:api -- --keys        instead: what an Idempotency-Key costs a create, one minute
 *   npm run bench:api -- --whole       instead: what memory lists asked for whole take, one minute
 */
import { fork, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import { ENGINE } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer, startNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { freePort, stopChild } from "../../apps/server/src/operations/supervisor/processes.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";
import {
  addPeople,
  callOf,
  CALLERS,
  idOf,
  KINDS,
  nextKey,
  post,
  someone,
  wanted,
  type Call,
  type Kind,
} from "./calls.ts";
import { addCommunity, isGiven, talkIdOf } from "./community.ts";
import { cpuSecondsOf, memoryOf } from "./cpu.ts";
import { addMessages } from "./messages.ts";
import { addSongs } from "./songs.ts";

const ROWS = 100_000;
const ROUNDS = 3;
const KEY_ROUNDS = 5;
/** Lists asked for whole, as programs do that know no pages: so many people, so often, so long. */
const WHOLE = { rows: 10_000, perSecond: 10, seconds: 60, barMb: 300 } as const;
const SECRET = "a secret of the bench, thirty-two bytes or more";

const { values: flags } = parseArgs({
  options: {
    growth: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
    keys: { type: "boolean", default: false },
    /** Calls to measure, with commas between. */
    only: { type: "string", default: "get,list,songs,search,create,update,gold,vote,messages" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Side {
  readonly child: ChildProcess;
  readonly port: number;
  /** Path and body of the n-th call of a kind. */
  readonly call: (kind: Kind, n: number) => Call;
  /** Additional headers of each call. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

const folder = await mkdtemp(join(tmpdir(), "followspot-bench-"));
await chmod(folder, 0o755);
const quiet = () => {};
const postgres = await startPostgres(folder, quiet);
const nats = await startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, quiet), quiet);
const children: ChildProcess[] = [];
const sql = openDatabase(postgres.url, 2);
try {
  await migrate(sql);
  await addPeople(sql, 1, flags.growth ? 1000 : flags.whole ? WHOLE.rows : flags.keys ? 1000 : ROWS);
  await addCommunity(sql);
  if (flags.only.includes("songs")) await addSongs(sql, ROWS);
  const admin = await insertUser(sql, { name: "Bench", roles: ["Admin"] });
  const token = await issueToken(sql, new TextEncoder().encode(SECRET), admin.id, "bench");
  const product = await startProduct(token);
  if (flags.whole) await showWhole(product, token);
  else if (flags.keys) await showKeys(product, token);
  else {
    if (flags.only.includes("messages")) await showMessages(product, token, admin.id);
    if (flags.growth) await showGrowth(product, token);
    await showTable(product, await startPlain(), token);
  }
} finally {
  for (const child of children) await stopChild(child, "SIGTERM", 5000);
  await sql.end();
  await Promise.all([postgres.stop(), nats.stop()]);
  await rm(folder, { recursive: true, force: true });
}

async function showTable(product: Side, plain: Side, token: string): Promise<void> {
  say(`\nCPU seconds of server and PostgreSQL per 1,000 answers, ${CALLERS} callers, ${ROWS} people`);
  say("call      followspot    plain    times     bar");
  let isHeld = true;
  for (const kind of (Object.keys(KINDS) as Kind[]).filter((each) => flags.only.split(",").includes(each))) {
    const costs = { product: 0, plain: 0 };
    for (const side of [product, plain]) await run(side, kind, token, 200); // warm
    // By turns, so that a busy machine is busy for both.
    for (let round = 0; round < ROUNDS; round++) {
      costs.product += await run(product, kind, token, KINDS[kind].answers);
      costs.plain += await run(plain, kind, token, KINDS[kind].answers);
    }
    const times = costs.product / costs.plain;
    isHeld &&= times <= KINDS[kind].bar;
    const columns = [(costs.product / ROUNDS).toFixed(2), (costs.plain / ROUNDS).toFixed(2), times.toFixed(2)];
    say(`${kind.padEnd(9)} ${columns.map((text) => text.padStart(9)).join(" ")} ${`≤ ${KINDS[kind].bar}`.padStart(8)}`);
  }
  const { now, peak } = memoryOf(product.child.pid ?? 0);
  say(`memory of the API: ${now} MB now, ${peak} MB at most (bar 300)`);
  say(isHeld && peak <= 300 ? "every bar holds" : "a bar does not hold");
  process.exitCode = isHeld && peak <= 300 ? 0 : 1;
}

/** Memory of the API while all people are asked for at once, again and again, whether the last answer is there or not. */
async function showWhole(product: Side, token: string): Promise<void> {
  const { rows, perSecond, seconds, barMb } = WHOLE;
  say(`\nAll of ${rows} people in one answer, ${perSecond} times a second for ${seconds} s`);
  const before = memoryOf(product.child.pid ?? 0).now;
  const tookMs: number[] = [];
  const asked: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const begun = performance.now();
    const answered = post(product.port, "/followspot.user.v1.UserService/ListUsers", {}, token);
    asked.push(answered.then(() => void tookMs.push(performance.now() - begun)));
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
  }
  await Promise.all(asked);
  tookMs.sort((a, b) => a - b);
  const { now, peak } = memoryOf(product.child.pid ?? 0);
  say(
    `an answer took ${tookMs[tookMs.length >> 1]?.toFixed(0)} ms in the median, ${tookMs.at(-1)?.toFixed(0)} at most`,
  );
  say(`memory of the API: ${before} MB before, ${now} MB after, ${peak} MB at most (bar ${barMb})`);
  process.exitCode = peak <= barMb ? 0 : 1;
}

/** Cost of creates with an Idempotency-Key beside creates without one, in processor time and in latency. */
async function showKeys(product: Side, token: string): Promise<void> {
  const sides = {
    plain: product,
    keyed: { ...product, headers: () => ({ "idempotency-key": nextKey().replaceAll(" ", "-") }) },
  };
  const cpu: Record<keyof typeof sides, number[]> = { plain: [], keyed: [] };
  const ms: Record<keyof typeof sides, number[]> = { plain: [], keyed: [] };
  for (const side of [sides.plain, sides.keyed]) await run(side, "create", token, 500); // warm
  for (let round = 0; round < KEY_ROUNDS; round++)
    // Each goes first every other round.
    for (const name of round % 2 === 0 ? (["plain", "keyed"] as const) : (["keyed", "plain"] as const))
      cpu[name].push(await run(sides[name], "create", token, KINDS.create.answers, ms[name]));
  say(`\n${KEY_ROUNDS} rounds of ${KINDS.create.answers} creates, ${CALLERS} callers`);
  say("                              plain    keyed    times");
  const row = (what: string, [plain, keyed]: readonly [number, number]) =>
    say(`${what.padEnd(26)} ${[plain, keyed, keyed / plain].map((each) => each.toFixed(2).padStart(8)).join(" ")}`);
  row("CPU seconds per 1,000", [middleOf(cpu.plain), middleOf(cpu.keyed)]);
  row("latency, median, ms", [middleOf(ms.plain), middleOf(ms.keyed)]);
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** CPU milliseconds of the product alone for the first page and a search as the table grows. */
async function showGrowth(product: Side, token: string): Promise<void> {
  say("\nCPU seconds per 1,000 answers as the table grows");
  say("rows         first page   search");
  for (let rows = 1000; rows <= 1_000_000; rows *= 10) {
    if (rows > 1000) await addPeople(sql, rows / 10 + 1, rows);
    const costs: number[] = [];
    for (const kind of ["list", "search"] as const) {
      await run(product, kind, token, 200);
      costs.push(await run(product, kind, token, KINDS[kind].answers));
    }
    say(`${String(rows).padEnd(10)} ${costs.map((cost) => cost.toFixed(2).padStart(11)).join(" ")}`);
  }
  await sql`delete from users where id > ${idOf(ROWS)} and id like 'U%'`;
  await sql`vacuum analyze users`;
}

/** CPU seconds per 1,000 answers for the newest 50 messages as their thread grows; leaves it at its longest. */
async function showMessages(product: Side, token: string, memberId: string): Promise<void> {
  say("\nCPU seconds per 1,000 answers: the newest 50 messages of a thread");
  for (let messages = 1000; messages <= 1_000_000; messages *= 10) {
    await addMessages(sql, memberId, messages);
    await run(product, "messages", token, 200);
    const cost = await run(product, "messages", token, KINDS.messages.answers);
    say(`${String(messages).padEnd(10)} ${cost.toFixed(2).padStart(11)}`);
  }
}

/** CPU seconds per 1,000 answers. @param tookMs receives the latency of each answer */
async function run(side: Side, kind: Kind, token: string, answers: number, tookMs: number[] = []): Promise<number> {
  const cpu = () => cpuSecondsOf(side.child.pid ?? 0) + cpuSecondsOf(postgres.child.pid ?? 0);
  const before = cpu();
  let next = 0;
  const caller = async () => {
    while (next < answers) {
      const { path, body } = side.call(kind, next++);
      const begun = performance.now();
      await post(side.port, path, body, token, side.headers?.());
      tookMs.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return ((cpu() - before) / answers) * 1000;
}

async function startProduct(token: string): Promise<Side> {
  const port = await freePort();
  const env = { NATS_URL: nats.url, FOLLOWSPOT_SECRET: SECRET, FOLLOWSPOT_DATA_DIR: folder };
  const side: Side = {
    child: start("apps/server/dist/main-api.js", port, env),
    port,
    call: callOf,
  };
  await untilAnswering(() => post(port, "/followspot.auth.v1.AuthService/GetSession", {}, token));
  return side;
}

async function startPlain(): Promise<Side> {
  const port = await freePort();
  const side: Side = {
    child: start("bench/api/plain-server.ts", port, {}),
    port,
    call: (kind, n) => ({
      path: `/${kind}`,
      body: {
        ...{ id: someone(n), query: wanted(n), name: `New ${n}`, bio: `Bio ${n}` },
        ...{ from: someone(n), to: someone(n + 1), key: nextKey(), talk: talkIdOf(n), isGiven: isGiven(n) },
      },
    }),
  };
  await untilAnswering(() => post(port, "/get", { id: someone(1) }, ""));
  return side;
}

function start(file: string, port: number, env: Record<string, string>): ChildProcess {
  const child = fork(join(import.meta.dirname, "../..", file), {
    env: { PATH: process.env.PATH ?? "", PORT: String(port), DATABASE_URL: postgres.url, ...ENGINE.env, ...env },
    // As the supervisor starts its parts; the plain server gets the same.
    execArgv: [...ENGINE.execArgv],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

async function untilAnswering(ask: () => Promise<void>): Promise<void> {
  let last: Error | undefined;
  for (let tries = 0; tries < 300; tries++) {
    try {
      return await ask();
    } catch (error) {
      last = error as Error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`the server does not answer: ${last?.message}`);
}
