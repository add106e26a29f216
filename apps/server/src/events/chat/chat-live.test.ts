import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type Listening } from "@followspot/contract/client";
import { ChatService } from "@followspot/contract/chat";
import type { Envelope } from "@followspot/contract";
import { afterAll, afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { issueToken } from "../../community/auth/sessions.ts";
import { connectBroker, leaveBroker } from "../../platform/broker/nats.ts";
import { EventFeed } from "../../platform/live-events/event-feed.ts";
import { startLiveServer } from "../../testing/live-server.ts";
import { openUntil } from "../../testing/open-until.ts";
import type { Wire } from "../../testing/test-server.ts";
import { takesBack } from "./taken-back.ts";

const open: Listening[] = [];
const server = openUntil(afterAll, await startLiveServer());
afterEach(() => open.splice(0).forEach((each) => each.close()));

/** Creates a member with a client of the app library. */
async function member(name: string) {
  const person = await server.person(name);
  const app = connect({ baseUrl: server.base, token: person.token });
  return { ...person, app, chat: app.service(ChatService) };
}
type Member = Awaited<ReturnType<typeof member>>;

/** Subscribes a member to topics and collects what they receive. */
async function hear({ app }: Pick<Member, "app">, ...topics: string[]) {
  const told = {
    envelopes: [] as Envelope<Wire>[],
    resets: [] as string[],
    refused: [] as string[],
    states: [] as string[],
  };
  const listening = app.listen(topics, {
    onEnvelope: (envelope) => told.envelopes.push(envelope),
    onReset: (topic) => told.resets.push(topic),
    onRefused: (topic) => told.refused.push(topic),
    onState: (state) => told.states.push(state),
  });
  open.push(listening);
  await expect.poll(() => told.states.at(-1)).toBe("live");
  await pause(100); // the subscriptions after the greeting
  told.resets.length = 0; // each topic is reset once when it is subscribed
  const types = () => told.envelopes.map(({ type }) => type);
  return { ...told, listening, types };
}

async function pair() {
  const [ada, bea] = [await member("Ada"), await member("Bea")];
  const { thread } = await ada.chat.createThread({ memberIds: [bea.id] });
  return { ada, bea, threadId: thread!.id, topic: `chat.thread.${thread!.id}` };
}

// kept: Live | Each reaction to a chat message was told with the ids of all who had reacted to it, to all readers |
// failed on the old code
test("publishes changes of a thread to its readers, in order", async () => {
  const { ada, bea, threadId, topic } = await pair();
  const heard = await hear(bea, topic);
  const { message } = await ada.chat.sendMessage({ threadId, text: "Hi" });
  const messageId = message!.id;
  await ada.chat.editMessage({ messageId, text: "Hello" });
  await bea.chat.addReaction({ messageId, emoji: "👋" });
  await bea.chat.removeReaction({ messageId, emoji: "👋" });
  await ada.chat.updateThread({ threadId, title: "We two" });
  await ada.chat.deleteMessage({ messageId });
  await expect
    .poll(heard.types)
    .toEqual([
      "message.created",
      "message.updated",
      "reaction.added",
      "reaction.removed",
      "thread.updated",
      "message.deleted",
    ]);
  const [created, , added, , , deleted] = heard.envelopes;
  expect(created).toMatchObject({ topic, payload: { thread_id: threadId, message: { text: "Hi", userName: "Ada" } } });
  expect(added?.payload).toEqual({
    reaction_id: `${messageId}/👋`,
    thread_id: threadId,
    message_id: messageId,
    user_id: bea.id,
    emoji: "👋",
  });
  expect(deleted?.payload.message.text).toBeUndefined();
});

test("publishes changes of a thread on the topics of its members only", async () => {
  const { ada, bea, threadId } = await pair();
  const cy = await member("Cy");
  const mine = await hear(bea, `user.${bea.id}`);
  const strange = await hear(cy, `user.${bea.id}`, `chat.thread.${threadId}`, `user.${cy.id}`);
  const { message } = await ada.chat.sendMessage({ threadId, text: "Hi" });
  await bea.chat.markRead({ threadId, messageId: message!.id });
  // The creation of the thread may still have been in transit.
  await expect.poll(() => mine.types().slice(-2)).toEqual(["thread.updated", "thread.read"]);
  expect(mine.envelopes.at(-1)).toMatchObject({ topic: `user.${bea.id}`, payload: { thread_id: threadId } });
  expect(JSON.stringify(mine.envelopes)).not.toContain("Hi");
  expect(strange.refused.toSorted()).toEqual([`chat.thread.${threadId}`, `user.${bea.id}`].toSorted());
  expect(strange.envelopes).toEqual([]);
});

test("moderators receive thread changes, and cannot subscribe to the messages", async () => {
  const { ada, threadId, topic } = await pair();
  const { token } = await server.person("Mod", ["Admin"]);
  const heard = await hear({ app: connect({ baseUrl: server.base, token }) }, "threads", topic);
  await ada.chat.sendMessage({ threadId, text: "Between us" });
  await expect.poll(() => heard.types().at(-1)).toBe("thread.updated");
  expect([heard.refused, JSON.stringify(heard.envelopes).includes("Between us")]).toEqual([[topic], false]);
});

test("a removed member is notified, and receives no later message", async () => {
  const { ada, bea, threadId, topic } = await pair();
  const [theirs, mine] = [await hear(bea, topic), await hear(ada, topic)];
  await ada.chat.removeMember({ threadId, userId: bea.id });
  await ada.chat.sendMessage({ threadId, text: "Alone at last" });
  await expect.poll(mine.types).toEqual(["thread.left", "message.created"]);
  await expect.poll(() => theirs.refused).toEqual([topic]);
  theirs.listening.follow(topic);
  await expect.poll(() => theirs.refused).toEqual([topic, topic]);
  expect(theirs.types()).toEqual(["thread.left"]);
});

test("a member who is removed while subscribing receives nothing either", async () => {
  for (let round = 0; round < 10; round++) {
    const { ada, bea, threadId, topic } = await pair();
    const heard = await hear(bea);
    await Promise.all([
      ada.chat.removeMember({ threadId, userId: bea.id }),
      pause(round * 5).then(() => heard.listening.follow(topic)),
    ]);
    await ada.chat.sendMessage({ threadId, text: "Secret" });
    await expect.poll(() => heard.refused).toEqual([topic]);
    expect(heard.types()).not.toContain("message.created");
  }
});

test("publishes typing immediately, at most every two seconds, and stores it nowhere", async () => {
  const { ada, bea, threadId, topic } = await pair();
  const heard = await hear(bea, topic);
  for (let i = 0; i < 5; i++) await ada.chat.sendTyping({ threadId });
  await expect.poll(heard.types).toEqual(["typing.started"]);
  expect(heard.envelopes[0]).toMatchObject({ topic, payload: { user_id: ada.id, user_name: "Ada" } });
  expect(heard.envelopes[0]?.sequence).toBeUndefined();
  const kept = await server.sql`select 1 from audit_log where action like 'typing%'`;
  const waiting = await server.sql`select 1 from outbox where body like '%typing%'`;
  expect([kept.length, waiting.length]).toEqual([0, 0]);
});

test("loses, duplicates and reorders nothing over interrupted connections", async () => {
  const { ada, bea, threadId, topic } = await pair();
  const heard = await hear(bea, topic, `user.${bea.id}`);
  await ada.chat.sendMessage({ threadId, text: "m0" });
  await expect.poll(() => heard.types().slice(-2).toSorted()).toEqual(["message.created", "thread.updated"]);
  for (let i = 1; i <= 40; i++) {
    if (i % 8 === 0) server.cutConnections();
    // A call whose connection was cut is repeated with the same ID.
    const send = () => ada.chat.sendMessage({ threadId, text: `m${i}`, clientId: `m${i}` });
    await send().catch(send);
    if (i % 8 === 1) await ada.chat.sendTyping({ threadId });
  }
  const said = () => heard.envelopes.filter(({ type }) => type === "message.created");
  await expect.poll(() => said().length, { timeout: 25_000 }).toBe(41);
  expect(said().map(({ payload }) => payload.message.text)).toEqual(Array.from({ length: 41 }, (_, i) => `m${i}`));
  const own = heard.envelopes.filter(({ type }) => type === "thread.updated");
  expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
  expect([own.length, heard.resets]).toEqual([41, []]);
});

test("publishes a purge to the threads that it empties", async () => {
  const { ada, bea, threadId, topic } = await pair();
  const admin = await server.person("Mod", ["Admin"]);
  await bea.chat.sendMessage({ threadId, text: "Mine" });
  const heard = await hear(ada, topic);
  for (const method of ["DeleteUser", "PurgeUser"]) {
    await server.call(`user.v1.UserService/${method}`, { userId: bea.id }, admin.token);
  }
  await expect.poll(() => heard.types().at(-1)).toBe("thread.updated");
});

/** Returns what a client receives that resumes a topic after `lastEventId`, up to an envelope of `lastType`. */
async function comeBack(token: string, topic: string, lastEventId: string, lastType: string): Promise<string> {
  const socket = new WebSocket(`${server.base.replace("http", "ws")}/ws/events`);
  const told: Envelope[] = [];
  socket.on("message", (data) => told.push(JSON.parse(String(data))));
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "ClientHello", payload: { token, subscriptions: [] } }));
  socket.send(JSON.stringify({ type: "Subscribe", payload: { topic, last_event_id: lastEventId } }));
  await expect.poll(() => told.at(-1)?.type).toBe(lastType);
  socket.terminate();
  expect(told.map(({ type }) => type)).not.toContain("Reset");
  return JSON.stringify(told);
}

/** The same from a feed that was just started, as after a restart of the API. */
async function replayAnew(topic: string, lastEventId: string): Promise<string> {
  const broker = await connectBroker(process.env.NATS_URL ?? "", "another feed");
  const feed = new EventFeed(() => {}, takesBack);
  feed.start(broker, { onEnvelope: () => {}, onGap: () => {} });
  const { envelopes, complete } = await feed.replay(topic, lastEventId);
  expect(complete).toBe(true);
  await feed.close();
  await leaveBroker(broker);
  return JSON.stringify(envelopes);
}

test("a resuming client does not receive the text of messages deleted meanwhile", async () => {
  const { ada, bea, threadId, topic } = await pair();
  const heard = await hear(bea, topic);
  await ada.chat.sendMessage({ threadId, text: "Hi" });
  await expect.poll(heard.types).toHaveLength(1);
  const messageId = (await ada.chat.sendMessage({ threadId, text: "Regretted once" })).message!.id;
  await ada.chat.editMessage({ messageId, text: "Regretted twice" });
  await bea.chat.addReaction({ messageId, emoji: "👋" });
  await ada.chat.sendMessage({ threadId, text: "Meant" });
  await ada.chat.deleteMessage({ messageId });
  await expect.poll(heard.types).toHaveLength(6);
  const [{ id: before }] = heard.envelopes as [Envelope];
  const told = await comeBack(bea.token, topic, before, "message.deleted");
  for (const text of [told, await replayAnew(topic, before)]) {
    expect(text).not.toContain("Regretted");
    expect(text).toContain("Meant");
    const created = (JSON.parse(text) as Envelope<Wire>[]).find(({ payload }) => payload.message?.id === messageId);
    expect(created).toMatchObject({ type: "message.created", payload: { message: { deletedAt: expect.any(String) } } });
  }
});

test("a resuming client receives neither messages nor the name of a purged user", async () => {
  const { ada, threadId, topic } = await pair();
  const admin = await server.person("Mod", ["Admin"]);
  const app = connect({ baseUrl: server.base, token: admin.token });
  const [inThread, ofPeople] = [await hear(ada, topic), await hear({ app }, "users")];
  await ada.chat.sendMessage({ threadId, text: "Hi" });
  await server.call("user.v1.UserService/UpdateUser", { userId: ada.id, bio: "Here" }, admin.token);
  await expect.poll(() => [inThread, ofPeople].map(({ envelopes }) => envelopes.length)).toEqual([1, 1]);
  const { user } = (await server.call("user.v1.UserService/CreateUser", { name: "Unforgotten" }, admin.token)).body;
  await ada.chat.addMember({ threadId, userId: user.id });
  const token = await issueToken(server.sql, server.secret, user.id, "test");
  await connect({ baseUrl: server.base, token }).service(ChatService).sendMessage({ threadId, text: "Unforgettable" });
  for (const method of ["DeleteUser", "PurgeUser"])
    await server.call(`user.v1.UserService/${method}`, { userId: user.id }, admin.token);
  await expect.poll(() => ofPeople.types().at(-1)).toBe("user.purged");
  await expect.poll(() => inThread.types().at(-1)).toBe("thread.updated");
  const told = [
    await comeBack(ada.token, topic, inThread.envelopes[0]!.id, "thread.updated"),
    await comeBack(admin.token, "users", ofPeople.envelopes[0]!.id, "user.purged"),
    await replayAnew(topic, inThread.envelopes[0]!.id),
    await replayAnew("users", ofPeople.envelopes[0]!.id),
  ];
  for (const text of told) expect(text).not.toContain("Unforg");
  expect(told[0]).toContain("message.created");
  expect(told[1]).toContain(user.id);
});

test("reports an expired token once and stops the subscription", async () => {
  const bea = await member("Bea");
  let signedOut = 0;
  const listening = connect({ baseUrl: server.base, token: "garbage" }).listen(["songs"], {
    onEnvelope: () => {},
    onSignedOut: () => (signedOut += 1),
  });
  open.push(listening);
  await expect.poll(() => signedOut).toBe(1);
  await expect(
    connect({ baseUrl: server.base, token: "garbage" }).service(ChatService).listThreads({}),
  ).rejects.toThrow("[unauthenticated] Sign in first");
  expect((await bea.chat.listThreads({})).threads).toEqual([]);
  await pause(1200);
  expect(signedOut).toBe(1);
});
