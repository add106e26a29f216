import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);

const talks = (method: string, body: object, token = admin.token) =>
  server.call(`talk.v1.TalkService/${method}`, body, token);
const create = async (fields: object = {}): Promise<string> =>
  (await talks("CreateTalk", { title: "Talk", ...fields })).body.talk.id;
/** Gives feedback as a new member. @returns the member */
async function say(talkId: string, name: string, text: string, rating = 0) {
  const person = await server.person(name);
  expect((await talks("GiveFeedback", { talkId, text, rating }, person.token)).status).toBe(200);
  return person;
}
const read = async (talkId: string, list: object = {}): Promise<Wire> =>
  (await talks("ListFeedback", { talkId, list })).body;
const texts = ({ feedback = [] }: Wire) => feedback.map(({ text }: Wire) => text);

test("accepts one feedback per user", async () => {
  const feedback = { talkId: await create(), text: "Great", rating: 5 };
  const answers = await Promise.all(Array.from({ length: 5 }, () => talks("GiveFeedback", feedback)));
  expect(answers.map(({ code }) => code).sort()).toEqual([...Array(4).fill("already_exists"), undefined]);
  expect((await talks("GiveFeedback", { ...feedback, rating: 6 })).code).toBe("invalid_argument");
});

test("rejects empty feedback", async () => {
  const talkId = await create();
  expect((await talks("GiveFeedback", { talkId, text: " \n" })).code).toBe("invalid_argument");
  expect((await talks("GiveFeedback", { talkId: "missing", text: "Great" })).code).toBe("not_found");
});

test("lists the feedback on one talk only, newest first", async () => {
  const [talkId, other] = [await create(), await create()];
  const bea = await say(talkId, "Bea", "Loud", 2);
  await say(talkId, "Cy", "Bright");
  await say(other, "Di", "Elsewhere", 5);
  const { feedback } = await read(talkId);
  expect(texts({ feedback })).toEqual(["Bright", "Loud"]);
  expect(feedback[1]).toMatchObject({ talkId, userId: bea.id, userName: "Bea", rating: 2 });
  expect(Date.parse(feedback[1].createdAt)).toBeLessThanOrEqual(Date.now());
});

test("pages through feedback in both orders without gaps or duplicates, also with equal times", async () => {
  const talkId = await create();
  await server.sql`
    insert into users (id, name) select 'F' || i, 'Fan ' || i from generate_series(1, 25) i`;
  await server.sql`
    insert into talk_feedback (talk_id, user_id, text, rating)
    select ${talkId}, 'F' || i, 'Word ' || i, i % 3 from generate_series(1, 25) i`;
  for (const orderBy of ["", "created_at", "rating", "rating desc"]) {
    const seen: string[] = [];
    for (let pageToken = "", more = true; more; more = pageToken !== "") {
      const page = await read(talkId, { orderBy, pageSize: 4, pageToken });
      seen.push(...texts(page));
      pageToken = page.nextPageToken ?? "";
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
  }
});

test("searches feedback by text and author, within one talk only", async () => {
  const [talkId, other] = [await create(), await create()];
  const bea = await say(talkId, "Beatrix", "Loud");
  await say(talkId, "Cy", "50% fog_");
  await talks("GiveFeedback", { talkId: other, text: "Fog everywhere" }, bea.token);
  expect(texts(await read(talkId, { query: "beatr" }))).toEqual(["Loud"]);
  expect(texts(await read(talkId, { query: "0% fog_" }))).toEqual(["50% fog_"]);
  expect(texts(await read(talkId, { query: "everywhere" }))).toEqual([]);
});

test("counts feedback and averages the ratings given", async () => {
  const talkId = await create();
  expect((await talks("CountFeedback", { talkId })).body.averageRating).toBeUndefined();
  await say(talkId, "Bea", "Loud", 2);
  await say(talkId, "Cy", "Bright", 5);
  await say(talkId, "Di", "Dark");
  const { body } = await talks("CountFeedback", { talkId });
  const counts = Object.fromEntries(body.counts.map(({ filter = "", count = 0 }: Wire) => [filter, count]));
  expect([counts, body.averageRating]).toEqual([{ "": 3, rated: 2, unrated: 1 }, 3.5]);
  expect(texts(await read(talkId, { filter: "unrated" }))).toEqual(["Dark"]);
});

test("shows feedback to staff only", async () => {
  const talkId = await create();
  for (const [roles, code] of [
    [[], "permission_denied"],
    [["AI"], "permission_denied"],
    [["Director"], undefined],
  ] as const) {
    const { token } = await server.person("Reader", [...roles]);
    for (const method of ["ListFeedback", "CountFeedback"])
      expect((await talks(method, { talkId }, token)).code).toBe(code);
  }
});

test("retains the feedback of a deleted user until the user is purged", async () => {
  const talkId = await create();
  const bea = await say(talkId, "Bea", "Loud");
  await server.call("user.v1.UserService/DeleteUser", { userId: bea.id }, admin.token);
  expect(texts(await read(talkId))).toEqual(["Loud"]);
  await server.call("user.v1.UserService/PurgeUser", { userId: bea.id }, admin.token);
  expect(texts(await read(talkId))).toEqual([]);
});

test("returns not_found for feedback on a deleted or unknown talk", async () => {
  const talkId = await create();
  await talks("DeleteTalk", { talkId });
  for (const id of [talkId, "missing"])
    for (const method of ["ListFeedback", "CountFeedback"])
      expect((await talks(method, { talkId: id })).code).toBe("not_found");
});

test("announces new feedback without its text or author", async () => {
  const talkId = await create();
  const { id } = await say(talkId, "Bea", "Between us");
  const told = await server.sql<{ body: string }[]>`
    select body from outbox where body::jsonb -> 'topics' ? 'feedback' and body like ${`%${talkId}%`}`;
  expect(told).toHaveLength(1);
  expect(told[0]!.body).toContain("feedback.given");
  for (const secret of ["Between us", id]) expect(told[0]!.body).not.toContain(secret);
  expect(await server.sql`select 1 from audit_log where action like 'feedback%'`).toHaveLength(0);
});

test.each([
  ["a filter it does not have", { filter: "best" }],
  ["an order it does not have", { orderBy: "text" }],
  ["an invalid token", { pageToken: "x" }],
])("refuses %s", async (_case, list) => {
  expect((await talks("ListFeedback", { talkId: await create(), list })).code).toBe("invalid_argument");
});
