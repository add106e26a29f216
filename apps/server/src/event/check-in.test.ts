import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../platform/ids.ts";
import { startTestServer, type TestServer, type Wire } from "../testing/test-server.ts";
import { attendeeCode, attendeeKey } from "./attendee-codes.ts";

let server: TestServer;
let admin: string;
let dora: { readonly id: string; readonly token: string };
let night: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = (await server.person("Ada", ["Admin"])).token;
  dora = await server.person("Dora", ["Director"]);
  night = await event("Night");
});
afterAll(() => server.close());

const call = (method: string, body: object, token = dora.token) =>
  server.call(`event.v1.EventService/${method}`, body, token);
async function event(title: string): Promise<string> {
  const times = { startsAt: "2026-05-01T20:00:00Z", endsAt: "2026-05-02T02:00:00Z" };
  return (await call("CreateEvent", { title, ...times }, admin)).body.event.id;
}
const codeOf = (userId: string, eventId = night) => attendeeCode(attendeeKey(server.secret), { eventId, userId });
const scan = (code: string, eventId = night) => call("ScanQr", { eventId, code });
const cameTo = async (eventId = night, list: object = {}): Promise<Wire[]> =>
  (await call("ListCheckIns", { eventId, list })).body.checkIns ?? [];
const told = (verb: string, userId: string) => server.sql`
  select body::jsonb as said from outbox
  where body::jsonb ->> 'type' = ${`check_in.${verb}`} and body::jsonb -> 'payload' ->> 'user_id' = ${userId}`;
const audited = (action: string, userId: string) => server.sql`
  select user_id from audit_log where action = ${`check_in.${action}`} and coalesce(nullif(after, 'null'), before) ->> 'user_id' = ${userId}`;

test("checks a person in once, says so, tells it and writes it down", async () => {
  const bea = await server.person("Bea");
  const first = await scan(codeOf(bea.id));
  expect(first.body).toMatchObject({ success: true, userId: bea.id, userName: "Bea", checkedInBy: "Dora" });
  expect(first.body.alreadyCheckedIn).toBeUndefined();
  const second = await call("ScanQr", { eventId: night, code: codeOf(bea.id).toLowerCase() }, admin);
  expect(second.body).toEqual({
    userId: bea.id,
    userName: "Bea",
    alreadyCheckedIn: true,
    checkedInAt: first.body.checkedInAt,
    checkedInBy: "Dora",
  });
  expect((await told("created", bea.id)).map(({ said }) => said.topics)).toEqual([["check_ins"]]);
  expect(await audited("created", bea.id)).toEqual([{ user_id: dora.id }]);
});

test("20 scans of one code at once are one check-in, and all name its time", async () => {
  const cy = await server.person("Cy");
  const answers = await Promise.all(Array.from({ length: 20 }, () => scan(codeOf(cy.id))));
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.alreadyCheckedIn)).toHaveLength(19);
  expect(new Set(answers.map(({ body }) => body.checkedInAt)).size).toBe(1);
  expect(await told("created", cy.id)).toHaveLength(1);
  expect(await audited("created", cy.id)).toHaveLength(1);
});

test("scans and undos of one person at once leave one state, and every change written down", async () => {
  const di = await server.person("Di");
  const undo = () => call("UndoCheckIn", { eventId: night, userId: di.id });
  const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? scan(codeOf(di.id)) : undo())));
  expect(answers.map(({ code }) => code).filter(Boolean)).toEqual([]);
  for (const { body } of answers) if (body.alreadyCheckedIn) expect(body.checkedInAt).toBeDefined();
  const [made, undone] = [await audited("created", di.id), await audited("undone", di.id)];
  const stands = (await cameTo()).filter(({ userId }) => userId === di.id).length;
  expect(made.length - undone.length).toBe(stands);
});

test("undo takes a check-in back once, and the person can come in again", async () => {
  const eve = await server.person("Eve");
  await scan(codeOf(eve.id));
  const undo = () => call("UndoCheckIn", { eventId: night, userId: eve.id });
  const undos = await Promise.all(Array.from({ length: 5 }, undo));
  expect(undos.filter(({ body }) => body.success)).toHaveLength(1);
  expect(await told("undone", eve.id)).toHaveLength(1);
  expect((await scan(codeOf(eve.id))).body.success).toBe(true);
});

test("undo for a person who does not exist is refused, and for one who is not checked in it changes nothing", async () => {
  for (const userId of ["01JD0000000000000000000404", "x", " ", "1' or '1'='1"]) {
    expect((await call("UndoCheckIn", { eventId: night, userId })).code).toBe("not_found");
  }
  const ida = await server.person("Ida");
  expect(await call("UndoCheckIn", { eventId: night, userId: ida.id })).toMatchObject({ status: 200, body: {} });
});

test("every text that is no good code of this event is refused with a sentence, and nothing is kept", async () => {
  const flo = await server.person("Flo");
  const other = await event("Other night");
  const good = codeOf(flo.id);
  const signed = `FS1.${night}.${flo.id}`;
  const elsewhere = createHmac("sha256", "another secret").update(signed).digest("hex").slice(0, 32).toUpperCase();
  const refusals: [string, string, RegExp][] = [
    ["hello", "invalid_argument", /not an attendee code/],
    ["https://example.org/ticket/7", "invalid_argument", /not an attendee code/],
    [good.slice(0, 60), "invalid_argument", /Only a part/],
    [`${good}0`, "invalid_argument", /Only a part/],
    [`${signed}.${elsewhere}`, "invalid_argument", /not genuine/],
    [codeOf(newId()), "failed_precondition", /somebody who was deleted/],
    [codeOf(flo.id, other), "failed_precondition", /another event: Other night/],
    [codeOf(flo.id, newId()), "failed_precondition", /another event$/],
    [`${good}\0`, "invalid_argument", /./],
    ["", "invalid_argument", /code/],
    ["x".repeat(2001), "invalid_argument", /code/],
  ];
  for (const [code, expected, sentence] of refusals) {
    const answer = await scan(code);
    expect([code, answer.code, answer.body.message]).toEqual([code, expected, expect.stringMatching(sentence)]);
  }
  expect((await cameTo()).filter(({ userId }) => userId === flo.id)).toEqual([]);
  expect((await scan(good, newId())).code).toBe("not_found");
  expect(server.failures).toEqual([]);
});

test("a deleted person is refused, and one who was deleted later was there all the same until they are purged", async () => {
  const [gil, hal] = [await server.person("Gil"), await server.person("Hal")];
  const users = (method: string, userId: string) => server.call(`user.v1.UserService/${method}`, { userId }, admin);
  await users("DeleteUser", gil.id);
  expect((await scan(codeOf(gil.id))).body.message).toMatch(/somebody who was deleted/);
  await users("RestoreUser", gil.id);
  expect((await scan(codeOf(gil.id))).body.success).toBe(true);
  await scan(codeOf(hal.id));
  await users("DeleteUser", hal.id);
  const names = async () => (await cameTo()).map(({ userName }) => userName);
  expect(await names()).toContain("Hal");
  await users("PurgeUser", hal.id);
  expect(await names()).not.toContain("Hal");
  const kept = await server.sql`select before, after from audit_log where action like 'check_in.%'`;
  expect(JSON.stringify(kept)).not.toContain("Hal");
});

test("a deleted event has no door", async () => {
  const ida = await server.person("Ida");
  const gone = await event("Gone");
  await call("DeleteEvent", { eventId: gone }, admin);
  const answers = await Promise.all([
    scan(codeOf(ida.id, gone), gone),
    call("ListAttendeeCodes", { eventId: gone }),
    call("ListCheckIns", { eventId: gone }),
    call("CountCheckIns", { eventId: gone }),
    call("GetMyCode", { eventId: gone }, ida.token),
  ]);
  for (const { code, body } of answers) {
    expect(code).toBe("failed_precondition");
    expect(body.message).toContain("This event was deleted");
  }
});

test("lists everybody's code by name, page after page, and who is missing", async () => {
  const party = await event("Party");
  const jo = await server.person("Jo Zeta");
  await scan(codeOf(jo.id, party), party);
  const gone = await server.person("Gone Person");
  await server.call("user.v1.UserService/DeleteUser", { userId: gone.id }, admin);
  const all: Wire[] = [];
  let pageToken = "";
  do {
    const { body } = await call("ListAttendeeCodes", { eventId: party, list: { pageSize: 3, pageToken } });
    all.push(...body.codes);
    pageToken = body.nextPageToken ?? "";
  } while (pageToken);
  const names = all.map(({ userName }) => userName);
  expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  expect(names).toEqual(expect.arrayContaining(["Ada", "Dora", "Jo Zeta"]));
  expect(names).not.toContain("Gone Person");
  for (const { userId, code } of all) expect(code).toBe(codeOf(userId, party));
  const narrowed = async (list: object) =>
    (await call("ListAttendeeCodes", { eventId: party, list })).body.codes.map(({ userName }: Wire) => userName);
  expect(await narrowed({ filter: "checked_in" })).toEqual(["Jo Zeta"]);
  expect(await narrowed({ filter: "missing", pageSize: 200 })).not.toContain("Jo Zeta");
  expect(await narrowed({ query: "zeta" })).toEqual(["Jo Zeta"]);
});

test("lists who came newest first, searched and counted, for one event alone", async () => {
  const [here, there] = [await event("Here"), await event("There")];
  const people = [];
  for (const name of ["Kim One", "Lou Two", "Max Three"]) people.push(await server.person(name));
  for (const { id } of people) await scan(codeOf(id, here), here);
  await scan(codeOf(people[0]!.id, there), there);
  expect((await cameTo(here)).map(({ userName }) => userName)).toEqual(["Max Three", "Lou Two", "Kim One"]);
  const { body } = await call("ListCheckIns", { eventId: here, list: { pageSize: 2 } });
  const next = await cameTo(here, { pageSize: 2, pageToken: body.nextPageToken });
  expect(next.map(({ userName, checkedInBy }) => [userName, checkedInBy])).toEqual([["Kim One", "Dora"]]);
  expect((await cameTo(here, { query: "two" })).map(({ userName }) => userName)).toEqual(["Lou Two"]);
  const count = async (query: string) => (await call("CountCheckIns", { eventId: here, query })).body.counts[0].count;
  expect([await count(""), await count("kim")]).toEqual([3, 1]);
});

test("a member gets their own code and may do nothing else at the door", async () => {
  const nia = await server.person("Nia");
  const mine = async () => (await call("GetMyCode", { eventId: night }, nia.token)).body.code;
  expect(await mine()).toEqual({ userId: nia.id, userName: "Nia", code: codeOf(nia.id) });
  const { body } = await scan(codeOf(nia.id));
  expect((await mine()).checkedInAt).toBe(body.checkedInAt);
  const eventId = night;
  for (const [method, request] of [
    ["ScanQr", { eventId, code: codeOf(nia.id) }],
    ["ListAttendeeCodes", { eventId }],
    ["ListCheckIns", { eventId }],
    ["CountCheckIns", { eventId }],
    ["UndoCheckIn", { eventId, userId: nia.id }],
  ] as const)
    expect([method, (await call(method, request, nia.token)).code]).toEqual([method, "permission_denied"]);
});
