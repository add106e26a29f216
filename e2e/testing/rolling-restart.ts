import { setTimeout as pause } from "node:timers/promises";
import { Follower } from "./event-storm.ts";
import { processesOn, until } from "./product.ts";
import { openProxy } from "./proxy.ts";
import type { TwoApis } from "./two-apis.ts";

const CALLERS = 6;
const FOLLOWERS = 3;

/** Effects on clients behind a proxy while each API server is restarted. */
export interface RestartReport {
  readonly calls: number;
  /** Calls that got no response, or an error. */
  readonly failed: number;
  /** Successful calls without a row, or without an event at every follower. */
  readonly lost: number;
  readonly resets: number;
}

/** Stops the servers one after the other, as an upgrade does, during continuous calls. */
export async function restartInTurn(apis: TwoApis): Promise<RestartReport> {
  const proxy = await openProxy({ urls: apis.urls });
  const followers = Array.from({ length: FOLLOWERS }, () => new Follower({ ...apis, urls: [proxy.url, proxy.url] }, 0));
  const made: string[] = [];
  let failed = 0;
  let isOver = false;
  const call = async () => {
    const answer = await fetch(`${proxy.url}/followspot.user.v1.UserService/CreateUser`, {
      method: "POST",
      headers: { authorization: `Bearer ${apis.token}`, "content-type": "application/json" },
      body: '{"name":"Restart"}',
    });
    const { user } = (await answer.json()) as { readonly user: { readonly id: string } };
    made.push(user.id);
  };
  const caller = async () => {
    while (!isOver) {
      await call().catch(() => failed++);
      await pause(5);
    }
  };
  try {
    // A follower without any event has no position to resume from.
    while (followers.some(({ heard }) => heard.length === 0)) {
      await call();
      await pause(200);
    }
    const begun = made.length;
    const calling = Promise.all(Array.from({ length: CALLERS }, caller));
    for (const pid of await processesOn(apis.dataDir, "main-api.")) {
      process.kill(pid, "SIGTERM");
      await until(async () => !(await processesOn(apis.dataDir, "main-api.")).includes(pid));
      await until(() => proxy.takesCalls().every(Boolean));
    }
    isOver = true;
    await calling;
    const rows = await apis.sql<{ id: string }[]>`select id from users where name = 'Restart'`;
    const stored = new Set(rows.map(({ id }) => id));
    const missing = () => {
      const heard = followers.map((each) => new Set(each.heard.map(({ payload }) => payload.user_id)));
      return made.slice(begun).filter((id) => !stored.has(id) || heard.some((ids) => !ids.has(id)));
    };
    await until(() => missing().length === 0, 20_000).catch(() => {}); // the count shows it
    return {
      calls: made.length,
      failed,
      lost: missing().length,
      resets: followers.reduce((sum, { resets }) => sum + resets, 0),
    };
  } finally {
    isOver = true;
    for (const follower of followers) follower.close();
    await proxy.close();
  }
}
