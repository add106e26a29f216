import { Agent, request as httpRequest } from "node:http";
import type { Sql } from "../../apps/server/src/platform/database/database.ts";
import { isGiven, talkIdOf } from "./community.ts";
import { LONG_THREAD } from "./messages.ts";

/** So many calls are under way at a time. */
export const CALLERS = 32;

/** Answers per round, and the most the product may cost in multiples of the plain server. */
export const KINDS = {
  get: { answers: 4000, bar: 3 },
  list: { answers: 800, bar: 2.2 },
  /** The newest 50 of 100,000. */
  songs: { answers: 800, bar: 2.2 },
  search: { answers: 100, bar: 0.65 },
  create: { answers: 2000, bar: 2.6 },
  update: { answers: 2000, bar: 2.7 },
  // ProcessTransaction from one person to another; Vote and Unvote by turns.
  gold: { answers: 2000, bar: 3 },
  vote: { answers: 2000, bar: 3 },
  /** The newest 50 of a thread of 1,000,000. */
  messages: { answers: 800, bar: 4 },
} as const;
export type Kind = keyof typeof KINDS;

/** Path and body. */
export interface Call {
  readonly path: string;
  readonly body: object;
}

let keys = 0;
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

/** The n-th call of a kind to the product. */
export function callOf(kind: Kind, n: number): Call {
  const path = (method: string) => `/followspot.user.v1.UserService/${method}`;
  const move = { fromUserId: someone(n), toUserId: someone(n + 1), amount: 1, idempotencyKey: nextKey() };
  switch (kind) {
    case "get":
      return { path: path("GetUser"), body: { userId: someone(n) } };
    case "list":
      return { path: path("ListUsers"), body: { list: { pageSize: 100 } } };
    case "songs":
      return { path: "/followspot.music.v1.MusicService/ListSongs", body: { list: { pageSize: 50 } } };
    case "search":
      return { path: path("ListUsers"), body: { list: { query: wanted(n), pageSize: 50 } } };
    case "create":
      return { path: path("CreateUser"), body: { name: `New ${n}` } };
    case "update":
      return { path: path("UpdateUser"), body: { userId: someone(n), bio: `Bio ${n}` } };
    case "gold":
      return { path: "/followspot.accounting.v1.AccountingService/ProcessTransaction", body: move };
    case "vote":
      return {
        path: `/followspot.talk.v1.TalkService/${isGiven(n) ? "Vote" : "Unvote"}`,
        body: { talkId: talkIdOf(n) },
      };
    case "messages":
      return {
        path: "/followspot.chat.v1.ChatService/ListMessages",
        body: { threadId: LONG_THREAD, pageSize: 50 },
      };
    default:
      return kind satisfies never;
  }
}

/** Calls a server of this machine. Rejects unless it answers with 200. */
export function post(
  port: number,
  path: string,
  body: object,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    authorization: `Bearer ${token}`,
    ...more,
  };
  return new Promise((resolve, reject) => {
    const call = httpRequest({ host: "127.0.0.1", port, path, method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: HTTP ${answer.statusCode}`)),
      );
    });
    call.on("error", reject);
    call.end(text);
  });
}

export function idOf(n: number): string {
  return `U${String(n).padStart(8, "0")}`;
}

/** Spread over the first thousand people, the same for both sides. */
export function someone(n: number): string {
  return idOf(1 + ((n * 7919) % 1000));
}

/** Another key for each request: no transaction of the bench is a repetition. */
export function nextKey(): string {
  return `bench key ${keys++}`;
}

/** A text that one person holds. */
export function wanted(n: number): string {
  return `person ${1 + ((n * 7919) % 900)}x`;
}

export async function addPeople(db: Sql, from: number, to: number): Promise<void> {
  await db`
    insert into users (id, name, username, email, phone, purpose, bio, verified_at)
    select 'U' || lpad(i::text, 8, '0'), 'Person ' || i || 'x', 'user' || i, 'person' || i || '@example.org',
      '+49 30 ' || i, 'Dancing', 'Likes lights and music', case when i % 3 = 0 then now() end
    from generate_series(${from}::int, ${to}::int) i`;
  await db`vacuum analyze users`;
}
