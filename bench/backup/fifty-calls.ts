import type { Product } from "../../e2e/testing/product.ts";
import { EVENT, THREAD } from "./fill.ts";

const numbered = (prefix: string, n: number) => `${prefix}${String(n).padStart(8, "0")}`;
const list = (more: object = {}) => ({ list: { page_size: 50, ...more } });

/** Fifty calls that ask for what stays as it is, all over the tables. */
const CALLS: readonly (readonly [method: string, request: object])[] = [
  ...[1, 77, 500, 999, 1500].map((n) => ["user.v1.UserService/GetUser", { user_id: numbered("U", n) }] as const),
  ...["name", "name desc"].map((order_by) => ["user.v1.UserService/ListUsers", list({ order_by })] as const),
  ...["Person 77", "p123@example"].map(
    (query) => ["user.v1.UserService/ListUsers", list({ query, order_by: "name" })] as const,
  ),
  ["event.v1.EventService/GetEvent", { event_id: EVENT }],
  ["event.v1.EventService/ListEvents", list()],
  ["event.v1.EventService/CountEvents", {}],
  ["event.v1.EventService/ListCheckIns", { event_id: EVENT, ...list() }],
  ["event.v1.EventService/CountCheckIns", { event_id: EVENT }],
  ...["Person 1", "Person 99", "Person 500"].map(
    (query) => ["event.v1.EventService/ListAttendeeCodes", { event_id: EVENT, ...list({ query }) }] as const,
  ),
  ...[1, 2, 300, 1000].map((n) => ["talk.v1.TalkService/GetTalk", { talk_id: numbered("T", n) }] as const),
  ...["points desc", "title"].map((order_by) => ["talk.v1.TalkService/ListTalks", list({ order_by })] as const),
  ["talk.v1.TalkService/CountTalks", {}],
  ["talk.v1.TalkService/ListFeedback", { talk_id: numbered("T", 1), ...list() }],
  ["chat.v1.ChatService/ListAllThreads", list()],
  ["chat.v1.ChatService/GetThread", { thread_id: THREAD }],
  ["chat.v1.ChatService/ListThreads", list()],
  ["chat.v1.ChatService/FindPeople", { query: "Person 7" }],
  ["accounting.v1.AccountingService/GetStats", {}],
  ["accounting.v1.AccountingService/ListTransactions", { user_id: numbered("U", 1), ...list() }],
  ["accounting.v1.AccountingService/GetBalance", { user_id: numbered("U", 1) }],
  ...[1, 2, 3, 4].map(
    (n) => ["audit.v1.AuditService/ListAuditEntries", { target: `user ${numbered("U", n)}` }] as const,
  ),
  ["music.v1.MusicService/ListSongs", list()],
  ["music.v1.MusicService/ListSongs", list({ order_by: "title" })],
  ["music.v1.MusicService/ListSongs", list({ query: "Bench" })],
  ["music.v1.MusicService/CountSongs", {}],
  ["music.v1.MusicService/ListPlaylists", {}],
  ["lights.v1.LightsService/ListLights", {}],
  ["lights.v1.LightsService/CountLights", {}],
  ["lights.v1.LightsService/ListGroups", {}],
  ["lights.v1.LightsService/ListFixtures", list()],
  ["lights.v1.LightsService/CountFixtures", {}],
  ["lights.v1.LightsService/ListLightTypes", {}],
  ["lights.v1.LightsService/ListOutputs", {}],
  ["director.v1.DirectorService/GetStageLink", { event_id: EVENT }],
  ["director.v1.DirectorService/ListStageScreens", {}],
];

/** When people were seen: the one who asks is seen by that, before and after. */
const PRESENCE = /"(lastSeenAt|isOnline)":("[^"]*"|true|false),?/g;

/** Answers as they came but for presence, in the order of the calls. @throws Error for one that is refused */
export async function askFifty(product: Product, token: string): Promise<readonly string[]> {
  const answers = [];
  for (const [method, request] of CALLS) {
    const answer = await fetch(`${product.url}/followspot.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(request),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method}: ${text}`);
    answers.push(text.replaceAll(PRESENCE, ""));
  }
  return answers;
}

/** Names of the calls that were answered otherwise. */
export const differing = (one: readonly string[], other: readonly string[]): string[] =>
  CALLS.flatMap(([method, request], i) => (one[i] === other[i] ? [] : [`${method} ${JSON.stringify(request)}`]));

export const FIFTY = CALLS.length;
