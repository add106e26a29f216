import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { forgetOldTries } from "./sign-in-tries.store.ts";
import { ensureOwnerLink } from "./owner-link.ts";

let admin: { id: string; token: string };
const server = openUntil(afterAll, await startTestServer());

const session = (token?: string, headers = {}) => server.call("auth.v1.AuthService/GetSession", {}, token, headers);
const send = (target: string) => server.call("auth.v1.AuthService/SendLoginCode", { target });
const verify = (target: string, code: string) => server.call("auth.v1.AuthService/VerifyLoginCode", { target, code });
/** Clears the rate limits: they also count the caller's address, which all tests share. */
const forgetTries = () => server.sql`delete from rate_limits`;

test("the newest owner link makes its user the first Admin, once", async () => {
  const old = await ensureOwnerLink(server.sql);
  const token = await ensureOwnerLink(server.sql);
  expect((await server.call("auth.v1.AuthService/ClaimOwner", { token: old })).code).toBe("unauthenticated");
  const claims = await Promise.all(
    Array.from({ length: 5 }, () =>
      server.call("auth.v1.AuthService/ClaimOwner", { token, name: "Ada", email: "ada@example.org" }),
    ),
  );
  const won = claims.filter((claim) => claim.status === 200);
  expect(won).toHaveLength(1);
  expect(won[0]?.body.user).toMatchObject({ name: "Ada", role: "Admin", roles: ["Admin"] });
  expect(await ensureOwnerLink(server.sql)).toBeUndefined();
  admin = { id: won[0]!.body.user.id, token: won[0]!.body.token };
});

test("signs a user in with a code that works once, and verifies them", async () => {
  const { id } = await server.person("Bea", [], "Bea@Example.org");
  expect((await send("bea@example.ORG")).body.success).toBe(true);
  const { code } = server.codes.at(-1)!;
  expect(code).toMatch(/^\d{6}$/);
  const { body, headers } = await verify(" BEA@example.org", code);
  expect(body.user.id).toBe(id);
  expect(body.user.verifiedAt).toBeDefined();
  expect(headers.get("set-cookie")).toMatch(
    /^followspot_session=.+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect((await session(body.token)).body.user.id).toBe(id);
  expect((await verify("bea@example.org", code)).code).toBe("unauthenticated");
});

test("responds the same whether or not the account exists", async () => {
  await server.person("Cy", [], "cy@example.org");
  const delivered = server.codes.length;
  const known = await send("cy@example.org");
  const unknown = await send("nobody@example.org");
  expect(unknown.body).toEqual(known.body);
  expect(server.codes.length).toBe(delivered + 1);
  const refused = await verify("cy@example.org", "0000000");
  expect((await verify("nobody@example.org", "0000000")).body).toEqual(refused.body);
});

test("sends at most five codes in 15 minutes to one target", async () => {
  await forgetTries();
  const codes = [];
  for (let i = 0; i < 7; i++) codes.push((await send("+1 (555) 0100")).code);
  expect(codes).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    "resource_exhausted",
    "resource_exhausted",
  ]);
});

test("deletes attempts and codes that no limit needs, and no others", async () => {
  await forgetTries();
  await server.sql`delete from login_codes`;
  await server.person("Old", [], "old@example.org");
  await server.person("New", [], "new@example.org");
  for (let i = 0; i < 5; i++) await send("old@example.org");
  await server.sql`
    update rate_limits set window_start = now() - interval '16 minutes';
    update login_codes set expires_at = now() - interval '1 second'`.simple();
  for (let i = 0; i < 5; i++) await send("new@example.org");
  await forgetOldTries(server.sql);
  const left = await server.sql`
    select key from rate_limits where key like '%example.org%' union all select target from login_codes order by 1`;
  expect(left.map(({ key }) => key)).toEqual([
    "new@example.org",
    "repeat new@example.org",
    "send new@example.org from 127.0.0.1",
  ]);
  expect((await send("new@example.org")).code).toBe("resource_exhausted");
  expect((await send("old@example.org")).code).toBeUndefined();
});

test("rejects an expired code", async () => {
  await forgetTries();
  await server.person("Ed", [], "ed@example.org");
  await send("ed@example.org");
  await server.sql`update login_codes set expires_at = now() - interval '1 second'`;
  expect((await verify("ed@example.org", server.codes.at(-1)!.code)).code).toBe("unauthenticated");
});

test("revokes a token immediately on sign-out and notifies its sockets", async () => {
  const { id, token } = await server.person("Flo");
  expect((await server.call("auth.v1.AuthService/SignOut", {}, token)).headers.get("set-cookie")).toContain(
    "Max-Age=0",
  );
  expect((await session(token)).code).toBe("unauthenticated");
  const rows = await server.sql`select body::jsonb from outbox where body::jsonb -> 'topics' ? ${`user.${id}`}`;
  expect(rows.map((row) => row.body.type)).toContain("session.ended");
});

test("revokes all tokens of a deleted, purged or demoted user immediately", async () => {
  const deleted = await server.person("Gus");
  const demoted = await server.person("Hal", ["Director", "AI"]);
  await server.call("user.v1.UserService/DeleteUser", { userId: deleted.id }, admin.token);
  await server.call("user.v1.UserService/UpdateUser", { userId: demoted.id, roles: ["AI"] }, admin.token);
  expect((await session(deleted.token)).code).toBe("unauthenticated");
  expect((await session(demoted.token)).code).toBe("unauthenticated");
  await server.call("user.v1.UserService/PurgeUser", { userId: deleted.id }, admin.token);
  expect((await session(deleted.token)).code).toBe("unauthenticated");
});

test("rejects any token that this server has not signed", async () => {
  const { id, token } = await server.person("Ida");
  const [header, payload, signature] = token.split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sign = (change: object, secret: Uint8Array = server.secret, alg = "HS256") =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg }).sign(secret);
  const bad = [
    new UnsecuredJWT(claims).encode(),
    ...["none", "None", "NONE", "nOnE", "HS512"].map((alg) => `${b64({ alg })}.${payload}.${signature}`),
    `${b64({ alg: "none" })}.${payload}.`,
    `${header}.${b64({ ...claims, sub: admin.id })}.${signature}`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature.slice(0, -2)}`,
    await sign({ exp: 1 }),
    await sign({ nbf: claims.exp }),
    await sign({ exp: undefined }),
    await sign({ sub: undefined }),
    await sign({ sid: undefined }),
    await sign({ sub: "01HUNKNOWN" }),
    await sign({ sub: admin.id }),
    await sign({ iss: "else" }),
    await sign({ aud: "else" }),
    await sign({}, new Uint8Array(32)),
    await sign({}, Buffer.concat([server.secret, server.secret]), "HS512"),
    "garbage",
    "a.b.c",
  ];
  const codes = await Promise.all(bad.map(async (text) => (await session(text)).code));
  expect(codes).toEqual(bad.map(() => "unauthenticated"));
  expect((await session(token)).body.user.id).toBe(id);
});

test("accepts a cookie only from a page of the same host, and a token only as Bearer", async () => {
  const { token } = await server.person("Jo");
  const cookie = `other=1; followspot_session=${token}`;
  const own = new URL(server.base).origin;
  const codes = async (headers: Record<string, string>) => (await session(undefined, headers)).code;
  expect(await codes({ cookie, origin: own })).toBeUndefined();
  for (const headers of [
    { cookie, "sec-fetch-site": "cross-site" },
    { cookie, origin: "https://evil.example" },
    { cookie, origin: "null" },
    { cookie, origin: `${own}.evil.example` },
    { cookie, origin: own, authorization: "Bearer garbage" },
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token}, Bearer ${token}` },
    { "x-user-id": admin.id, "x-role": "Admin", "x-forwarded-user": admin.id },
  ]) {
    expect(await codes(headers as unknown as Record<string, string>)).toBe("unauthenticated");
  }
});

test("stores codes and owner links only as hashes", async () => {
  await forgetTries();
  await send("ed@example.org");
  const rows = await server.sql`select * from login_codes`;
  expect(JSON.stringify(rows)).not.toContain(server.codes.at(-1)!.code);
});
