import { signToken } from "../../community/auth/tokens.ts";
import { createSession, endSession } from "../../community/auth/sessions.store.ts";
import type { DemoSongName } from "../../songs/demo-songs/demo-songs.ts";
import type { Sql } from "../../platform/database/database.ts";
import { lockOf } from "../../platform/database/locks.ts";
import { callApi, type CallApi } from "../../platform/http/call-api.ts";
import {
  changeFirstSteps,
  demoItems,
  noteDemoItem,
  readFirstSteps,
  type DemoItem,
  type DemoState,
} from "./first-steps.store.ts";
import { makeDemoNight } from "./make-demo-night.ts";
import { removeDemoNight } from "./remove-demo-night.ts";

const CUT = "The server stopped while it was made.";

interface DemoNightPorts {
  readonly sql: Sql;
  /** Signs the token of its session. */
  readonly secret: Uint8Array;
  /** Address of this API. */
  readonly api: string;
  /** Fewer in tests: composing a song takes seconds. */
  readonly songs?: readonly DemoSongName[];
}

/**
 * Makes or removes the demo night if requested and no other process is doing so. Progress is stored in the database.
 */
export async function lookAtDemoNight(ports: DemoNightPorts): Promise<void> {
  const { sql } = ports;
  if (!isWanted((await readFirstSteps(sql)).demo_state)) return;
  const connection = await sql.reserve();
  try {
    const [lock] = await connection<
      { ours: boolean }[]
    >`select pg_try_advisory_lock(${lockOf(connection, "demoNight")}) as ours`;
    if (!lock?.ours) return;
    try {
      await makeOrRemove(ports);
    } finally {
      await connection`select pg_advisory_unlock(${lockOf(connection, "demoNight")})`;
    }
  } finally {
    connection.release();
  }
}

const isWanted = (state: DemoState) => state === "making" || state === "removing";

async function makeOrRemove(ports: DemoNightPorts): Promise<void> {
  const { sql } = ports;
  const { demo_state: state, demo_wanted_by: userId } = await readFirstSteps(sql);
  if (!isWanted(state)) return;
  const settle = (demo_state: DemoState, demo_says = "") => changeFirstSteps(sql, { demo_state, demo_says });
  if (userId === null) return settle("broken", "The person who wanted it was deleted.");
  // No other process holds the lock, so existing items are leftovers of a process that ended.
  if (state === "making" && (await demoItems(sql)).length > 0) return settle("broken", CUT);
  try {
    await inTheNameOf(ports, userId, (call) => (state === "removing" ? removeDemoNight(sql, call) : make(ports, call)));
    await settle(state === "removing" ? "none" : "made");
  } catch (error) {
    await settle("broken", (error as Error).message);
  }
}

function make(ports: DemoNightPorts, call: CallApi): Promise<void> {
  const { sql, songs } = ports;
  const making = {
    call,
    callAs: (personId: string, method: string, body: object) =>
      inTheNameOf(ports, personId, (theirs) => theirs(method, body)),
    say: (demo_says: string) => changeFirstSteps(sql, { demo_says }),
    note: (item: DemoItem) => noteDemoItem(sql, item),
  };
  return makeDemoNight(making, songs);
}

/** Calls the API with the permissions of a user, in a session that ends with the work. */
async function inTheNameOf<Answer>(
  { sql, secret, api }: DemoNightPorts,
  userId: string,
  work: (call: CallApi) => Promise<Answer>,
): Promise<Answer> {
  const sessionId = await createSession(sql, userId, "demo night");
  try {
    return await work(callApi(api, await signToken(secret, { userId, sessionId })));
  } finally {
    await endSession(sql, userId, sessionId);
  }
}
