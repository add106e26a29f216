/** What benches of /ws/events share: people who listen, changes they hear of. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { issueToken } from "../../apps/server/src/community/auth/sessions.ts";
import type { Sql } from "../../apps/server/src/platform/database/database.ts";
import { insertUser } from "../../apps/server/src/community/users/users.store.ts";
import { clockMs, type Ask } from "./asks.ts";

export const TOPIC = "events";
export const EVERY_MS = 750;
/** What was said last is heard by then, or lost. */
export const LAST_MS = 2000;

/** Every client is a person of their own. @returns what each says first */
export async function addListeners(sql: Sql, secret: Uint8Array, clients: number): Promise<readonly string[]> {
  const hellos: string[] = [];
  const join = async () => {
    while (hellos.length < clients) {
      const at = hellos.push("") - 1;
      const { id } = await insertUser(sql, { name: `Listener ${at}` });
      const token = await issueToken(sql, secret, id, "bench");
      hellos[at] = JSON.stringify({ type: "ClientHello", payload: { token, subscriptions: [TOPIC] } });
    }
  };
  await Promise.all(Array.from({ length: 10 }, join));
  return hellos;
}

/** Asks the process of the listeners, which answers one question at a time. */
export async function askListeners<Answer>(listeners: ChildProcess, question: Ask): Promise<Answer> {
  const answered = once(listeners, "message");
  listeners.send(question);
  return ((await answered) as [Answer])[0];
}

/**
 * Causes one event after the other, and waits until the last was heard.
 * @returns when each was asked for, on the clock of {@link clockMs}
 */
export async function causeEvents(events: number, cause: (n: number) => Promise<void>): Promise<readonly number[]> {
  const begun: number[] = [];
  for (let n = 0; n < events; n++) {
    begun.push(clockMs());
    await cause(n);
    await pause(Math.max(0, begun[n]! + EVERY_MS - clockMs()));
  }
  await pause(LAST_MS);
  return begun;
}
