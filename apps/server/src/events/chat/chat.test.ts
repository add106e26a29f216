import { afterAll, describe, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type TestServer, type Wire } from "../../testing/test-server.ts";

type Person = Awaited<ReturnType<TestServer["person"]>>;

const server = openUntil(afterAll, await startTestServer());
const [ada, bea, cy] = await Promise.all([server.person("Ada"), server.person("Bea"), server.person("Cy")]);
const admin = await server.person("Mod", ["Admin"]);

const chat = (method: string, body: object, by: Person) => server.call(`chat.v1.ChatService/${method}`, body, by.token);

async function thread(by: Person, others: readonly Person[], fields: object = {}): Promise<string> {
  const { body } = await chat("CreateThread", { memberIds: others.map(({ id }) => id), ...fields }, by);
  return body.thread.id;
}
async function say(threadId: string, by: Person, text: string): Promise<Wire> {
  const { body } = await chat("SendMessage", { threadId, text }, by);
  return body.message;
}
const texts = async (threadId: string, by: Person): Promise<Wire[]> =>
  ((await chat("ListMessages", { threadId }, by)).body.messages ?? []).map(({ text }: Wire) => text ?? "");
const unread = async (threadId: string, by: Person): Promise<number> =>
  (await chat("GetThread", { threadId }, by)).body.thread.unreadCount ?? 0;
const audit = async (target: string) =>
  (await server.sql`select action, user_id, before, after from audit_log where target = ${target} order by id`).map(
    ({ action, user_id, before, after }) => ({ action, user_id, before, after }),
  );

describe("threads", () => {
  test("are listed by last message, newest first, with that message and the members", async () => {
    const dan = await server.person("Dan");
    const first = await thread(dan, [bea], { title: "First" });
    const second = await thread(dan, [bea, cy]);
    await say(first, bea, "Hello");
    const { body } = await chat("ListThreads", {}, dan);
    expect(body.threads.map(({ id }: Wire) => id)).toEqual([first, second]);
    expect(body.threads[0]).toMatchObject({
      title: "First",
      memberIds: expect.arrayContaining([dan.id, bea.id]),
      unreadCount: 1,
      lastMessage: { text: "Hello", userName: "Bea", number: 1 },
      isMember: true,
      createdBy: dan.id,
    });
    expect(body.threads[1].members.map(({ name }: Wire) => name).sort()).toEqual(["Bea", "Cy", "Dan"]);
    const page = (await chat("ListThreads", { list: { pageSize: 1 } }, dan)).body;
    const next = (await chat("ListThreads", { list: { pageSize: 1, pageToken: page.nextPageToken } }, dan)).body;
    expect([page.threads[0].id, next.threads[0].id, next.nextPageToken]).toEqual([first, second, undefined]);
    const found = await chat("ListThreads", { list: { query: "cy" } }, dan);
    expect(found.body.threads.map(({ id }: Wire) => id)).toEqual([second]);
    const withUnread = await chat("ListThreads", { list: { filter: "unread" } }, dan);
    expect(withUnread.body.threads.map(({ id }: Wire) => id)).toEqual([first]);
    expect((await chat("CountUnread", {}, dan)).body).toEqual({ threads: 1 });
  });

  test("may be about an event", async () => {
    const night = { title: "Night", startsAt: "2026-05-01T20:00:00Z", endsAt: "2026-05-02T02:00:00Z" };
    const { event } = (await server.call("event.v1.EventService/CreateEvent", night, admin.token)).body;
    const id = await thread(ada, [bea], { eventId: event.id });
    expect((await chat("GetThread", { threadId: id }, bea)).body.thread).toMatchObject({
      eventId: event.id,
      eventTitle: "Night",
    });
    expect((await chat("CreateThread", { eventId: "none" }, ada)).code).toBe("not_found");
  });

  test("are created once for repeated requests", async () => {
    const made = { title: "Once", memberIds: [bea.id], clientId: "press 1" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => chat("CreateThread", made, ada)));
    expect(new Set(answers.map(({ body }) => body.thread.id)).size).toBe(1);
    expect((await chat("CreateThread", made, bea)).body.thread.id).not.toBe(answers[0]!.body.thread.id);
  });

  test("accept only members who are not deleted", async () => {
    const deleted = await server.person("Deleted");
    await server.call("user.v1.UserService/DeleteUser", { userId: deleted.id }, admin.token);
    expect((await chat("CreateThread", { memberIds: [deleted.id] }, ada)).body.message).toBe(
      `User ${deleted.id} does not exist`,
    );
    const id = await thread(ada, [bea]);
    expect((await chat("AddMember", { threadId: id, userId: deleted.id }, ada)).code).toBe("not_found");
    expect((await chat("AddMember", { threadId: id, userId: "missing" }, ada)).code).toBe("not_found");
  });

  test("hide deleted members and show them again once restored", async () => {
    const eve = await server.person("Eve");
    const id = await thread(ada, [eve]);
    await server.call("user.v1.UserService/DeleteUser", { userId: eve.id }, admin.token);
    expect((await chat("GetThread", { threadId: id }, ada)).body.thread.memberIds).toEqual([ada.id]);
    await server.call("user.v1.UserService/RestoreUser", { userId: eve.id }, admin.token);
    expect((await chat("GetThread", { threadId: id }, ada)).body.thread.memberIds).toHaveLength(2);
  });

  test("can be renamed by any member", async () => {
    const id = await thread(ada, [bea]);
    expect((await chat("UpdateThread", { threadId: id, title: " Crew " }, bea)).body.thread.title).toBe("Crew");
    expect((await chat("UpdateThread", { threadId: id, title: "a\nb" }, bea)).code).toBe("invalid_argument");
  });

  // kept: Changes | A thread took a title of nothing but space | failed on the old code
  test("reject a blank title, and may have none", async () => {
    const id = await thread(ada, [bea]);
    await chat("UpdateThread", { threadId: id, title: "Crew" }, bea);
    for (const title of ["   ", "\t\n", "\u00a0\u2003"]) {
      const refused = await chat("UpdateThread", { threadId: id, title }, bea);
      expect(refused).toMatchObject({
        code: "invalid_argument",
        body: { message: expect.stringContaining("nothing but space") },
      });
    }
    expect((await chat("GetThread", { threadId: id }, ada)).body.thread.title).toBe("Crew");
    expect((await chat("UpdateThread", { threadId: id, title: "" }, bea)).body.thread.title ?? "").toBe("");
  });

  test("look missing to non-members in every call", async () => {
    const id = await thread(ada, [bea]);
    const { id: messageId } = await say(id, ada, "Ours");
    const calls: readonly (readonly [string, object])[] = [
      ["GetThread", { threadId: id }],
      ["UpdateThread", { threadId: id, title: "x" }],
      ["ListMessages", { threadId: id }],
      ["SendMessage", { threadId: id, text: "x" }],
      ["AddMember", { threadId: id, userId: cy.id }],
      ["RemoveMember", { threadId: id, userId: ada.id }],
      ["MarkRead", { threadId: id, messageId }],
      ["SendTyping", { threadId: id }],
      ["EditMessage", { messageId, text: "x" }],
      ["DeleteMessage", { messageId }],
      ["AddReaction", { messageId, emoji: "👍" }],
      ["RemoveReaction", { messageId, emoji: "👍" }],
    ];
    for (const [method, body] of calls) {
      const theirs = await chat(method, body, cy);
      const strange = Object.entries(body).map(([name, value]) => [
        name,
        /^(thread|message)Id$/.test(name) ? "none" : value,
      ]);
      const none = await chat(method, Object.fromEntries(strange), cy);
      expect([method, theirs.code, theirs.body]).toEqual([method, "not_found", none.body]);
    }
    expect(await texts(id, ada)).toEqual(["Ours"]);
  });

  test("hold 500 members and reject more with a reason", async () => {
    const id = await thread(ada, []);
    await server.sql`
      with people as (
        insert into users (id, name) select 'crowd' || i, 'Crowd ' || i from generate_series(1, 499) i returning id
      ) insert into chat_members (thread_id, user_id) select ${id}, id from people`;
    const { code, body } = await chat("AddMember", { threadId: id, userId: bea.id }, ada);
    expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("500 members")]);
    expect((await chat("SendMessage", { threadId: id, text: "To all of you" }, ada)).status).toBe(200);
  });

  test("find users by a part of their name only", async () => {
    const found = async (query: string) =>
      ((await chat("FindPeople", { query }, ada)).body.people ?? []).map(({ name }: Wire) => name);
    const { id } = await server.person("Zora Quint", [], "secret@example.org");
    expect(await found("quin")).toEqual(["Zora Quint"]);
    expect(await found("zora quint")).toEqual(["Zora Quint"]);
    expect(await found("secret@")).toEqual([]);
    expect(await found("%%")).toEqual([]);
    expect((await chat("FindPeople", { query: "z" }, ada)).code).toBe("invalid_argument");
    await server.call("user.v1.UserService/DeleteUser", { userId: id }, admin.token);
    expect(await found("quint")).toEqual([]);
  });
});

describe("members", () => {
  test("who join later read earlier messages, which count as read", async () => {
    const id = await thread(ada, [bea]);
    await say(id, ada, "Before");
    const add = () => chat("AddMember", { threadId: id, userId: cy.id }, bea);
    expect((await Promise.all([add(), add(), add()])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([await texts(id, cy), await unread(id, cy)]).toEqual([["Before"], 0]);
  });

  test("leave themselves, and are removed only by the creator of the thread", async () => {
    const id = await thread(ada, [bea, cy]);
    const refused = await chat("RemoveMember", { threadId: id, userId: cy.id }, bea);
    expect([refused.code, refused.body.message]).toEqual(["permission_denied", expect.stringContaining("leave")]);
    expect((await chat("RemoveMember", { threadId: id, userId: cy.id }, ada)).body.thread.memberIds).toHaveLength(2);
    expect((await chat("RemoveMember", { threadId: id, userId: cy.id }, ada)).code).toBe("not_found");
    expect((await chat("RemoveMember", { threadId: id, userId: bea.id }, bea)).body.thread.isMember).toBeUndefined();
    expect((await chat("ListMessages", { threadId: id }, bea)).code).toBe("not_found");
    expect(await audit(`thread ${id}`)).toEqual([]);
  });

  test("who just left are rejected with a reason, and none of their messages follows their leaving", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await thread(ada, [bea]);
      const send = (i: number) => chat("SendMessage", { threadId: id, text: `m${i}` }, bea);
      const leave = () => chat("RemoveMember", { threadId: id, userId: bea.id }, bea);
      const calls = Array.from({ length: 12 }, (_, i) => (i === 5 ? leave() : send(i)));
      const answers = await Promise.all(calls);
      const sent = answers.filter(({ body }) => body.message?.id).length;
      for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
        expect([status, body]).toEqual([404, { code: "not_found", message: expect.stringContaining("any more") }]);
      }
      const late = await server.sql`
        select 1 from outbox where body like ${`%"message.created"%${id}%`}
          and seq > (select min(seq) from outbox where body like ${`%"thread.left"%${id}%`})`;
      expect(late).toHaveLength(0);
      expect(await texts(id, ada)).toHaveLength(sent);
    }
    expect(server.failures).toEqual([]);
  });
});

describe("messages", () => {
  test("are listed newest first in pages, each once, also while others are sent", async () => {
    const id = await thread(ada, [bea]);
    for (let i = 1; i <= 7; i++) await say(id, ada, `m${i}`);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const { body } = await chat("ListMessages", { threadId: id, pageSize: 3, pageToken }, bea);
      seen.push(...body.messages.map(({ text }: Wire) => text));
      pageToken = body.nextPageToken ?? "";
      await say(id, bea, "later");
    } while (pageToken);
    expect(seen).toEqual(["m7", "m6", "m5", "m4", "m3", "m2", "m1"]);
    expect((await chat("ListMessages", { threadId: id, pageToken: "nonsense" }, bea)).code).toBe("invalid_argument");
  });

  test("of many simultaneous callers get numbers without gaps, in order of their times", async () => {
    const id = await thread(ada, [bea, cy]);
    await Promise.all(Array.from({ length: 60 }, (_, i) => say(id, [ada, bea, cy][i % 3]!, `m${i}`)));
    const rows = await server.sql`
      select number, created_at from chat_messages where thread_id = ${id} order by created_at, number`;
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  test("are sent once per client_id, also with repeated and simultaneous requests", async () => {
    const id = await thread(ada, [bea]);
    const press = { threadId: id, text: "Once", clientId: "m-1" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => chat("SendMessage", press, ada)));
    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect(await texts(id, bea)).toEqual(["Once"]);
    const other = await thread(ada, [cy]);
    const taken = await chat("SendMessage", { ...press, threadId: other }, ada);
    expect([taken.code, taken.body.message]).toEqual(["already_exists", expect.stringContaining("clientId")]);
    expect((await chat("SendMessage", press, bea)).body.message.id).not.toBe(answers[0]!.body.message.id);
  });

  test("are stored byte for byte, and rejected if blank", async () => {
    const id = await thread(ada, [bea]);
    const kept = ["e\u0301 \u202eabc", "<img src=x onerror=alert(1)>", "👩‍👩‍👧\n\ttab", "x".repeat(8000)];
    for (const text of kept) await say(id, ada, text);
    expect((await texts(id, bea)).reverse()).toEqual(kept);
    for (const text of ["", " \n ", "\u0007", "x".repeat(8001)]) {
      expect((await chat("SendMessage", { threadId: id, text }, ada)).code).toBe("invalid_argument");
    }
  });

  test("are edited by their author only", async () => {
    const id = await thread(ada, [bea]);
    const { id: messageId } = await say(id, ada, "Helo");
    const { body } = await chat("EditMessage", { messageId, text: "Hello" }, ada);
    expect(body.message).toMatchObject({ text: "Hello", editedAt: expect.any(String), number: 1 });
    for (const other of [bea, admin]) {
      const { code } = await chat("EditMessage", { messageId, text: "Mine" }, other);
      expect(code).toBe(other === bea ? "permission_denied" : "not_found");
    }
    expect(await texts(id, bea)).toEqual(["Hello"]);
  });

  test("that are deleted keep their position without text and reactions", async () => {
    const id = await thread(ada, [bea]);
    const { id: messageId } = await say(id, ada, "Oops");
    await chat("AddReaction", { messageId, emoji: "👍" }, bea);
    expect((await chat("DeleteMessage", { messageId }, bea)).code).toBe("permission_denied");
    for (let i = 0; i < 2; i++)
      expect((await chat("DeleteMessage", { messageId }, ada)).body).toEqual({ success: true });
    const [message] = (await chat("ListMessages", { threadId: id }, bea)).body.messages;
    expect(message).toMatchObject({ id: messageId, userName: "Ada", deletedAt: expect.any(String) });
    expect([message.text, message.reactions, message.deletedByModerator]).toEqual([undefined, undefined, undefined]);
    expect((await chat("EditMessage", { messageId, text: "Back" }, ada)).code).toBe("failed_precondition");
    expect((await chat("AddReaction", { messageId, emoji: "👍" }, bea)).code).toBe("failed_precondition");
    expect(await audit(`message ${messageId}`)).toEqual([]);
  });

  test("hold one reaction per user and emoji", async () => {
    const id = await thread(ada, [bea]);
    const { id: messageId } = await say(id, ada, "Party?");
    const react = (emoji: string, by: Person) => chat("AddReaction", { messageId, emoji }, by);
    await Promise.all([react("❤", bea), react("❤️", bea), react("❤️", bea)]);
    await react("❤️", ada);
    const { body } = await react("🎉", bea);
    expect(body.message.reactions).toEqual([
      { emoji: "❤️", userIds: [bea.id, ada.id] },
      { emoji: "🎉", userIds: [bea.id] },
    ]);
    const remove = () => chat("RemoveReaction", { messageId, emoji: "❤" }, bea);
    const [once, twice] = [await remove(), await remove()];
    expect(once.body.message.reactions[0]).toEqual({ emoji: "❤️", userIds: [ada.id] });
    expect(twice.body).toEqual(once.body);
    expect((await react("like", bea)).code).toBe("invalid_argument");
  });
});

describe("unread messages", () => {
  test("are those of others after the read position, without deleted ones", async () => {
    const id = await thread(ada, [bea]);
    const sent = [];
    for (let i = 0; i < 4; i++) sent.push(await say(id, ada, `m${i}`));
    expect([await unread(id, bea), await unread(id, ada)]).toEqual([4, 0]);
    await chat("DeleteMessage", { messageId: sent[3].id }, ada);
    expect(await unread(id, bea)).toBe(3);
    const read = (messageId: string) => chat("MarkRead", { threadId: id, messageId }, bea);
    expect((await read(sent[1].id)).body).toEqual({ success: true, unreadCount: 1 });
    expect((await read(sent[0].id)).body).toEqual({ success: true, unreadCount: 1 });
    await say(id, bea, "Answer");
    expect(await unread(id, bea)).toBe(0);
    const other = await say(await thread(ada, [bea]), ada, "Elsewhere");
    expect((await read(other.id)).code).toBe("not_found");
  });

  test("are counted up to 100", async () => {
    const id = await thread(ada, [bea]);
    await server.sql`
      insert into chat_messages (id, thread_id, number, user_id, text)
      select ${id} || i, ${id}, i, ${ada.id}, 'x' from generate_series(1, 250) i`;
    await server.sql`update chat_threads set last_number = 250 where id = ${id}`;
    expect(await unread(id, bea)).toBe(100);
  });
});

describe("a moderator", () => {
  test("lists every thread, and reading one is audited by name", async () => {
    const id = await thread(ada, [bea], { title: "Quarrel" });
    await say(id, ada, "Rude words");
    const all = await chat("ListAllThreads", { list: { query: "quarrel" } }, admin);
    expect(all.body.threads).toMatchObject([{ id, title: "Quarrel" }]);
    expect(JSON.stringify(all.body)).not.toContain("Rude");
    const ofBea = await chat("ListAllThreads", { userId: bea.id }, admin);
    expect(ofBea.body.threads.map((each: Wire) => each.id)).toContain(id);
    const ofMod = await chat("ListAllThreads", { userId: admin.id }, admin);
    expect(ofMod.body.threads ?? []).toEqual([]);
    expect((await chat("GetThread", { threadId: id }, admin)).body.thread.lastMessage).toBeUndefined();
    expect(await texts(id, admin)).toEqual(["Rude words"]);
    expect(await audit(`thread ${id}`)).toMatchObject([{ action: "thread.inspected", user_id: admin.id }]);
    expect((await chat("ListAllThreads", {}, ada)).code).toBe("permission_denied");
    expect((await chat("SendMessage", { threadId: id, text: "Hm" }, admin)).code).toBe("not_found");
  });

  test("deletes a message; members and the audit log see it, without its text", async () => {
    const id = await thread(ada, [bea]);
    const { id: messageId } = await say(id, ada, "Rude words");
    expect((await chat("DeleteMessage", { messageId }, admin)).status).toBe(200);
    const [message] = (await chat("ListMessages", { threadId: id }, bea)).body.messages;
    expect(message).toMatchObject({ deletedByModerator: true, userId: ada.id });
    const rows = await audit(`message ${messageId}`);
    expect(rows).toEqual([
      { action: "message.deleted", user_id: admin.id, before: { thread_id: id, user_id: ada.id }, after: null },
    ]);
  });

  test("removes a member, which is audited", async () => {
    const id = await thread(ada, [bea]);
    expect((await chat("RemoveMember", { threadId: id, userId: bea.id }, admin)).status).toBe(200);
    expect((await chat("ListMessages", { threadId: id }, bea)).code).toBe("not_found");
    expect(await audit(`thread ${id}`)).toMatchObject([{ action: "thread.left", before: { user_id: bea.id } }]);
  });
});

test("a purged user leaves the thread readable, without their messages", async () => {
  const dee = await server.person("Dee");
  const id = await thread(ada, [dee]);
  const asked = await say(id, ada, "Who are you?");
  await chat("AddReaction", { messageId: asked.id, emoji: "👍" }, dee);
  await say(id, dee, "My secret");
  const own = await thread(dee, [ada]);
  expect(await unread(id, ada)).toBe(1);
  await server.call("user.v1.UserService/DeleteUser", { userId: dee.id }, admin.token);
  expect((await server.call("user.v1.UserService/PurgeUser", { userId: dee.id }, admin.token)).status).toBe(200);
  const { messages } = (await chat("ListMessages", { threadId: id }, ada)).body;
  expect(messages).toMatchObject([{ number: 2, deletedAt: expect.any(String) }, { text: "Who are you?" }]);
  expect([messages[0].userId, messages[0].userName, messages[0].text]).toEqual([undefined, undefined, undefined]);
  expect(messages[1].reactions).toBeUndefined();
  expect(await unread(id, ada)).toBe(0);
  expect((await chat("GetThread", { threadId: own }, ada)).body.thread.createdBy).toBeUndefined();
  const rows = await server.sql`select 1 from chat_messages where text like '%secret%'`;
  expect(rows).toHaveLength(0);
});

test("purging a user who is sending leaves none of their messages", async () => {
  for (let round = 0; round < 5; round++) {
    const flo = await server.person("Flo");
    const id = await thread(ada, [flo]);
    const sends = Array.from({ length: 8 }, (_, i) => chat("SendMessage", { threadId: id, text: `Flo ${i}` }, flo));
    const purge = (async () => {
      await server.call("user.v1.UserService/DeleteUser", { userId: flo.id }, admin.token);
      return server.call("user.v1.UserService/PurgeUser", { userId: flo.id }, admin.token);
    })();
    const answers = await Promise.all([...sends, purge]);
    expect(answers.map(({ code }) => code).filter((code) => code !== undefined && code !== "unauthenticated")).toEqual(
      [],
    );
    expect((await texts(id, ada)).filter((text) => text !== "")).toEqual([]);
  }
  expect(server.failures).toEqual([]);
});
