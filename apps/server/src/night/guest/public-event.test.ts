import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { png } from "../../testing/pictures.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

const MAX_VIEWS = 60;
const server = openUntil(
  afterAll,
  await startTestServer({ maxViews: MAX_VIEWS, settings: { FOLLOWSPOT_TRUST_PROXY: ["127.0.0.1"] } }),
);
const admin = await server.person("Ada", ["Admin"]);

async function call(method: string, body: object): Promise<Wire> {
  const answer = await server.call(method, body, admin.token);
  if (answer.status !== 200) throw new Error(answer.body.message);
  return answer.body;
}
const events = (method: string, body: object) => call(`event.v1.EventService/${method}`, body);
const create = async (more: object = {}): Promise<string> =>
  (await events("CreateEvent", { title: "Night", startsAt: at(1), endsAt: at(5), ...more })).event.id;
const keyOf = async (eventId: string): Promise<string> =>
  (await events("RenewEventInvitation", { eventId })).path.split("invitation=")[1];
const view = (eventId: string, invitation = "", from = "192.0.2.1") =>
  server.call("guest.v1.GuestService/GetPublicEvent", { eventId, invitation }, undefined, { "x-forwarded-for": from });

// kept: Doors | A guest who opened an invitation saw a bare sign-in without title, time and place | failed on the old code
test.each([
  ["off", "not_found", "not_found", "failed_precondition"],
  ["link", "not_found", undefined, "failed_precondition"],
  ["open", undefined, undefined, undefined],
])(
  "a page that is %s answers without a key, with the key, and with a replaced key",
  async (publicPage, ...expected) => {
    const eventId = await create({ publicPage, registration: "invitation" });
    const replaced = await keyOf(eventId);
    const key = await keyOf(eventId);
    const answers = [await view(eventId), await view(eventId, key), await view(eventId, replaced)];
    expect(answers.map(({ code }) => code)).toEqual(expected);
    expect(answers.map(({ body }) => body.event?.isInvited)).toEqual([
      undefined,
      expected[1] ? undefined : true,
      undefined,
    ]);
  },
);

test("answers guesses of a missing event like those of an event that shows nothing", async () => {
  const hidden = await create({ publicPage: "link" });
  const key = await keyOf(await create());
  for (const invitation of ["", "x", key]) {
    const [one, other] = [await view(hidden, invitation), await view("01MISSING", invitation)];
    expect([one.code, one.body]).toEqual([other.code, other.body]);
  }
});

test("shows title, times, place, program and free places, and nothing about people", async () => {
  const place = { location: "Hall 2", address: "Rosenweg 5", lat: 52.5, lng: 13.4, timeZone: "Europe/Berlin" };
  const eventId = await create({ ...place, publicPage: "open", registration: "open", places: 2 });
  const { id: userId } = await server.person("Grace Secret");
  await call("talk.v1.TalkService/CreateTalk", { eventId, title: "Late", startAt: at(3) });
  await call("talk.v1.TalkService/CreateTalk", { eventId, title: "Opening", startAt: at(1), userId });
  await events("RegisterPerson", { eventId, userId });
  const { body } = await view(eventId);
  expect(body.event).toMatchObject({
    ...place,
    title: "Night",
    community: "Open Stage",
    freePlaces: 1,
    state: "upcoming",
    takesRegistrations: true,
  });
  expect(body.event.talks.map(({ title }: Wire) => title)).toEqual(["Opening", "Late"]);
  expect(JSON.stringify(body)).not.toContain("Secret");
});

test.each([
  ["upcoming", { startsAt: at(1), endsAt: at(2) }, true],
  ["on", { startsAt: at(-1), endsAt: at(2) }, true],
  ["on", { startsAt: at(-1), endsAt: at(2), doorsCloseAt: at(-0.5) }, undefined],
  ["past", { startsAt: at(-3), endsAt: at(-1) }, undefined],
])("is %s for %o", async (state, times, takesRegistrations) => {
  const eventId = await create({ ...times, publicPage: "open", registration: "open" });
  expect((await view(eventId)).body.event).toMatchObject({ state });
  expect((await view(eventId)).body.event.takesRegistrations).toBe(takesRegistrations);
});

test("is canceled for a deleted event", async () => {
  const eventId = await create({ publicPage: "open", registration: "open" });
  await events("DeleteEvent", { eventId });
  const { event } = (await view(eventId)).body;
  expect([event.state, event.takesRegistrations]).toEqual(["canceled", undefined]);
});

test("sends the banner of a public page without an account, and no other image", async () => {
  const bannerBase64 = png().toString("base64");
  const eventId = await create({ publicPage: "open", bannerBase64 });
  const { coverUrl } = (await view(eventId)).body.event;
  const answer = await fetch(server.base + coverUrl);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const other = await create({ publicPage: "open" });
  expect((await fetch(server.base + coverUrl.replace(eventId, other))).status).toBe(404);
  await events("UpdateEvent", { eventId, publicPage: "off" });
  expect((await fetch(server.base + coverUrl)).status).toBe(404);
});

test("limits views per network and minute", async () => {
  const eventId = await create({ publicPage: "open" });
  const codes = [];
  for (let i = 0; i <= MAX_VIEWS; i++) codes.push((await view(eventId, "", "198.51.100.7")).code);
  expect(codes).toEqual([...Array(MAX_VIEWS).fill(undefined), "resource_exhausted"]);
  const { headers } = await view(eventId, "", "198.51.100.7");
  expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual([String(MAX_VIEWS), "0"]);
  expect((await view(eventId, "", "198.51.100.8")).code).toBeUndefined();
});
