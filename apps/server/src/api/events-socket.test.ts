import { createServer, type Server } from "node:http";
import { connect as connectTo, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope } from "@followspot/contract";
import { ulid } from "ulid";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import type { Replay } from "../platform/live-events/events-connection.ts";
import { createEventsSocket, type EventsSocket } from "./events-socket.ts";
import type { Memberships } from "../platform/live-events/topics.ts";

let http: Server;
let events: EventsSocket;
let url: string;
let replay: (topic: string, afterId: string) => Promise<Replay>;
const server = openUntil(afterAll, await startTestServer());
beforeEach(() => open(0.2));
afterEach(() => close());

async function open(
  heartbeatSeconds: number,
  memberships: Memberships = {},
  origins: readonly string[] = [],
  helloSeconds = 0.3,
) {
  replay = async () => ({ envelopes: [], complete: true });
  events = createEventsSocket({
    sessions: server.sessions,
    memberships,
    replay: (topic, afterId) => replay(topic, afterId),
    heartbeatSeconds,
    origins,
    helloSeconds,
  });
  http = createServer().on("upgrade", events.handleUpgrade);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws/events`;
}

function close() {
  events.close();
  http.closeAllConnections();
  http.close();
}

function connect(options: { headers?: Record<string, string>; autoPong?: boolean } = {}) {
  const ws = new WebSocket(url, options);
  const received: Envelope<Wire>[] = [];
  const waiting: (() => void)[] = [];
  ws.on("message", (data) => {
    received.push(JSON.parse(String(data)));
    waiting.splice(0).forEach((wake) => wake());
  });
  ws.on("error", () => {});
  const closed = new Promise<number>((resolve) => ws.on("close", resolve));
  const opened = new Promise<void>((resolve) => ws.on("open", () => resolve()));
  const refused = new Promise<number>((resolve) =>
    ws.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0)),
  );
  const say = (type: string, payload: object = {}) => ws.send(JSON.stringify({ type, payload }));
  /** Returns the next n envelopes. */
  async function next(n = 1): Promise<Envelope<Wire>[]> {
    while (received.length < n) await new Promise<void>((resolve) => waiting.push(resolve));
    return received.splice(0, n);
  }
  return { ws, say, next, received, opened, closed, refused };
}

async function join(token: string, ...subscriptions: string[]) {
  const client = connect();
  await client.opened;
  client.say("ClientHello", { token, subscriptions });
  await client.next(1 + subscriptions.length);
  return client;
}

const envelope = (topic: string, type = "thing.changed", payload: object = {}): Envelope => ({
  id: ulid(),
  topic,
  type,
  ts: new Date().toISOString(),
  payload,
});

test("responds to a hello and sends envelopes of subscribed topics only", async () => {
  const { token } = await server.person("Ada", ["Admin"]);
  const client = connect();
  await client.opened;
  client.say("ClientHello", { token, subscriptions: ["songs"] });
  const [ack, subscribed] = await client.next(2);
  expect(ack).toMatchObject({
    topic: "control",
    type: "ServerAck",
    payload: { connection_id: expect.any(String), heartbeat_sec: 0.2 },
  });
  expect(subscribed).toMatchObject({ type: "Subscribed", payload: { topic: "songs" } });
  events.publish(envelope("events"));
  const mine = envelope("songs");
  events.publish(mine);
  expect(await client.next()).toEqual([mine]);
  client.say("Unsubscribe", { topic: "songs" });
  await client.next();
  events.publish(envelope("songs"));
  client.say("Ping");
  expect((await client.next())[0]?.type).toBe("Pong");
});

test("closes without a hello in time, with an invalid token, on a message before the hello and on a second hello", async () => {
  const { token } = await server.person("Bea");
  const silent = connect();
  expect(await silent.closed).toBe(4408);
  for (const [type, payload] of [
    ["ClientHello", { token: "garbage" }],
    ["ClientHello", { token: "" }],
    ["Subscribe", { topic: "songs" }],
    ["Nonsense", {}],
  ] as const) {
    const client = connect();
    await client.opened;
    client.say(type, payload);
    expect(await client.closed).toBe(4401);
    expect(client.received).toEqual([]);
  }
  const twice = await join(token);
  twice.say("ClientHello", { token });
  expect(await twice.closed).toBe(4401);
});

test("accepts pages of the same host by cookie and rejects others during the upgrade", async () => {
  const { token } = await server.person("Cy");
  const own = url.replace("ws:", "http:").replace("/ws/events", "");
  const cookie = `followspot_session=${token}`;
  const client = connect({ headers: { cookie, origin: own } });
  await client.opened;
  client.say("ClientHello", { token: "" });
  expect((await client.next())[0]?.type).toBe("ServerAck");
  for (const origin of ["https://evil.example", "null", `${own}.evil.example`]) {
    expect(await connect({ headers: { cookie, origin } }).refused).toBe(403);
  }
});

test("accepts pages of an allowed origin by token only", async () => {
  close();
  const origin = "https://app.example.org";
  await open(0.2, {}, [origin]);
  const { token } = await server.person("Cy");
  const headers = { origin, cookie: `followspot_session=${token}` };
  const [byToken, byCookie] = [connect({ headers }), connect({ headers })];
  await Promise.all([byToken.opened, byCookie.opened]);
  byToken.say("ClientHello", { token });
  byCookie.say("ClientHello", { token: "" });
  expect((await byToken.next())[0]?.type).toBe("ServerAck");
  expect(await byCookie.closed).toBe(4401);
  expect(await connect({ headers: { origin: `${origin}.evil.example` } }).refused).toBe(403);
});

test.each([
  [[], "songs song.S1 events event.E1 user.SELF", "user.OTHER lights stage workers director"],
  [["Director"], "songs lights stage workers director", "user.OTHER"],
  [["AI"], "songs lights", "stage workers director user.OTHER"],
  [["Admin"], "songs lights stage workers director user.OTHER", ""],
] as const)("allows %j to subscribe to the topics of its roles only", async (roles, allowed, refused) => {
  const { id, token } = await server.person("Di", roles);
  const client = await join(token);
  const never = "> * $JS.> songs.> song.* song.a.b user. user.* chat.thread.1 group.1 event.> control constructor";
  const topics = (text: string) =>
    text
      .split(" ")
      .filter(Boolean)
      .map((topic) => topic.replace("SELF", id));
  for (const topic of topics(allowed)) {
    client.say("Subscribe", { topic });
    expect((await client.next())[0]).toMatchObject({ type: "Subscribed", payload: { topic } });
  }
  for (const topic of topics(`${refused} ${never}`)) {
    client.say("Subscribe", { topic });
    expect((await client.next())[0]).toMatchObject({ type: "Error", payload: { code: "permission_denied", topic } });
    events.publish(envelope(topic));
  }
  client.say("Ping");
  expect((await client.next())[0]?.type).toBe("Pong");
});

test("replays missed envelopes, then those that arrived meanwhile, each once and in order", async () => {
  const { token } = await server.person("Ed");
  const [a, b, c] = [envelope("songs"), envelope("songs"), envelope("songs")] as const;
  replay = async () => {
    events.publish(b);
    events.publish(c);
    await sleep(20);
    return { envelopes: [a, b], complete: true };
  };
  const client = await join(token);
  client.say("Subscribe", { topic: "songs", last_event_id: ulid() });
  const [subscribed, ...rest] = await client.next(4);
  expect(subscribed?.type).toBe("Subscribed");
  expect(rest.map(({ id }) => id)).toEqual([a.id, b.id, c.id]);
});

test("does not repeat envelopes that a client received from another process", async () => {
  const { token } = await server.person("Eve");
  const [a, b, seen, d, e] = [1, 2, 3, 4, 5].map((sequence) => ({ ...envelope("songs"), sequence }));
  replay = async () => {
    for (const late of [a!, b!, seen!, d!, e!]) events.publish(late);
    await sleep(20);
    return { envelopes: [d!], complete: true, after: 3 };
  };
  const client = await join(token);
  client.say("Subscribe", { topic: "songs", last_event_id: seen!.id });
  const [, ...rest] = await client.next(3);
  client.say("Ping");
  expect([...rest.map(({ id }) => id), (await client.next())[0]?.type]).toEqual([d!.id, e!.id, "Pong"]);
});

test("sends Reset if the past was deleted or is unreadable, and continues live", async () => {
  const { token } = await server.person("Flo");
  const client = await join(token);
  for (const broken of [async () => ({ envelopes: [], complete: false }), () => Promise.reject(new Error("away"))]) {
    replay = broken;
    client.say("Subscribe", { topic: "songs", last_event_id: ulid() });
    expect((await client.next(2)).map(({ type }) => type)).toEqual(["Subscribed", "Reset"]);
  }
  events.publish(envelope("songs"));
  expect((await client.next())[0]?.type).toBe("thing.changed");
  client.say("Subscribe", { topic: "songs", last_event_id: "not an id" });
  expect((await client.next())[0]).toMatchObject({ type: "Error", payload: { code: "invalid_argument" } });
});

test("reports server problems to all authenticated clients", async () => {
  const { token } = await server.person("Ada", ["Admin"]);
  const [client, stranger] = [await join(token, "songs"), connect()];
  await stranger.opened;
  events.sayAll("unavailable", "News come late");
  const payload = { code: "unavailable", message: "News come late" };
  expect(await client.next()).toMatchObject([{ topic: "control", type: "Error", payload }]);
  events.reset();
  expect(await client.next()).toMatchObject([{ type: "Reset", payload: { topic: "songs" } }]);
  expect(stranger.received).toEqual([]);
});

test("closes the sockets of an ended session only", async () => {
  const gus = await server.person("Gus");
  const hal = await server.person("Hal");
  const [first, second, other] = [await join(gus.token), await join(gus.token), await join(hal.token)];
  events.publish(envelope(`user.${gus.id}`, "session.ended", { user_id: gus.id }));
  expect([await first.closed, await second.closed]).toEqual([4401, 4401]);
  other.say("Ping");
  expect((await other.next())[0]?.type).toBe("Pong");
});

test("detects an ended session if the notification was lost", async () => {
  const { token } = await server.person("Ida");
  const client = await join(token);
  await server.call("auth.v1.AuthService/SignOut", {}, token);
  expect(await client.closed).toBe(4401);
});

test("disconnects a peer that stops responding", async () => {
  const { token } = await server.person("Jo");
  const client = connect({ autoPong: false });
  await client.opened;
  client.say("ClientHello", { token });
  expect(await client.closed).toBe(1006);
  await expect.poll(() => events.connectionCount()).toBe(0);
});

test("disconnects a slow reader and serves the others", async () => {
  close();
  await open(30); // a client that reads nothing responds to no heartbeat either
  const { token } = await server.person("Kay");
  const slow = await join(token, "songs");
  const good = await join(token, "events");
  slow.ws.pause();
  const big = envelope("songs", "thing.changed", { text: "x".repeat(1024 * 1024) });
  for (let i = 0; i < 40; i++) {
    events.publish(big);
    await sleep(1);
  }
  events.publish(envelope("events"));
  expect(await good.next()).toHaveLength(1);
  slow.ws.resume();
  expect(await slow.closed).toBe(1013);
  expect(slow.received.length).toBeLessThan(25);
});

test("survives invalid messages", async () => {
  const { token } = await server.person("Lu");
  const client = await join(token);
  for (const text of ["", "{", "null", "[]", '{"type":"Subscribe"}', '{"type":7}', `"${"x".repeat(1000)}"`]) {
    client.ws.send(text);
    expect((await client.next())[0]).toMatchObject({ type: "Error", payload: { code: "invalid_argument" } });
  }
  const binary = await join(token);
  binary.ws.send(Buffer.from([1, 2, 3]));
  expect(await binary.closed).toBe(1003);
  const huge = await join(token);
  huge.ws.send("x".repeat(70_000));
  expect(await huge.closed).toBe(1009);
  const flood = await join(token);
  for (let i = 0; i < 700; i++) flood.say("Ping");
  expect(await flood.closed).toBe(1008);
});

// kept: Live | Sockets that closed while it was asked whether they may listen were listened for until the next start |
// failed on the old code
test("sockets closed during an authorization check leave no subscription behind", async () => {
  close();
  const answer = Promise.withResolvers<boolean>();
  let asked = 0;
  await open(30, { "chat.thread": async () => (asked++, answer.promise) }, [], 30);
  const { token } = await server.person("Mo");
  const clients = Array.from({ length: 100 }, () => connect());
  for (const client of clients) {
    await client.opened;
    client.say("ClientHello", { token, subscriptions: ["chat.thread.1", "songs"] });
  }
  await expect.poll(() => asked).toBe(100);
  for (const { ws } of clients) ws.terminate();
  await expect.poll(() => events.connectionCount()).toBe(0);
  answer.resolve(true);
  const last = connect();
  await last.opened;
  last.say("ClientHello", { token, subscriptions: ["songs"] });
  await last.next(2);
  expect(events.listeningCount()).toBe(1);
});

// kept: Live | A socket that never said hello was held 40 seconds | failed on the old code
test("closes a socket without a hello, although its peer never responds", async () => {
  close();
  await open(30);
  const { port } = http.address() as AddressInfo;
  const socket = connectTo(port, "127.0.0.1").on("error", () => {});
  const isOver = new Promise<void>((resolve) => socket.on("end", resolve));
  socket
    .resume()
    .write(
      "GET /ws/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
  await expect.poll(() => events.connectionCount()).toBe(1);
  await expect.poll(() => events.connectionCount()).toBe(0);
  await isOver;
  socket.destroy();
});
