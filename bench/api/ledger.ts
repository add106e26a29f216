/**
 * Whether the ledger stays exact: ten thousand random transactions by sixteen callers while the API is killed again and
 * again, and PostgreSQL every third time. A caller without an answer repeats the request with the same key.
 *
 *   npm run bench:ledger                           some minutes
 *   npm run bench:ledger -- --transactions 1000
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { migrate } from "../../apps/server/src/platform/database/migrate.ts";
import { ENGINE } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { findNatsServer, startNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { freePort, stopChild } from "../../apps/server/src/operations/supervisor/processes.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";

const CALLERS = 16;
const PEOPLE = 20;
/** Of work, from the moment the API answers again. */
const BETWEEN_KILLS_MS = 6000;
const ASK_AGAIN_MS = 200;
const SECRET = "a secret of the bench, thirty-two bytes or more";

const { values: flags } = parseArgs({ options: { transactions: { type: "string", default: "10000" } } });
const wanted = Number(flags.transactions);
const say = (line: string) => process.stdout.write(`${line}\n`);
const quiet = () => {};

interface TransactionRequest {
  readonly fromUserId?: string;
  readonly toUserId?: string;
  readonly refundOf?: string;
  readonly amount?: number;
  readonly idempotencyKey: string;
}

const folder = await mkdtemp(join(tmpdir(), "followspot-ledger-"));
await chmod(folder, 0o755);
let postgres = await startPostgres(folder, quiet);
const nats = await startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, quiet), quiet);
const port = await freePort();
let api: ChildProcess | undefined;
let kills = 0;
let isOver = false;
// Interrupted, it still stops what it has started.
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (isInterrupted = true));
try {
  const { people, token } = await prepare();
  api = startApi();
  const answers = new Map<string, string>();
  const killing = killAgainAndAgain();
  await pour(people, token, answers);
  isOver = true;
  await killing;
  process.exitCode = (await isExact(answers)) ? 0 : 1;
} finally {
  isOver = true;
  if (api) await stopChild(api, "SIGTERM", 5000);
  await Promise.all([postgres.stop(), nats.stop()]);
  await rm(folder, { recursive: true, force: true });
}

async function prepare(): Promise<{ people: readonly string[]; token: string }> {
  const sql = openDatabase(postgres.url, 2);
  await migrate(sql);
  const people = [];
  for (let i = 0; i < PEOPLE; i++) people.push((await insertUser(sql, { name: `Person ${i}` })).id);
  const admin = await insertUser(sql, { name: "Bench", roles: ["Admin"] });
  const token = await issueToken(sql, new TextEncoder().encode(SECRET), admin.id, "bench");
  await sql.end();
  return { people, token };
}

function startApi(): ChildProcess {
  const env = { NATS_URL: nats.url, FOLLOWSPOT_SECRET: SECRET, FOLLOWSPOT_DATA_DIR: folder, ...ENGINE.env };
  return fork(join(import.meta.dirname, "../../apps/server/dist/main-api.js"), {
    env: { PATH: process.env.PATH ?? "", PORT: String(port), DATABASE_URL: postgres.url, ...env },
    execArgv: [...ENGINE.execArgv],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

async function killAgainAndAgain(): Promise<void> {
  while (!isOver) {
    await untilHealthy();
    await pause(BETWEEN_KILLS_MS);
    if (isOver) return;
    kills++;
    await kill(api);
    if (kills % 3 === 0) {
      await kill(postgres.child);
      postgres = await startPostgres(folder, quiet);
    }
    api = startApi();
  }
}

async function untilHealthy(): Promise<void> {
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!isOver && !(await isHealthy())) await pause(ASK_AGAIN_MS);
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** @param answers what was answered, transaction by key */
async function pour(people: readonly string[], token: string, answers: Map<string, string>): Promise<void> {
  const pick = () => people[Math.floor(Math.random() * people.length)] ?? "";
  let next = 0;
  const requestOf = (n: number): TransactionRequest => {
    const [kind, amount] = [Math.random(), 1 + Math.floor(Math.random() * 100)];
    const idempotencyKey = `request ${n}`;
    const known = [...answers.values()];
    if (kind < 0.1 && known.length > 0) return { refundOf: known[n % known.length] ?? "", idempotencyKey };
    if (kind < 0.5) return { toUserId: pick(), amount, idempotencyKey };
    if (kind < 0.8) return { fromUserId: pick(), toUserId: pick(), amount, idempotencyKey };
    return { fromUserId: pick(), amount, idempotencyKey };
  };
  const caller = async () => {
    while (next < wanted) {
      const request = requestOf(next++);
      const id = await askUntilAnswered(request, token);
      if (id) answers.set(request.idempotencyKey, id);
      // Every tenth request is repeated: its answer must be the same.
      const isRepeated = Math.random() < 0.1;
      if (id && isRepeated && (await askUntilAnswered(request, token)) !== id) throw new Error(`${id} was made twice`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/** @returns the transaction; undefined when it was refused for what it asks */
async function askUntilAnswered(request: TransactionRequest, token: string): Promise<string | undefined> {
  while (!isInterrupted) {
    try {
      const reply = await fetch(
        `http://127.0.0.1:${port}/followspot.accounting.v1.AccountingService/ProcessTransaction`,
        {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          body: JSON.stringify(request),
        },
      );
      const body = (await reply.json()) as { transaction?: { id: string } };
      if (reply.ok) return body.transaction?.id;
      if (reply.status < 500) return undefined;
    } catch {
      // Killed in the middle: whether it was done, the next answer tells.
    }
    await pause(ASK_AGAIN_MS);
  }
  throw new Error("interrupted");
}

async function isExact(answers: ReadonlyMap<string, string>): Promise<boolean> {
  const sql = openDatabase(postgres.url, 2);
  const [found] = await sql<Record<string, number>[]>`
    select (select coalesce(sum(amount), 0)::int from gold_postings) as "sum of all postings",
      (select count(*)::int from gold_accounts a where balance <>
        (select coalesce(sum(amount), 0) from gold_postings where account_id = a.id)) as "balances unlike their postings",
      (select count(*)::int from gold_accounts where kind = 'person' and balance < 0) as "balances below zero",
      (select count(*)::int from gold_transactions) - ${answers.size}::int as "transactions beyond those answered",
      (select count(*)::int from gold_transactions) - (select count(*)::int from audit_log
        where action like 'gold_transaction.%') as "transactions without an entry of the log"`;
  const rows = await sql<{ id: string; idempotency_key: string }[]>`select id, idempotency_key from gold_transactions`;
  await sql.end();
  const unlike = rows.filter(({ id, idempotency_key }) => answers.get(idempotency_key) !== id).length;
  const faults = { ...found, "answers unlike the ledger": unlike };
  say(`${wanted} requests, ${rows.length} transactions, ${kills} kills`);
  for (const [name, count] of Object.entries(faults)) say(`${String(count).padStart(6)}  ${name}`);
  return Object.values(faults).every((count) => count === 0);
}
