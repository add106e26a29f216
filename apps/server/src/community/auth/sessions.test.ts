import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { insertUser } from "../users/users.store.ts";
import { pageSession } from "./page-session.ts";
import { issueToken, Sessions } from "./sessions.ts";
import { openUntil } from "../../testing/open-until.ts";

const secret = randomBytes(32);

const { sql } = openUntil(afterAll, await createTestDatabase());

async function signedIn(name: string) {
  const user = await insertUser(sql, { name, roles: ["Admin"] });
  const token = await issueToken(sql, secret, user.id, "test");
  const sessions = new Sessions(sql, secret);
  return { user, token, sessions, caller: await sessions.ofToken(token) };
}

test("rejects a session that ended without notification to this process within 1 s", async () => {
  const { user, token, sessions, caller } = await signedIn("Ann");
  expect(caller).toMatchObject({ userId: user.id, roles: ["Admin"] });
  await sql`update sessions set ended_at = now() where user_id = ${user.id}`;
  await expect.poll(() => sessions.ofToken(token), { timeout: 1500, interval: 50 }).toBeUndefined();
});

test("evicting one session, or all of a user, takes effect immediately", async () => {
  const { user, token, sessions } = await signedIn("Bea");
  const other = await issueToken(sql, secret, user.id, "test");
  const second = await sessions.ofToken(other);
  await sql`update sessions set ended_at = now() where user_id = ${user.id}`;
  sessions.forget({ userId: user.id, sessionId: second!.sessionId });
  expect(await sessions.ofToken(other)).toBeUndefined();
  expect(await sessions.ofToken(token)).toBeDefined();
  sessions.forget({ userId: user.id });
  expect(await sessions.ofToken(token)).toBeUndefined();
});

test("queries the database once for many calls with one token", async () => {
  const { user, token, sessions } = await signedIn("Cy");
  await sql`update users set name = 'Renamed' where id = ${user.id}`;
  const callers = await Promise.all(Array.from({ length: 50 }, () => sessions.ofToken(token)));
  expect(new Set(callers.map((each) => each?.name))).toEqual(new Set(["Cy"]));
  expect((await sessions.again(callers[0]!))?.name).toBe("Renamed");
});

test("does not cache a lookup that began before the session ended", async () => {
  const { user, token } = await signedIn("Di");
  const sessions = new Sessions(sql, secret);
  const early = sessions.ofToken(token);
  sessions.forget({ userId: user.id });
  await early;
  await sql`update sessions set ended_at = now() where user_id = ${user.id}`;
  expect(await sessions.ofToken(token)).toBeUndefined();
});

test("accepts a cookie only for pages of this host, and prefers an Authorization header", async () => {
  const { token, sessions } = await signedIn("Eve");
  const cookie = `a=b; followspot_session=${token}`;
  const host = "stage.example";
  expect(await sessions.ofHeaders({ host, cookie, origin: "https://stage.example" })).toBeDefined();
  expect(await sessions.ofHeaders({ host, cookie, "sec-fetch-site": "same-origin" })).toBeDefined();
  expect(await sessions.ofHeaders({ host, cookie, origin: "https://evil.example" })).toBeUndefined();
  expect(await sessions.ofHeaders({ host, cookie, "sec-fetch-site": "same-site" })).toBeUndefined();
  const garbage = { host, cookie, origin: "https://stage.example", authorization: "Bearer x" };
  expect(await sessions.ofHeaders(garbage)).toBeUndefined();
});

test("checks many sessions in one query and marks their users as seen", async () => {
  const all = await Promise.all(["Cy", "Dee", "Eve", "Fay"].map(signedIn));
  const [cy, dee, eve] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
  await sql`update sessions set ended_at = now() where user_id = ${cy.user.id}`;
  await sql`update sessions set expires_at = now() where user_id = ${dee.user.id}`;
  await sql`update users set deleted_at = now() where id = ${eve.user.id}`;
  await sql`update users set last_seen_at = now() - interval '5 minutes'`;
  const callers = all.flatMap(({ caller }) => caller ?? []);
  expect([...(await cy.sessions.running(callers))]).toEqual([callers[3]!.sessionId]);
  const seen = await sql`select name from users where last_seen_at > now() - interval '1 minute'`;
  expect(seen.map(({ name }) => name)).toEqual(["Fay"]);
});

test("a session check does not wait for a change of its user", async () => {
  const { user, sessions, caller } = await signedIn("Gus");
  await sql`update users set last_seen_at = null where id = ${user.id}`;
  await sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${user.id} for update`;
    expect([...(await sessions.running([caller!]))]).toEqual([caller!.sessionId]);
  });
});

test("embeds the session in a page that the user opens, not in one that another page requests with their cookie", async () => {
  const { user, token, sessions } = await signedIn("Dot");
  const sessionOf = pageSession(sql, sessions, () => "01NEWS");
  const cookie = `followspot_session=${token}`;
  const opened = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  expect(await sessionOf({ cookie, ...opened, "sec-fetch-site": "cross-site" })).toMatchObject({
    user: { id: user.id, name: "Dot", roles: ["Admin"] },
    newsSince: "01NEWS",
  });
  for (const headers of [
    { cookie },
    { cookie, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
    { cookie, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    { cookie: "followspot_session=nonsense", ...opened },
    opened,
  ])
    expect(await sessionOf(headers)).toBeUndefined();
});
