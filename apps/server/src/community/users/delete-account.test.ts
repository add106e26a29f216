import { afterAll, describe, expect, test } from "vitest";
import { issueToken } from "../auth/sessions.ts";
import { openUntil } from "../../testing/open-until.ts";
import { png } from "../../testing/pictures.ts";
import { tablesWith as tablesOf } from "../../testing/tables-with.ts";
import { startTestServer } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);

const users = (method: string, body: object, token: string) =>
  server.call(`user.v1.UserService/${method}`, body, token);
const tablesWith = (text: string) => tablesOf(server.sql, text);
const session = ({ token }: { token: string }) => server.call("auth.v1.AuthService/GetSession", {}, token);

test("deletes the account of the caller by its name, and ends the caller's sessions only", async () => {
  const bea = await server.person("Bea");
  const other = await server.person("Bea");
  expect((await users("DeleteMyAccount", { confirmName: " Bea " }, bea.token)).body).toEqual({ success: true });
  expect([(await session(bea)).code, (await session(other)).status]).toEqual(["unauthenticated", 200]);
  const { user } = (await users("GetUser", { userId: bea.id }, admin.token)).body;
  expect(user).toMatchObject({ name: "Deleted user", deletedAt: expect.any(String) });
  expect(user.isOnline ?? false).toBe(false);
  const [row] = await server.sql`select user_id from audit_log where target = ${`user ${bea.id}`} order by id desc`;
  expect(row!.user_id).toBe(bea.id);
});

describe("an account that its user deleted", async () => {
  const email = "zenobia@example.org";
  const fields = { email, phone: "+49 30 5550199", bio: "Zenobia's own", purpose: "zenobia" };
  const create = { name: "Zenobia", ...fields, photoBase64: png().toString("base64") };
  const { user } = (await users("CreateUser", create, admin.token)).body;
  await users("UpdateUser", { userId: user.id, username: "zenobia" }, admin.token);
  await server.sql`update users set last_seen_at = now() where id = ${user.id}`;
  await server.call("auth.v1.AuthService/SendLoginCode", { target: email });
  const token = await issueToken(server.sql, server.secret, user.id, "zenobia");
  const ask = (method: string, body: object) => server.ask(method, body, token);
  const { thread } = await ask("chat.v1.ChatService/CreateThread", { title: "Crew", memberIds: [admin.id] });
  await ask("chat.v1.ChatService/SendMessage", { threadId: thread.id, text: "Hello" });
  const { talk } = await server.ask("talk.v1.TalkService/CreateTalk", { title: "Talk", userId: user.id }, admin.token);
  const before = await tablesWith("zenobia");
  await ask("user.v1.UserService/DeleteMyAccount", { confirmName: "Zenobia" });

  // kept: Doors | A deleted account kept its name and addresses until an Admin purged it | failed on the old code
  test.each(["zenobia", "5550199", user.photoId])("leaves no %s in any table", async (text) => {
    expect(before).toContain("users");
    expect(await tablesWith(text)).toEqual([]);
  });

  test("remains as the author of messages and talks, without a name", async () => {
    const { messages } = await server.ask("chat.v1.ChatService/ListMessages", { threadId: thread.id }, admin.token);
    expect(messages).toMatchObject([{ text: "Hello", userName: "Deleted user" }]);
    const found = await server.ask("talk.v1.TalkService/GetTalk", { talkId: talk.id }, admin.token);
    expect(found.talk).toMatchObject({ title: "Talk", userName: "Deleted user" });
  });

  test("frees its address for a new account", async () => {
    const answer = await users("CreateUser", { name: "Zoe", email }, admin.token);
    expect(answer.status).toBe(200);
    await server.sql`delete from users where id = ${answer.body.user.id}`;
  });

  test("remains without name and roles when an Admin restores it", async () => {
    const restored = await users("RestoreUser", { userId: user.id }, admin.token);
    expect(restored.body.user).toMatchObject({ name: "Deleted user", role: "Member" });
    expect(restored.body.user.email ?? "").toBe("");
  });
});

test.each(["", "bea", "Bea B", "Ada"])(
  "a name other than the caller's own (%j) deletes no account",
  async (confirmName) => {
    const bea = await server.person("Bea");
    const { code, body } = await users("DeleteMyAccount", { confirmName }, bea.token);
    expect([code, body.message]).toEqual(["invalid_argument", "confirmName: type your name to go on: Bea"]);
    expect((await session(bea)).status).toBe(200);
  },
);

test("the last Admin cannot delete their account, also if two do so at once", async () => {
  expect((await users("DeleteMyAccount", { confirmName: "Ada" }, admin.token)).code).toBe("failed_precondition");
  const second = await server.person("Second", ["Admin"]);
  const answers = await Promise.all([
    users("DeleteMyAccount", { confirmName: "Ada" }, admin.token),
    users("DeleteMyAccount", { confirmName: "Second" }, second.token),
  ]);
  expect(answers.map(({ code }) => code ?? "ok").sort()).toEqual(["failed_precondition", "ok"]);
});
