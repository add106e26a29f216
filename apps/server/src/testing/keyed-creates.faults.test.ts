import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { issueToken } from "../community/auth/sessions.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { ROOT } from "../platform/settings.ts";
import { ENGINE } from "../operations/supervisor/keep-running.ts";
import { freePort } from "../operations/supervisor/processes.ts";
import { insertUser } from "../community/users/users.store.ts";
import { folderUntil, openUntil } from "./open-until.ts";

/** Number of creates; the whole test of 1,000 is run by `KEYED_CREATES=1000`. */
const CREATES = Number(process.env["KEYED_CREATES"] ?? 200);
const CALLERS = 8;
/** Answered creates between two kills, at most. */
const MOST_BETWEEN_KILLS = 60;
const SECRET = "a secret of keyed creates, thirty-two bytes or more";

const dataDir = await folderUntil(afterAll);
const database = openUntil(afterAll, await createTestDatabase());
const port = await freePort();
let api: ChildProcess | undefined;
let isOver = false;
/** Exit code of an API that ended by itself. */
let ended: number | undefined;
afterAll(() => {
  isOver = true;
  api?.kill("SIGKILL");
});

/** Starts the API, and again whenever it dies. */
function keepApi(): void {
  api = fork(join(ROOT, "apps/server/dist/main-api.js"), {
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATABASE_URL: database.url, NATS_URL: process.env.NATS_URL },
      ...{ FOLLOWSPOT_SECRET: SECRET, FOLLOWSPOT_DATA_DIR: dataDir, FOLLOWSPOT_LOG_LEVEL: "error", ...ENGINE.env },
    },
    execArgv: [...ENGINE.execArgv],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  api.once("exit", (code) => {
    if (code !== null) ended = code;
    else if (!isOver) keepApi();
  });
}

/** Calls until there is a response, each time with the same key. */
async function create(n: number, token: string): Promise<string> {
  for (;;) {
    if (ended !== undefined) throw new Error(`the API ended by itself with exit code ${ended}`);
    const answer = await fetch(`http://127.0.0.1:${port}/followspot.user.v1.UserService/CreateUser`, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", authorization: `Bearer ${token}` },
        "idempotency-key": `create-${n}`,
      },
      body: JSON.stringify({ name: `Person ${n}` }),
    })
      .then(async (response) => ({
        status: response.status,
        body: (await response.json()) as { user: { id: string } },
      }))
      .catch(() => undefined);
    if (answer?.status === 200) return answer.body.user.id;
    if (answer && answer.status !== 503) throw new Error(`HTTP ${answer.status}: ${JSON.stringify(answer.body)}`);
    await pause(20);
  }
}

test(`${CREATES} creates with a key each make ${CREATES} users, also if the API is killed at random moments`, async () => {
  const admin = await insertUser(database.sql, { name: "Ada", roles: ["Admin"] });
  const token = await issueToken(database.sql, new TextEncoder().encode(SECRET), admin.id, "test");
  keepApi();
  const ids = new Map<number, string>();
  let [next, kills, killAt] = [0, 0, 1 + Math.floor(Math.random() * MOST_BETWEEN_KILLS)];
  const caller = async () => {
    while (next < CREATES) {
      const n = next++;
      ids.set(n, await create(n, token));
      if (ids.size < killAt) continue;
      // At an arbitrary moment of the calls of the other callers.
      const killed = api;
      killAt = ids.size + 1 + Math.floor(Math.random() * MOST_BETWEEN_KILLS);
      await pause(Math.random() * 20);
      if (killed?.kill("SIGKILL")) kills++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  isOver = true;
  if (api?.kill("SIGKILL")) await once(api, "exit");
  const rows = await database.sql<{ id: string; name: string }[]>`
    select id, name from users where name like 'Person %'`;
  expect(rows).toHaveLength(CREATES);
  expect(new Map(rows.map(({ id, name }) => [Number(name.slice("Person ".length)), id]))).toEqual(ids);
  const audits = await database.sql`select from audit_log where action = 'user.created'`;
  expect(audits).toHaveLength(CREATES);
  expect(kills).toBeGreaterThanOrEqual(Math.floor(CREATES / MOST_BETWEEN_KILLS));
}, 600_000);
