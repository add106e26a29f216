import { afterAll, expect, test } from "vitest";
import { png } from "../../testing/pictures.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);
const bea = await server.person("Bea", [], "bea@example.org");

const users = (method: string, body: object, token = bea.token) =>
  server.call(`user.v1.UserService/${method}`, body, token);
const photoBase64 = png().toString("base64");

test("a member reads their own profile and changes their name, username, purpose, bio and photo", async () => {
  const fields = { name: "Béa", username: "bea", purpose: "Sings", bio: "Since 2020" };
  const { body } = await users("UpdateUser", { userId: bea.id, ...fields, photoBase64 });
  expect(body.user).toMatchObject({ ...fields, photoUrl: expect.stringMatching(/^\/media\//) });
  const photo = (await users("UploadPhoto", { userId: bea.id, photoBase64 })).body;
  const read = (await users("GetUser", { userId: bea.id })).body.user;
  expect(read).toMatchObject({ ...fields, email: "bea@example.org", photoUrl: photo.photoUrl });
});

test.each(["", "Director", "AI"])(
  "only Admins access other users, whether they exist or not (role: %s)",
  async (role) => {
    const { token } = await server.person("Cy", role === "" ? [] : [role as "AI"]);
    const before = (await users("GetUser", { userId: bea.id }, admin.token)).body;
    for (const userId of [bea.id, "missing"]) {
      for (const [method, more] of [
        ["GetUser"],
        ["UpdateUser", { name: "X" }],
        ["UploadPhoto", { photoBase64 }],
      ] as const) {
        const { code, body } = await users(method, { userId, ...more }, token);
        expect([code, body.message]).toEqual(["permission_denied", "You may only read and change yourself"]);
      }
    }
    expect((await users("GetUser", { userId: bea.id }, admin.token)).body).toEqual(before);
  },
);

test.each([
  [{ email: "thief@example.org" }, "Ask an Admin"],
  [{ phone: "+49 30 1" }, "Ask an Admin"],
  [{ email: "" }, "Ask an Admin"],
  [{ roles: ["Admin"] }, "by Admins"],
  [{ setRoles: true }, "by Admins"],
])("a member cannot set their own %j, and the rest of the request is not applied", async (fields, said) => {
  const { code, body } = await users("UpdateUser", { userId: bea.id, bio: "taken", ...fields });
  expect([code, body.message]).toEqual(["permission_denied", expect.stringContaining(said)]);
  expect((await users("GetUser", { userId: bea.id })).body.user.bio).not.toBe("taken");
});

test("an Admin changes their own address and those of other users", async () => {
  const own = await users("UpdateUser", { userId: admin.id, email: "ada@example.org" }, admin.token);
  const others = await users("UpdateUser", { userId: bea.id, phone: "+49 30 2" }, admin.token);
  expect([own.body.user.email, others.body.user.phone]).toEqual(["ada@example.org", "+49 30 2"]);
});

test("a member changes their profile at most 60 times an hour, also with simultaneous requests", async () => {
  const { id, token } = await server.person("Eager");
  const answers = await Promise.all(
    Array.from({ length: 70 }, (_, i) => users("UpdateUser", { userId: id, bio: `${i}` }, token)),
  );
  const refused = answers.filter(({ code }) => code === "resource_exhausted");
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(3500);
  expect(refused[0]!.headers.get("ratelimit-remaining")).toBe("0");
  expect((await users("UpdateUser", { userId: id, bio: "by an Admin" }, admin.token)).status).toBe(200);
  // Rejected before the image is decoded, which costs more than a change.
  const damaged = png().subarray(0, 40).toString("base64");
  for (const method of ["UpdateUser", "UploadPhoto"]) {
    const { code } = await users(method, { userId: id, photoBase64: damaged }, token);
    expect([method, code]).toEqual([method, "resource_exhausted"]);
  }
  await server.sql`update audit_log set at = at - interval '61 minutes' where user_id = ${id}`;
  expect((await users("UpdateUser", { userId: id, bio: "later" }, token)).status).toBe(200);
});
