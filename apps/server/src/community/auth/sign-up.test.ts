import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

const server = openUntil(
  afterAll,
  await startTestServer({ connections: 10, settings: { FOLLOWSPOT_TRUST_PROXY: ["127.0.0.1"] } }),
);
const admin = await server.person("Ada", ["Admin"]);
beforeEach(async () => {
  await server.sql`delete from rate_limits`;
  await setMode("closed");
});

const auth = (method: string, body: object, from = "203.0.113.7") =>
  server.call(`auth.v1.AuthService/${method}`, body, undefined, { "x-forwarded-for": from });
const users = (method: string, body: object = {}) => server.call(`user.v1.UserService/${method}`, body, admin.token);
const setMode = async (mode: string) => (await users("SetSignUp", { mode })).body.signUp;
const keyOf = ({ invitationPath }: { invitationPath: string }) => invitationPath.split("=")[1]!;
const newTarget = () => `${randomUUID()}@example.org`;
/** Returns the last code sent to a target. */
const codeFor = (target: string) => server.codes.findLast((sent) => sent.target === target)?.code;
const count = async () => (await server.sql<{ n: number }[]>`select count(*)::int as n from users`)[0]!.n;

async function join(target: string, more: { name?: string; invitation?: string }) {
  const { body } = await auth("SendLoginCode", { target, ...more });
  const answer = await auth("VerifyLoginCode", { target, code: codeFor(target) ?? "000000", ...more });
  return { ...answer, said: body.message as string };
}

test("with open sign-up, a correct code and a name create a user and sign them in", async () => {
  await setMode("open");
  const target = newTarget();
  const { status, body, headers } = await join(target, { name: " Bea " });
  expect(status).toBe(200);
  expect(body.user).toMatchObject({ name: "Bea", email: target, role: "Member", verifiedAt: expect.any(String) });
  expect(headers.get("set-cookie")).toContain("HttpOnly");
  const own = await server.call("auth.v1.AuthService/GetSession", {}, body.token);
  expect(own.body.user.id).toBe(body.user.id);
  const log = await server.sql`
    select action, user_id, after from audit_log where user_id = ${body.user.id} order by id`;
  expect(log.map(({ action }) => action)).toEqual(["user.created", "session.started"]);
  expect(log[0]!.after).toMatchObject({ name: "Bea", email: target });
});

test("accepts a phone number instead of an email", async () => {
  await setMode("open");
  const target = "+49 30 5550-100";
  await auth("SendLoginCode", { target, name: "Cy" });
  const { body } = await auth("VerifyLoginCode", { target, name: "Cy", code: codeFor("+49305550100") });
  expect(body.user).toMatchObject({ name: "Cy", phone: target, phoneVerifiedAt: expect.any(String) });
  expect(body.user.email).toBeUndefined();
});

test("a known user signs in with or without a name, and their stored name does not change", async () => {
  await setMode("open");
  const target = newTarget();
  const first = await join(target, { name: "Di" });
  const again = await join(target, { name: "Someone Else" });
  expect(again.body.user).toMatchObject({ id: first.body.user.id, name: "Di" });
});

test("with closed sign-up, unknown users get no code, and the response is that for a known user", async () => {
  const target = newTarget();
  const known = newTarget();
  await server.person("Known", [], known);
  const before = await count();
  const { code, said } = await join(target, { name: "Eve" });
  expect([code, codeFor(target), await count()]).toEqual(["unauthenticated", undefined, before]);
  expect((await auth("SendLoginCode", { target: known, name: "Eve" })).body.message).toBe(said);
  expect((await auth("GetSignUpMode", {})).body).toEqual({
    says: "New people are added by the Admins here. Ask one of them.",
  });
});

test("responses reveal no known users, in any mode, on first and repeated requests", async () => {
  for (const mode of ["closed", "invitation", "open"]) {
    const { invitationPath } = await setMode(mode);
    const [stranger, known] = [newTarget(), newTarget()];
    await server.person("Known", [], known);
    const forms = [{}, { name: "Fay" }, { name: "Fay", invitation: invitationPath?.split("=")[1] ?? "x" }];
    for (const form of forms) {
      await server.sql`delete from rate_limits`;
      const askBoth = async (i: number) => {
        const from = `198.51.100.${i}`;
        const both = [
          await auth("SendLoginCode", { target: stranger, ...form }, from),
          await auth("SendLoginCode", { target: known, ...form }, from),
        ];
        return both.map(({ status, body }) => JSON.stringify([status, body]));
      };
      for (let i = 1; i <= 14; i++) {
        const [ofStranger, ofKnown] = await askBoth(i);
        expect([mode, form, ofStranger]).toEqual([mode, form, ofKnown]);
      }
    }
    const wrong = await Promise.all(
      [stranger, known].map((target) => auth("VerifyLoginCode", { target, name: "Fay", code: "999999999999" })),
    );
    expect(wrong[0]!.body).toEqual(wrong[1]!.body);
  }
});

test("an unknown user without a name gets no code and no account, also with open sign-up", async () => {
  await setMode("open");
  const target = newTarget();
  expect([(await join(target, {})).code, codeFor(target)]).toEqual(["unauthenticated", undefined]);
  await auth("SendLoginCode", { target, name: "Gus" });
  const before = await count();
  const nameless = await auth("VerifyLoginCode", { target, name: "   ", code: codeFor(target) });
  expect([nameless.code, await count()]).toEqual(["unauthenticated", before]);
});

test("an invitation link works until it is renewed", async () => {
  const key = keyOf(await setMode("invitation"));
  expect((await auth("GetSignUpMode", { invitation: key })).body).toEqual({ isOpen: true });
  expect((await join(newTarget(), { name: "Hal", invitation: key })).status).toBe(200);

  const half = newTarget();
  await auth("SendLoginCode", { target: half, name: "Ida", invitation: key });
  const renewed = keyOf((await users("RenewInvitation")).body.signUp);
  const late = await auth("VerifyLoginCode", { target: half, name: "Ida", invitation: key, code: codeFor(half) });
  const says = "This invitation does not work any more. Ask for a new link.";
  expect([late.code, late.body.message]).toEqual(["failed_precondition", says]);
  expect((await auth("GetSignUpMode", { invitation: key })).body).toEqual({ says });
  expect((await join(newTarget(), { name: "Jo", invitation: key })).code).toBe("unauthenticated");
  // The code is still valid: with the new link they sign up.
  const now = await auth("VerifyLoginCode", { target: half, name: "Ida", invitation: renewed, code: codeFor(half) });
  expect(now.body.user.name).toBe("Ida");
});

test.each(["", "x", "A".repeat(32), "OTHER"])("rejects an invitation of %j", async (given) => {
  await setMode("invitation");
  // A link of another kind, signed with the same secret.
  const { sound } = (await server.call("sound.v1.SoundService/CreatePlayerLink", {}, admin.token)).body;
  const invitation = given === "OTHER" ? sound.linkPath.split("#")[1] : given;
  const { body } = await auth("GetSignUpMode", { invitation });
  expect([body.isOpen, body.says]).toEqual([undefined, expect.stringMatching(/link/)]);
  const target = newTarget();
  expect([(await join(target, { name: "Kim", invitation })).code, codeFor(target)]).toEqual([
    "unauthenticated",
    undefined,
  ]);
});

test("closing sign-up retains its link for the next time, but disables it meanwhile", async () => {
  const key = keyOf(await setMode("invitation"));
  expect((await setMode("closed")).invitationPath).toBeUndefined();
  expect((await auth("GetSignUpMode", { invitation: key })).body.isOpen).toBeUndefined();
  expect((await users("RenewInvitation")).code).toBe("failed_precondition");
  expect(keyOf(await setMode("invitation"))).toBe(key);
});

test("two simultaneous requests with one code create one user", async () => {
  await setMode("open");
  const target = newTarget();
  await auth("SendLoginCode", { target, name: "Lea" });
  const before = await count();
  const request = { target, name: "Lea", code: codeFor(target) };
  const answers = await Promise.all(Array.from({ length: 10 }, () => auth("VerifyLoginCode", request)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await count()).toBe(before + 1);
});

test("sign-up and an Admin who adds the same address simultaneously create one user", async () => {
  await setMode("open");
  for (let i = 0; i < 5; i++) {
    const target = newTarget();
    await auth("SendLoginCode", { target, name: "Mo" });
    const answers = await Promise.all([
      users("CreateUser", { name: "Mo", email: target.toUpperCase() }),
      auth("VerifyLoginCode", { target, name: "Mo", code: codeFor(target) }),
    ]);
    expect(["ok", "already_exists"]).toContain(answers[0].code ?? "ok");
    expect(["ok", "already_exists", "failed_precondition"]).toContain(answers[1].code ?? "ok");
    const rows = await server.sql`select 1 from users where lower(email) = ${target}`;
    expect(rows).toHaveLength(1);
  }
});

test("the address of a deleted user creates no second user", async () => {
  await setMode("open");
  const target = newTarget();
  const { body } = await join(target, { name: "Nia" });
  await users("DeleteUser", { userId: body.user.id });
  const before = await count();
  const again = await join(target, { name: "Nia" });
  expect([again.code, again.body.message]).toEqual(["failed_precondition", expect.stringContaining("ask an Admin")]);
  expect(await count()).toBe(before);
});

test("requests with a name are counted per network, known or not, and sign-in without a name stays possible", async () => {
  await setMode("open");
  const known = newTarget();
  await server.person("Oz", [], known);
  await auth("SendLoginCode", { target: newTarget(), name: "Pia" });
  await server.sql`update rate_limits set count = 600 where key like 'sign up from %'`;
  for (const target of [newTarget(), known]) {
    const { code, body } = await auth("SendLoginCode", { target, name: "Pia" });
    expect([code, body.message]).toEqual(["resource_exhausted", expect.stringContaining("sign in without a name")]);
  }
  expect((await auth("SendLoginCode", { target: known })).status).toBe(200);
  expect((await auth("SendLoginCode", { target: newTarget(), name: "Pia" }, "198.51.100.9")).status).toBe(200);
  await server.sql`update rate_limits set count = 2000 where key = 'sign up'`;
  const elsewhere = await auth("SendLoginCode", { target: newTarget(), name: "Pia" }, "198.51.100.9");
  expect(elsewhere.code).toBe("resource_exhausted");
});

test("sends codes to 5 of 40 simultaneous requests with a name when 5 remain, per network or in total", async () => {
  await setMode("open");
  const askAtOnce = async (from: (i: number) => string) => {
    const targets = Array.from({ length: 40 }, newTarget);
    const answers = await Promise.all(
      targets.map((target, i) => auth("SendLoginCode", { target, name: "Quy" }, from(i))),
    );
    const refused = answers.filter(({ code }) => code === "resource_exhausted");
    for (const { body } of refused) expect(body.message).toMatch(/signed up.*Try again in/);
    return [targets.filter((target) => codeFor(target)).length, refused.length];
  };
  const counted = (key: string, count: number) =>
    server.sql`insert into rate_limits (key, count, window_start) values (${key}, ${count}, now())`;
  await counted("sign up from 203.0.113.7", 595);
  expect(await askAtOnce(() => "203.0.113.7")).toEqual([5, 35]);
  await server.sql`update rate_limits set count = 1995 where key = 'sign up'`;
  expect(await askAtOnce((i) => `198.51.100.${i}`)).toEqual([5, 35]);
  const kept = await server.sql`select count from rate_limits where key = 'sign up'`;
  expect(kept).toEqual([{ count: 2000 }]);
});

test("only Admins change the mode, and unknown modes are rejected", async () => {
  const member = await server.person("Member");
  for (const method of ["GetSignUp", "SetSignUp", "RenewInvitation"]) {
    const { code } = await server.call(`user.v1.UserService/${method}`, { mode: "open" }, member.token);
    expect([method, code]).toEqual([method, "permission_denied"]);
  }
  for (const mode of ["", "OPEN", "everybody"])
    expect((await users("SetSignUp", { mode })).code).toBe("invalid_argument");
  const before = await server.sql`select max(id) as id from audit_log`;
  await setMode("closed");
  expect(await server.sql`select max(id) as id from audit_log`).toEqual(before);
});
