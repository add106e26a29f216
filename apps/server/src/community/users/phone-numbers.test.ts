import { afterAll, describe, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { phoneTarget, plainPhone, spellingsOf } from "./phone-numbers.ts";
import { loginTarget, requirePhone } from "./user-rules.ts";
import { findUserByTarget } from "./users.store.ts";

const GERMAN = "+491711234567";
/** Spellings that the user form accepts. */
const TYPED = ["0171 1234567", "+49 171 1234567", "0049 171 1234567", "+49 (0)171 1234567", "(0171) 123-45-67"];
/** Spellings of other programs. */
const FOREIGN = [
  "0171/1234567",
  "0171.123.4567",
  "tel:+491711234567",
  "tel:0171-1234567",
  "+49 171 1234567 x12",
  "0171 1234567 ext. 12",
  "tel:+491711234567;ext=12",
  "0171\u20111234567",
  "\u202A+49\u00A0171\u00A01234567\u202C",
  "٠١٧١ ١٢٣٤٥٦٧",
  "+۴۹ ۱۷۱ ۱۲۳۴۵۶۷",
  "＋４９ １７１ １２３４５６７",
];
const ALL = [...TYPED, ...FOREIGN];

// kept: Doors | One phone number in four spellings was four people with four sign-ins | failed on the old code
describe("a phone number", () => {
  test.each(ALL)("%s has the international form as its target in its country", (text) => {
    expect(loginTarget(text, "DE")).toBe(GERMAN);
  });

  test.each([
    ["555.010.0199", "US", "+15550100199"],
    ["(555) 010-0199 x12", "US", "+15550100199"],
    ["1-555-010-0199", "CA", "+15550100199"],
    ["011 49 171 1234567", "US", GERMAN],
    ["06 1234 5678", "IT", "+390612345678"],
    ["8 (912) 345-67-89", "RU", "+79123456789"],
    ["+43 171 1234567", "DE", "+431711234567"],
  ] as const)("%s in %s is %s", (text, country, target) => {
    expect(loginTarget(text, country)).toBe(target);
  });

  test.each([
    ["+49 (0)171 1234567", GERMAN],
    ["0049 171 1234567", GERMAN],
    ["0171/1234567", "01711234567"],
    ["555-0100", "5550100"],
  ])("%s without a country is %s", (text, target) => {
    expect(loginTarget(text)).toBe(target);
  });

  test.each(["12a", "call me", "+", "0171 or 0172", "x12", "<b>0171</b>", "٠١٧١ call"])("%s is rejected", (text) => {
    expect(() => loginTarget(text, "DE")).toThrow("Invalid phone number");
  });

  test("is found in all spellings of its country and in no other number's", () => {
    const spellings = spellingsOf(GERMAN, "DE");
    expect(spellings).toEqual(expect.arrayContaining(TYPED.map((text) => text.replaceAll(/[^0-9+]/g, ""))));
    for (const digits of spellings) expect(phoneTarget(digits, "DE")).toBe(GERMAN);
    expect(spellingsOf(GERMAN, "AT")).not.toContain("01711234567");
    expect(spellingsOf(GERMAN, undefined)).not.toContain("01711234567");
  });
});

test.each(FOREIGN)("%s is stored in the characters of the user form", (text) => {
  expect(requirePhone(plainPhone(text))).toMatch(/^\+?[0-9 ()-]+$/);
});

describe("people with one number", () => {
  test("are one person in an import, at sign-in and at sign-up, in any spelling", async () => {
    const server = openUntil(afterAll, await startTestServer({ settings: { FOLLOWSPOT_COUNTRY: "DE" } }));
    const admin = await server.person("Ada", ["Admin"]);
    const users = (method: string, body: object) => server.call(`user.v1.UserService/${method}`, body, admin.token);
    const auth = (method: string, body: object) => server.call(`auth.v1.AuthService/${method}`, body);

    const rows = ALL.map((phone, i) => ({ name: `Vera ${i}`, phone }));
    const { results } = (await users("ImportUsers", { rows })).body;
    expect(results.map(({ state }: { state: string }) => state)).toEqual(["created", ...Array(ALL.length - 1).fill("repeated")]); // prettier-ignore
    const { userId } = results[0];

    for (const stored of TYPED) {
      await users("UpdateUser", { userId, phone: stored });
      for (const text of ALL)
        expect((await findUserByTarget(server.sql, loginTarget(text, "DE"), "DE"))?.id, `${text} of ${stored}`).toBe(
          userId,
        );
    }

    await users("SetSignUp", { mode: "open" });
    for (const target of ["0171 1234567", "0049 171 1234567", "٠١٧١ ١٢٣٤٥٦٧"]) {
      await auth("SendLoginCode", { target, name: "Newcomer" });
      const { code } = server.codes.findLast((sent) => sent.target === GERMAN)!;
      expect((await auth("VerifyLoginCode", { target, name: "Newcomer", code })).body.user.id).toBe(userId);
    }

    await auth("SendLoginCode", { target: "0171/1234567" });
    await users("DeleteUser", { userId });
    await users("PurgeUser", { userId });
    expect(await server.sql`select target from login_codes where target = ${GERMAN}`).toEqual([]);
  });

  test("keeps numbers of other countries apart without a country", async () => {
    const server = openUntil(afterAll, await startTestServer());
    const admin = await server.person("Ada", ["Admin"]);
    const rows = ["0171 1234567", "+49 171 1234567", "+43 171 1234567"].map((phone) => ({ name: "Vera", phone }));
    const { results } = (await server.call("user.v1.UserService/ImportUsers", { rows }, admin.token)).body;
    expect(results.map(({ state }: { state: string }) => state)).toEqual(["created", "created", "created"]);
  });
});
