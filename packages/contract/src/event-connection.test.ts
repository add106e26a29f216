import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocketServer, type WebSocket as ServerSocket } from "ws";
import { EventConnection } from "./event-connection.ts";
import type { Envelope } from "./sockets.ts";

/** A server that speaks /ws/events and writes down what it was told. */
let server: WebSocketServer;
let connections: {
  socket: ServerSocket;
  heard: { type: string; payload?: { topic?: string; last_event_id?: string } }[];
}[];
let opened: EventConnection[];
let greets: boolean;
let heartbeatSeconds: number;

beforeEach(async () => {
  connections = [];
  opened = [];
  greets = true;
  heartbeatSeconds = 30;
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((done) => server.once("listening", done));
  server.on("connection", (socket) => {
    const connection: (typeof connections)[number] = { socket, heard: [] };
    connections.push(connection);
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as (typeof connection.heard)[number];
      connection.heard.push(message);
      if (message.type === "ClientHello" && greets)
        control(socket, "ServerAck", { connection_id: "c", heartbeat_sec: heartbeatSeconds });
      if (message.type === "Subscribe") control(socket, "Subscribed", { topic: message.payload?.topic });
      if (message.type === "Ping") control(socket, "Pong", {});
    });
  });
});
afterEach(async () => {
  for (const connection of opened) connection.close();
  for (const { socket } of connections) socket.terminate();
  await new Promise((done) => server.close(done));
});

const send = (socket: ServerSocket, envelope: Partial<Envelope>) =>
  socket.send(JSON.stringify({ ts: "", payload: {}, sequence: 1, ...envelope }));
const control = (socket: ServerSocket, type: string, payload: object) =>
  send(socket, { id: "0", topic: "control", type, payload });

/** @param since where in the stream its pages were read */
function open(topics: readonly string[] = ["songs", "events"], since?: string) {
  const told = {
    envelopes: [] as string[],
    resets: [] as string[],
    refused: [] as string[],
    states: [] as string[],
    refusals: 0,
  };
  const connection = new EventConnection(
    {
      url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/ws/events`,
      since,
      onEnvelope: ({ id }) => told.envelopes.push(id),
      onReset: (topic) => told.resets.push(topic),
      onRefused: (topic) => told.refused.push(topic),
      onState: (state) => told.states.push(state),
      onUnauthenticated: () => (told.refusals += 1),
      isOnline: () => true,
    },
    topics,
  );
  opened.push(connection);
  return { connection, told, isLive: () => expect.poll(() => told.states.at(-1)).toBe("live") };
}

const subscriptions = (at: number) =>
  connections[at]!.heard.filter(({ type }) => type === "Subscribe").map(({ payload }) => [
    payload?.topic,
    payload?.last_event_id,
  ]);

test("follows its topics after the greeting, and others as they are wanted", async () => {
  const { connection, told, isLive } = open(["songs", "events"], "e0");
  await isLive();
  connection.follow("song.s1");
  await expect.poll(() => subscriptions(0).map(([topic]) => topic)).toEqual(["songs", "events", "song.s1"]);
  connection.ignore("song.s1");
  await expect.poll(() => connections[0]!.heard.at(-1)).toEqual({ type: "Unsubscribe", payload: { topic: "song.s1" } });
  send(connections[0]!.socket, { id: "e1", topic: "songs", type: "song.updated" });
  await expect.poll(() => told.envelopes).toEqual(["e1"]);
  expect(told.resets).toEqual([]);
});

// kept: Live | What changed between the first reading of a page and its connection was never shown | failed on the old code
test("asks for what happened since the page was read, on topics that are followed later as well", async () => {
  const { connection, told, isLive } = open(["songs", "events"], "e0");
  await isLive();
  send(connections[0]!.socket, { id: "e1", topic: "songs", type: "song.updated" });
  await expect.poll(() => told.envelopes).toEqual(["e1"]);
  connection.follow("song.s1");
  await expect
    .poll(() => subscriptions(0))
    .toEqual([
      ["songs", "e0"],
      ["events", "e0"],
      ["song.s1", "e1"],
    ]);
  expect(told.resets).toEqual([]);
});

test("has lists read again once their topics are followed where it is not known since when", async () => {
  const { told, isLive } = open();
  await isLive();
  await expect.poll(() => told.resets).toEqual(["songs", "events"]);
});

test("asks each topic for what it missed, and one of which nothing was seen since any other was", async () => {
  const { told, isLive } = open();
  await isLive();
  await expect.poll(() => told.resets).toEqual(["songs", "events"]);
  send(connections[0]!.socket, { id: "e1", topic: "songs", type: "song.updated" });
  await expect.poll(() => told.envelopes).toEqual(["e1"]);
  connections[0]!.socket.terminate();
  await expect.poll(() => connections).toHaveLength(2);
  await isLive();
  await expect
    .poll(() => subscriptions(1))
    .toEqual([
      ["songs", "e1"],
      ["events", "e1"],
    ]);
  expect(told.resets).toHaveLength(2);
});

// kept: Live | Lists stayed old when the network's return opened the connection at once | failed with the fault put back
test("has lists read again also when the network's return opened the connection at once", async () => {
  greets = false;
  const { connection, told, isLive } = open();
  await expect.poll(() => connections[0]?.heard).toHaveLength(1);
  greets = true;
  connection.wake();
  await isLive();
  await expect.poll(() => told.resets).toEqual(["songs", "events"]);
});

// kept: Live | An old connection that closed late stopped the heartbeat of the new one | failed with the fault put back
test("keeps the heartbeat of the new socket when the old one closes late", async () => {
  greets = false;
  heartbeatSeconds = 1;
  const { connection, told, isLive } = open();
  await expect.poll(() => connections[0]?.heard).toHaveLength(1);
  greets = true;
  // It does not answer the closing: the client hears of its end only later.
  connections[0]!.socket.pause();
  connection.wake();
  await isLive();
  connections[0]!.socket.terminate();
  await expect.poll(() => connections[1]!.heard.some(({ type }) => type === "Ping")).toBe(true);
  // The new connection goes silent: only its own beat can notice.
  connections[1]!.socket.removeAllListeners("message");
  await expect.poll(() => told.states.at(-1)).toBe("reconnecting");
});

test("passes on that a topic was reset, each of them when none is named", async () => {
  const { told, isLive } = open(["songs", "events"], "e0");
  await isLive();
  control(connections[0]!.socket, "Reset", { topic: "songs" });
  await expect.poll(() => told.resets).toEqual(["songs"]);
  control(connections[0]!.socket, "Reset", {});
  await expect.poll(() => told.resets).toEqual(["songs", "songs", "events"]);
});

test("says that the server does not know who this is", async () => {
  const { told, isLive } = open();
  await isLive();
  connections[0]!.socket.close(4401, "Sign in first");
  await expect.poll(() => told.refusals).toBe(1);
});

test("outlives what is no message of the protocol", async () => {
  const { told, isLive } = open();
  await isLive();
  connections[0]!.socket.send("not json");
  connections[0]!.socket.send("null");
  send(connections[0]!.socket, { id: "e2", topic: "events", type: "event.updated" });
  await expect.poll(() => told.envelopes).toEqual(["e2"]);
});

test("does not go on from what is kept nowhere", async () => {
  const { told, isLive } = open(["chat.thread.t1"]);
  await isLive();
  send(connections[0]!.socket, { id: "e1", topic: "chat.thread.t1", type: "message.created" });
  send(connections[0]!.socket, { id: "e2", topic: "chat.thread.t1", type: "typing.started", sequence: undefined });
  await expect.poll(() => told.envelopes).toEqual(["e1", "e2"]);
  connections[0]!.socket.terminate();
  await expect.poll(() => connections).toHaveLength(2);
  await isLive();
  await expect.poll(() => subscriptions(1)).toEqual([["chat.thread.t1", "e1"]]);
});

test("asks no more for a topic it may not hear", async () => {
  const { told, isLive } = open(["songs", "chat.thread.t1"]);
  await isLive();
  control(connections[0]!.socket, "Error", { code: "permission_denied", message: "No", topic: "chat.thread.t1" });
  await expect.poll(() => told.refused).toEqual(["chat.thread.t1"]);
  connections[0]!.socket.terminate();
  await expect.poll(() => connections).toHaveLength(2);
  await isLive();
  await expect.poll(() => subscriptions(1)).toEqual([["songs", undefined]]);
});
