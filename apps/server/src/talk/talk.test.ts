import { afterAll, beforeAll, expect, test } from "vitest";
import { png } from "../testing/pictures.ts";
import { startTestServer, type TestServer, type Wire } from "../testing/test-server.ts";

let server: TestServer;
let admin: { id: string; token: string };
let eventId: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.person("Ada", ["Admin"]);
  const night = { title: "Night", startsAt: "2026-05-01T20:00:00Z", endsAt: "2026-05-02T02:00:00Z" };
  eventId = (await server.call("event.v1.EventService/CreateEvent", night, admin.token)).body.event.id;
});
afterAll(() => server.close());

const talks = (method: string, body: object, token = admin.token) =>
  server.call(`talk.v1.TalkService/${method}`, body, token);
const create = async (fields: object = {}) =>
  (await talks("CreateTalk", { title: "Talk", eventId, ...fields })).body.talk;

test("creates a talk of an event with its speaker and lists it there", async () => {
  const talk = await create({
    userId: admin.id,
    startAt: "2026-05-01T21:00:00Z",
    imageBase64: png().toString("base64"),
  });
  expect(talk).toMatchObject({ title: "Talk", userName: "Ada", eventId, startAt: "2026-05-01T21:00:00Z" });
  expect(talk.imageUrl).toMatch(/^\/media\//);
  await create({ eventId: "" });
  const { body } = await talks("ListTalks", { eventId });
  expect(body.talks.map(({ id }: Wire) => id)).toEqual([talk.id]);
  expect((await talks("ListTalks", {})).body.totalSize).toBe(2);
});

test("changes the given fields only and takes the speaker away with an empty id", async () => {
  const { id } = await create({ userId: admin.id, body: "Long" });
  const { body } = await talks("UpdateTalk", { talkId: id, title: "", userId: "" });
  expect(body.talk).toMatchObject({ body: "Long", eventId });
  expect([body.talk.title, body.talk.userId, body.talk.userName]).toEqual([undefined, undefined, undefined]);
  expect((await talks("UpdateTalk", { talkId: id, userId: "missing" })).code).toBe("not_found");
  expect((await talks("UpdateTalk", { talkId: id, eventId: "missing" })).code).toBe("not_found");
});

test("deletes a talk once, its picture with it", async () => {
  const { id, imageUrl } = await create({ imageBase64: png().toString("base64") });
  const deletes = await Promise.all(Array.from({ length: 8 }, () => talks("DeleteTalk", { talkId: id })));
  expect(deletes.map(({ code }) => code).sort()).toEqual([...Array(7).fill("not_found"), undefined]);
  const rows = await server.sql`select 1 from images where id = ${imageUrl.split("/").at(-1)}`;
  expect(rows).toHaveLength(0);
});

test("counts one vote a person, however often and at once they vote", async () => {
  const { id } = await create();
  const members = await Promise.all(["Bea", "Cy", "Di"].map((name) => server.person(name)));
  await Promise.all(
    members.flatMap(({ token }) => Array.from({ length: 5 }, () => talks("Vote", { talkId: id }, token))),
  );
  expect((await talks("GetTalk", { talkId: id })).body.talk.points).toBe(3);
  expect((await talks("Unvote", { talkId: id }, members[0]!.token)).body.points).toBe(2);
  expect((await talks("Unvote", { talkId: id }, members[0]!.token)).body.points).toBe(2);
});

test("takes feedback once a person", async () => {
  const { id } = await create();
  const feedback = { talkId: id, text: "Great", rating: 5 };
  const answers = await Promise.all(Array.from({ length: 5 }, () => talks("GiveFeedback", feedback)));
  expect(answers.map(({ code }) => code).sort()).toEqual([...Array(4).fill("already_exists"), undefined]);
  expect((await talks("GiveFeedback", { ...feedback, rating: 6 })).code).toBe("invalid_argument");
});
