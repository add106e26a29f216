import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type TestServer, type Wire } from "../../testing/test-server.ts";

type Person = Awaited<ReturnType<TestServer["person"]>>;

const server = openUntil(afterAll, await startTestServer({ connections: 10 }));
const admin = await server.person("Mod", ["Admin"]);
const [bea, cy] = [await server.person("Bea"), await server.person("Cy")];

const chat = (method: string, body: object, by: Person) => server.call(`chat.v1.ChatService/${method}`, body, by.token);
const join = (eventId: string, by: Person) => chat("JoinEventThread", { eventId }, by);
const events = async (method: string, body: object) =>
  (await server.call(`event.v1.EventService/${method}`, body, admin.token)).body;
const event = async (title = "Night"): Promise<string> =>
  (await events("CreateEvent", { title, startsAt: "2026-05-01T20:00:00Z", endsAt: "2026-05-02T02:00:00Z" })).event.id;

/** Inserts users directly into the database as members of a thread. */
async function fill(threadId: string, count: number) {
  const prefix = `${threadId}-`;
  await server.sql`
    insert into users (id, name) select ${prefix} || i, 'Guest ' || i from generate_series(1, ${count}::int) i`;
  await server.sql`
    insert into chat_members (thread_id, user_id) select ${threadId}, ${prefix} || i from generate_series(1, ${count}::int) i`;
}

/** Returns type and topics of the envelopes published since a sequence number. */
async function toldSince(seq: string): Promise<{ type: string; topics: string[] }[]> {
  const rows = await server.sql`select body::jsonb as body from outbox where seq > ${seq}::text::bigint order by seq`;
  return rows.map(({ body }) => ({ type: body.type, topics: body.topics }));
}
const lastSeq = async () =>
  (await server.sql<{ seq: string }[]>`select coalesce(max(seq), 0)::text as seq from outbox`)[0]!.seq;

test("is one thread with the event's title, also for 200 simultaneous requests", async () => {
  const eventId = await event("Late night");
  const people = await Promise.all(Array.from({ length: 200 }, (_, i) => server.person(`Guest ${i}`)));
  const answers = await Promise.all(people.map((person) => join(eventId, person)));
  const threads = answers.map(({ body }) => body.thread);
  expect(new Set(threads.map(({ id }: Wire) => id)).size).toBe(1);
  expect(threads[7]).toMatchObject({ title: "Late night", eventId, eventTitle: "Late night", isMember: true });
  expect(threads[7].createdBy).toBeUndefined();
  const { body } = await chat("GetThread", { threadId: threads[0].id }, people[0]!);
  expect(body.thread.members).toHaveLength(200);
  expect(server.failures).toEqual([]);
});

test("is joined once per user; they read earlier messages and have nothing unread", async () => {
  const eventId = await event();
  const { thread } = (await join(eventId, bea)).body;
  await chat("SendMessage", { threadId: thread.id, text: "Hello" }, bea);
  const answers = await Promise.all(Array.from({ length: 5 }, () => join(eventId, cy)));
  expect(answers.map(({ body }) => body.thread.memberIds.length)).toEqual(Array(5).fill(2));
  expect(answers[0]!.body.thread.unreadCount).toBeUndefined();
  const { body } = await chat("ListMessages", { threadId: thread.id }, cy);
  expect(body.messages.map(({ text }: Wire) => text)).toEqual(["Hello"]);
});

test("is separate from threads that users created about the event", async () => {
  const eventId = await event();
  const own = (await chat("CreateThread", { title: "We two", eventId, memberIds: [cy.id] }, bea)).body.thread;
  expect((await join(eventId, bea)).body.thread.id).not.toBe(own.id);
});

test("is rejected for a deleted or unknown event, also for its members", async () => {
  const eventId = await event();
  await join(eventId, bea);
  await events("DeleteEvent", { eventId });
  expect([(await join(eventId, bea)).code, (await join("missing", bea)).code]).toEqual(["not_found", "not_found"]);
});

test("holds 2,000 members, reports when it is full, and has room again when one leaves", async () => {
  const eventId = await event();
  const threadId = (await join(eventId, bea)).body.thread.id;
  await fill(threadId, 1999);
  const { code, body } = await join(eventId, cy);
  expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("2000 members")]);
  expect((await join(eventId, bea)).status).toBe(200);
  await chat("RemoveMember", { threadId, userId: bea.id }, bea);
  expect((await join(eventId, cy)).status).toBe(200);
});

test("publishes a message to readers and moderators, not to each of 300 members", async () => {
  const threadId = (await join(await event(), bea)).body.thread.id;
  await fill(threadId, 300);
  const before = await lastSeq();
  expect((await chat("SendMessage", { threadId, text: "Hi" }, bea)).status).toBe(200);
  expect(await toldSince(before)).toEqual([
    { type: "message.created", topics: [`chat.thread.${threadId}`] },
    { type: "thread.updated", topics: ["threads"] },
  ]);
});

test("publishes a join to the new member only, and a leave to the readers", async () => {
  const eventId = await event();
  const threadId = (await join(eventId, bea)).body.thread.id;
  await fill(threadId, 300);
  const before = await lastSeq();
  await join(eventId, cy);
  await chat("RemoveMember", { threadId, userId: cy.id }, cy);
  expect(await toldSince(before)).toEqual([
    { type: "thread.joined", topics: ["threads", `user.${cy.id}`] },
    { type: "thread.left", topics: ["threads", `chat.thread.${threadId}`, `user.${cy.id}`] },
  ]);
});

test("keeps out a user whom an Admin removed, until an Admin adds them again", async () => {
  const eventId = await event();
  const threadId = (await join(eventId, bea)).body.thread.id;
  await join(eventId, cy);
  await chat("RemoveMember", { threadId, userId: cy.id }, admin);
  for (const answer of [await join(eventId, cy), await chat("AddMember", { threadId, userId: cy.id }, bea)]) {
    expect([answer.code, answer.body.message]).toEqual(["permission_denied", expect.stringContaining("Ask an Admin")]);
  }
  await join(eventId, admin);
  expect((await chat("AddMember", { threadId, userId: cy.id }, admin)).status).toBe(200);
  await chat("RemoveMember", { threadId, userId: cy.id }, cy);
  expect((await join(eventId, cy)).status).toBe(200);
});

test("has no owner: its first member neither renames it nor removes others", async () => {
  const eventId = await event();
  const threadId = (await join(eventId, bea)).body.thread.id;
  await join(eventId, cy);
  const rename = (by: Person) => chat("UpdateThread", { threadId, title: "Mine" }, by);
  expect((await rename(bea)).code).toBe("permission_denied");
  expect((await chat("RemoveMember", { threadId, userId: cy.id }, bea)).code).toBe("permission_denied");
  await join(eventId, admin);
  expect((await rename(admin)).body.thread.title).toBe("Mine");
});
