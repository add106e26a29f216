import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { clientName } from "./client-name.ts";
import { createSignInLink } from "./sign-in-links.ts";
import { issueToken } from "./sessions.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0";
const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);

const call = async (method: string, body: object, token?: string, headers: Record<string, string> = {}) => {
  const answer = await server.call(`auth.v1.AuthService/${method}`, body, token, headers);
  return { ...answer.body, code: answer.code ?? "" } as Wire;
};
const again = (userId: string) => issueToken(server.sql, server.secret, userId, "test");
const isIn = async (token: string) => (await call("GetSession", {}, token)).code === "";

test("lists a user's sessions, newest first, and marks the current one", async () => {
  const ben = await server.person("Ben", [], "ben@example.org");
  await call("SendLoginCode", { target: "ben@example.org" });
  const { code } = server.codes.at(-1)!;
  const { token } = await call("VerifyLoginCode", { target: "ben@example.org", code }, undefined, {
    "user-agent": FIREFOX,
  });
  const { sessions } = await call("ListSessions", {}, token);
  expect(sessions.map(({ note, client, isCurrent }: Wire) => [note, client, isCurrent ?? false])).toEqual([
    ["sign-in code", "Firefox on Linux", true],
    ["test", undefined, false],
  ]);
  expect(JSON.stringify(sessions)).not.toContain(ben.token);
});

test("ends one session immediately; the others stay", async () => {
  const cy = await server.person("Cy");
  const [first, second] = [await again(cy.id), await again(cy.id)];
  const { sessions } = await call("ListSessions", {}, first);
  const other = sessions.find(({ isCurrent }: Wire) => !isCurrent);
  await call("EndSession", { session_id: other.id }, first);
  expect([await isIn(first), await isIn(second)]).toEqual([true, false]);
  expect((await call("EndSession", { session_id: other.id }, first)).code).toBe("not_found");
});

test("ending all other sessions keeps the caller's session and notifies the sockets of all", async () => {
  const dee = await server.person("Dee");
  const here = await again(dee.id);
  const others = await Promise.all(Array.from({ length: 5 }, () => again(dee.id)));
  await server.sql`delete from outbox`;
  expect((await call("SignOutEverywhere", {}, here)).ended).toBe(6);
  expect(await isIn(here)).toBe(true);
  for (const token of [dee.token, ...others]) expect(await isIn(token)).toBe(false);
  const told = await server.sql`select body from outbox`;
  expect(told.filter(({ body }) => JSON.stringify(body).includes("session.ended"))).toHaveLength(6);
  expect((await call("SignOutEverywhere", {}, here)).ended ?? 0).toBe(0);
});

test("an Admin reads and ends all sessions; other users only their own", async () => {
  const eve = await server.person("Eve");
  const [{ id }] = (await call("ListSessions", { user_id: eve.id }, admin.token)).sessions;
  const fay = await server.person("Fay", ["Director"]);
  expect((await call("ListSessions", { user_id: eve.id }, fay.token)).code).toBe("permission_denied");
  expect((await call("EndSession", { session_id: id }, fay.token)).code).toBe("not_found");
  expect((await call("SignOutEverywhere", { user_id: eve.id }, fay.token)).code).toBe("permission_denied");
  expect(await isIn(eve.token)).toBe(true);
  await call("SignOutEverywhere", { user_id: eve.id }, admin.token);
  expect([await isIn(eve.token), await isIn(admin.token)]).toEqual([false, true]);
  const [row] = await server.sql`select user_id, target from audit_log where action = 'session.ended' order by id desc`;
  expect(row).toEqual({ user_id: admin.id, target: `session ${id}` });
});

test("a sign-in link works once, for half an hour, and not for a deleted user", async () => {
  const gil = await server.person("Gil", ["Admin"]);
  const token = await createSignInLink(server.sql, gil.id);
  const tries = await Promise.all(Array.from({ length: 5 }, () => call("UseSignInLink", { token })));
  const won = tries.filter(({ code }) => code === "");
  expect(won).toHaveLength(1);
  expect(won[0].user.id).toBe(gil.id);
  expect(await isIn(won[0].token)).toBe(true);
  const late = await createSignInLink(server.sql, gil.id);
  await server.sql`update sign_in_links set expires_at = now()`;
  expect((await call("UseSignInLink", { token: late })).code).toBe("unauthenticated");
  const ofDeleted = await createSignInLink(server.sql, gil.id);
  await server.sql`update users set deleted_at = now() where id = ${gil.id}`;
  expect((await call("UseSignInLink", { token: ofDeleted })).code).toBe("unauthenticated");
  expect((await call("UseSignInLink", { token: "x".repeat(43) })).code).toBe("unauthenticated");
  expect((await server.sql`select from sign_in_links`).length).toBe(0);
});

test.each([
  [FIREFOX, "Firefox on Linux"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1", "Safari on iPhone"], // prettier-ignore
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"], // prettier-ignore
  ["curl/8.5.0", "curl"],
  ["<script>alert(1)</script>", ""],
  ["", ""],
])("%j is shown as %j", (agent, name) => expect(clientName(agent)).toBe(name));
