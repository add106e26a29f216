import { afterAll, expect, test } from "vitest";
import { png } from "../testing/pictures.ts";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);

const call = (path: string, body: object) => server.call(path, body, admin.token);
const events = (method: string, body: object) => call(`event.v1.EventService/${method}`, body);
const talks = (method: string, body: object) => call(`talk.v1.TalkService/${method}`, body);

// Fridays before and after the start of DST in Berlin (2:00 to 3:00).
const FRIDAY = {
  title: "Night",
  startsAt: "2026-03-27T19:00:00Z",
  endsAt: "2026-03-28T01:00:00Z",
  location: "The Wharf",
  address: "Quay 1",
  lat: 52.5,
  lng: -13.4,
  timeZone: "Europe/Berlin",
};
const NEXT = { title: "Night II", startsAt: "2026-04-03T18:00:00Z", endsAt: "2026-04-04T00:00:00Z" };
const EVERYTHING = { talks: true, banner: true, registration: true };
const night = async (more: object = {}) => (await events("CreateEvent", { ...FRIDAY, ...more })).body.event;
const duplicate = (eventId: string, more: object = {}) => events("DuplicateEvent", { eventId, ...NEXT, ...more });
const talksOf = async (eventId: string): Promise<Wire[]> => (await talks("ListTalks", { eventId })).body.talks ?? [];

test("copies only the place, time zone, music during talks and public page by default", async () => {
  const musicDuringTalks = "quiet";
  const publicPage = "open";
  const source = await night({
    musicDuringTalks,
    publicPage,
    places: 80,
    registration: "open",
    bannerBase64: png().toString("base64"),
  });
  await talks("CreateTalk", { title: "Opening", eventId: source.id });
  const { event, talks: copied } = (await duplicate(source.id)).body;
  const { location, address, lat, lng, timeZone } = FRIDAY;
  expect(event).toMatchObject({
    ...NEXT,
    location,
    address,
    lat,
    lng,
    timeZone,
    musicDuringTalks,
    publicPage,
    registration: "none",
  });
  expect([event.places, event.image, copied]).toEqual([undefined, undefined, undefined]); // omitted in JSON
  expect(await talksOf(event.id)).toEqual([]);
});

test("copies talks with speakers and images, and moves their times by the local clock", async () => {
  const source = await night();
  const eventId = source.id;
  const { id: userId } = await server.person("Grace");
  const imageBase64 = png().toString("base64");
  await talks("CreateTalk", { eventId, title: "Opening", body: "Hello", startAt: "2026-03-27T20:00:00Z", userId, imageBase64 }); // prettier-ignore
  await talks("CreateTalk", { eventId, title: "Late", startAt: "2026-03-28T00:30:00Z" });
  await talks("CreateTalk", { eventId, title: "Some time" });
  const deleted = (await talks("CreateTalk", { eventId, title: "Dropped" })).body.talk;
  await talks("DeleteTalk", { talkId: deleted.id });

  const { body } = await duplicate(eventId, EVERYTHING);
  expect(body.talks).toBe(3);
  const copies = await talksOf(body.event.id);
  expect(copies.map(({ title, startAt }) => [title, startAt])).toEqual([
    ["Opening", "2026-04-03T19:00:00Z"],
    ["Late", "2026-04-03T23:30:00Z"],
    ["Some time", undefined],
  ]);
  expect(copies[0]).toMatchObject({ body: "Hello", userId, userName: "Grace" });
  const [original] = await talksOf(eventId);
  expect([copies[0]!.imageUrl, copies[0]!.id]).not.toEqual([original!.imageUrl, original!.id]);
  await talks("UpdateTalk", { talkId: original!.id, clearImage: true });
  const [picture] = await server.sql`select 1 from images where ${copies[0]!.imageUrl} = '/media/' || id`;
  expect(picture).toBeDefined();
});

test("moves times by the requested time zone if the event has none", async () => {
  const source = await night({ timeZone: "" });
  await talks("CreateTalk", { eventId: source.id, title: "Opening", startAt: "2026-03-27T20:00:00Z" });
  const startOf = async (more: object) => {
    const { event } = (await duplicate(source.id, { talks: true, ...more })).body;
    return (await talksOf(event.id))[0]!.startAt;
  };
  expect(await startOf({ timeZone: "Europe/Berlin" })).toBe("2026-04-03T19:00:00Z");
  expect(await startOf({})).toBe("2026-04-03T19:00:00Z"); // one hour after the start, as in the original
  expect(await startOf({ startsAt: FRIDAY.startsAt, timeZone: "Asia/Tokyo" })).toBe("2026-03-27T20:00:00Z");
});

test("copies registration mode, number of spots and door times, but no registrations and check-ins", async () => {
  const doors = { doorsOpenAt: "2026-03-27T18:00:00Z", doorsCloseAt: "2026-03-28T00:00:00Z" };
  const source = await night({ places: 1, registration: "open", bannerBase64: png().toString("base64"), ...doors });
  const eventId = source.id;
  const [first, second] = [await server.person("Grace"), await server.person("Edsger")];
  for (const { id: userId } of [first, second]) await events("RegisterPerson", { eventId, userId });
  const { code } = (await server.call("event.v1.EventService/GetMyCode", { eventId }, first.token)).body.code;
  await events("ScanQr", { eventId, code, admit: true });
  const talk = (await talks("CreateTalk", { eventId, title: "Opening" })).body.talk;
  await server.call("talk.v1.TalkService/Vote", { talkId: talk.id }, first.token);
  await server.call("talk.v1.TalkService/GiveFeedback", { talkId: talk.id, rating: 5, text: "Good" }, first.token);

  const { event } = (await duplicate(eventId, EVERYTHING)).body;
  expect(event).toMatchObject({ places: 1, registration: "open", doorsOpenAt: "2026-04-03T17:00:00Z" });
  expect(event.doorsCloseAt).toBe("2026-04-03T23:00:00Z");
  expect(event.bannerUrl).toMatch(/^\/media\//);
  expect(event.image).not.toBe(source.image);
  expect([event.registered, event.waiting]).toEqual([undefined, undefined]); // zero is omitted in JSON
  expect((await events("ListRegistrations", { eventId: event.id })).body.registrations).toBeUndefined();
  expect((await events("ListCheckIns", { eventId: event.id })).body.checkIns).toBeUndefined();
  const [copy] = await talksOf(event.id);
  expect(copy!.points).toBeUndefined();
  expect((await talks("ListFeedback", { talkId: copy!.id })).body.feedback).toBeUndefined();
});

test("publishes and audits the event and each of its talks as created", async () => {
  const source = await night();
  for (const title of ["One", "Two"]) await talks("CreateTalk", { eventId: source.id, title });
  const { event } = (await duplicate(source.id, EVERYTHING)).body;
  const ids = (await talksOf(event.id)).map(({ id }) => `talk ${id}`);
  const audit = await server.sql`
    select action, target from audit_log where target = any(${[`event ${event.id}`, ...ids]}) order by id`;
  expect(audit.map(({ action }) => action)).toEqual(["event.created", "talk.created", "talk.created"]);
  const told = await server.sql`
    select body::jsonb ->> 'type' as type from outbox where body::jsonb -> 'topics' ? ${`event.${event.id}`} order by id`;
  expect(told.map(({ type }) => type)).toEqual(["event.created", "talk.created", "talk.created"]);
});

test.each([
  [{ eventId: "missing" }, "not_found", "Event"],
  [{ title: " " }, "invalid_argument", "Title is required"],
  [{ startsAt: undefined }, "invalid_argument", "Start date/time is required"],
  [{ endsAt: undefined }, "invalid_argument", "End date/time is required"],
  [{ endsAt: NEXT.startsAt }, "invalid_argument", "End date must be after start date"],
  [{ timeZone: "Mars/Olympus" }, "invalid_argument", "timeZone"],
])("refuses a copy with %j", async (more, code, text) => {
  const source = await night();
  const answer = await duplicate(source.id, more);
  expect([answer.code, answer.body.message]).toEqual([code, expect.stringContaining(text)]);
});

test("rejects a copy of a deleted event with what to do", async () => {
  const source = await night();
  await events("DeleteEvent", { eventId: source.id });
  const { code, body } = await duplicate(source.id);
  expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("Restore it")]);
});

test("stores nothing if a talk cannot be moved", async () => {
  const source = await night({ title: "Far" });
  await talks("CreateTalk", { eventId: source.id, title: "In reach" });
  await talks("CreateTalk", { eventId: source.id, title: "Typing error", startAt: "9998-12-31T20:00:00Z" });
  const { code, body } = await duplicate(source.id, { ...EVERYTHING, title: "Far too", startsAt: "2027-06-01T00:00:00Z", endsAt: "2027-06-02T00:00:00Z" }); // prettier-ignore
  expect([code, body.message]).toEqual(["invalid_argument", expect.stringContaining("1900 to 9999")]);
  expect(await server.sql`select 1 from events where title = 'Far too'`).toHaveLength(0);
  expect(await server.sql`select 1 from talks where title = 'In reach'`).toHaveLength(1);
});
