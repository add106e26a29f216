import { afterAll, expect, test } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer } from "../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);

const users = (method: string, body: object, token: string) =>
  server.call(`user.v1.UserService/${method}`, body, token);
const session = ({ token }: { token: string }) => server.call("auth.v1.AuthService/GetSession", {}, token);

test("a member deletes themselves by their name: they are signed out, and an Admin can take it back", async () => {
  const bea = await server.person("Bea");
  const other = await server.person("Bea");
  expect((await users("DeleteMyAccount", { confirmName: " Bea " }, bea.token)).body).toEqual({ success: true });
  expect([(await session(bea)).code, (await session(other)).status]).toEqual(["unauthenticated", 200]);
  const { user } = (await users("GetUser", { userId: bea.id }, admin.token)).body;
  expect(user.deletedAt).toEqual(expect.any(String));
  const [row] = await server.sql`select user_id from audit_log where target = ${`user ${bea.id}`} order by id desc`;
  expect(row!.user_id).toBe(bea.id);
  expect((await users("RestoreUser", { userId: bea.id }, admin.token)).status).toBe(200);
});

test.each(["", "bea", "Bea B", "Ada"])("another name than theirs (%j) deletes no account", async (confirmName) => {
  const bea = await server.person("Bea");
  const { code, body } = await users("DeleteMyAccount", { confirmName }, bea.token);
  expect([code, body.message]).toEqual(["invalid_argument", "confirm_name: type your name to go on: Bea"]);
  expect((await session(bea)).status).toBe(200);
});

test("the last Admin stays, also when both of two go at once", async () => {
  expect((await users("DeleteMyAccount", { confirmName: "Ada" }, admin.token)).code).toBe("failed_precondition");
  const second = await server.person("Second", ["Admin"]);
  const answers = await Promise.all([
    users("DeleteMyAccount", { confirmName: "Ada" }, admin.token),
    users("DeleteMyAccount", { confirmName: "Second" }, second.token),
  ]);
  expect(answers.map(({ code }) => code ?? "ok").sort()).toEqual(["failed_precondition", "ok"]);
});
