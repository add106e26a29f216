import { createHmac } from "node:crypto";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../platform/database/database.ts";
import { newId } from "../platform/database/ids.ts";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { attendeeCode, attendeeKey } from "./attendee-codes.ts";
import { codesFor } from "./issued-codes.store.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
const dora = await server.person("Dora", ["Director"]);

const call = (method: string, body: object, token = dora.token) =>
  server.call(`event.v1.EventService/${method}`, body, token);
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
async function event(title: string, more: object = {}): Promise<string> {
  const times = { startsAt: inHours(-1), endsAt: inHours(5) };
  return (await call("CreateEvent", { title, ...times, ...more }, admin)).body.event.id;
}
const night = await event("Night");
const codeOf = (userId: string, eventId = night) => attendeeCode(attendeeKey(server.secret), { eventId, userId });
const scan = (code: string, eventId = night) => call("ScanQr", { eventId, code });
const cameTo = async (eventId = night, list: object = {}): Promise<Wire[]> =>
  (await call("ListCheckIns", { eventId, list })).body.checkIns ?? [];
const told = (verb: string, userId: string) => server.sql`
  select body::jsonb as said from outbox
  where body::jsonb ->> 'type' = ${`check_in.${verb}`} and body::jsonb -> 'payload' ->> 'user_id' = ${userId}`;
const audited = (action: string, userId: string) => server.sql`
  select user_id from audit_log where action = ${`check_in.${action}`} and coalesce(nullif(after, 'null'), before) ->> 'user_id' = ${userId}`;

test("checks an attendee in once, responds with the check-in, publishes it and writes an audit row", async () => {
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
    peopleIn: 1,
  });
  expect((await told("created", bea.id)).map(({ said }) => said.topics)).toEqual([["check_ins", `user.${bea.id}`]]);
  expect(await audited("created", bea.id)).toEqual([{ user_id: dora.id }]);
});

test("20 simultaneous scans of one code make one check-in, and all return its time", async () => {
  const cy = await server.person("Cy");
  const answers = await Promise.all(Array.from({ length: 20 }, () => scan(codeOf(cy.id))));
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.alreadyCheckedIn)).toHaveLength(19);
  expect(new Set(answers.map(({ body }) => body.checkedInAt)).size).toBe(1);
  expect(await told("created", cy.id)).toHaveLength(1);
  expect(await audited("created", cy.id)).toHaveLength(1);
});

test("simultaneous scans and undos of one attendee end in one state, with an audit row for each change", async () => {
  const di = await server.person("Di");
  const undo = () => call("UndoCheckIn", { eventId: night, userId: di.id });
  const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? scan(codeOf(di.id)) : undo())));
  expect(answers.map(({ code }) => code).filter(Boolean)).toEqual([]);
  for (const { body } of answers) if (body.alreadyCheckedIn) expect(body.checkedInAt).toBeDefined();
  const [made, undone] = [await audited("created", di.id), await audited("undone", di.id)];
  const stands = (await cameTo()).filter(({ userId }) => userId === di.id).length;
  expect(made.length - undone.length).toBe(stands);
});

test("undo removes a check-in once, and the attendee can check in again", async () => {
  const eve = await server.person("Eve");
  await scan(codeOf(eve.id));
  const undo = () => call("UndoCheckIn", { eventId: night, userId: eve.id });
  const undos = await Promise.all(Array.from({ length: 5 }, undo));
  expect(undos.filter(({ body }) => body.success)).toHaveLength(1);
  expect(await told("undone", eve.id)).toHaveLength(1);
  expect((await scan(codeOf(eve.id))).body.success).toBe(true);
});

// kept: Changes | Undoing the check-in of a person who does not exist was answered as if there were one | failed on the
// old code
test("undo is rejected for an unknown user and changes nothing for a user who is not checked in", async () => {
  for (const userId of ["01JD0000000000000000000404", "x", " ", "1' or '1'='1"]) {
    expect((await call("UndoCheckIn", { eventId: night, userId })).code).toBe("not_found");
  }
  const ida = await server.person("Ida");
  expect(await call("UndoCheckIn", { eventId: night, userId: ida.id })).toMatchObject({ status: 200, body: {} });
});

test("rejects any text that is not a valid code of this event with a reason, and stores nothing", async () => {
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
    [codeOf(newId()), "failed_precondition", /a person who was deleted/],
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

test("rejects a deleted user; check-ins of a user who is deleted later remain until the user is purged", async () => {
  const [gil, hal] = [await server.person("Gil"), await server.person("Hal")];
  const users = (method: string, userId: string) => server.call(`user.v1.UserService/${method}`, { userId }, admin);
  await users("DeleteUser", gil.id);
  expect((await scan(codeOf(gil.id))).body.message).toMatch(/a person who was deleted/);
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

test("rejects scans at a deleted event", async () => {
  const ida = await server.person("Ida");
  const deleted = await event("Deleted");
  await call("DeleteEvent", { eventId: deleted }, admin);
  const answers = await Promise.all([
    scan(codeOf(ida.id, deleted), deleted),
    call("ListAttendeeCodes", { eventId: deleted }),
    call("ListCheckIns", { eventId: deleted }),
    call("CountCheckIns", { eventId: deleted }),
    call("GetMyCode", { eventId: deleted }, ida.token),
  ]);
  for (const { code, body } of answers) {
    expect(code).toBe("failed_precondition");
    expect(body.message).toContain("This event was deleted");
  }
});

test("lists the codes of all attendees by name, in pages, and who is missing", async () => {
  const party = await event("Party");
  const jo = await server.person("Jo Zeta");
  await scan(codeOf(jo.id, party), party);
  const leaver = await server.person("Deleted Person");
  await server.call("user.v1.UserService/DeleteUser", { userId: leaver.id }, admin);
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
  expect(names).not.toContain("Deleted Person");
  for (const { userId, code } of all) expect(code).toBe(codeOf(userId, party));
  const narrowed = async (list: object) =>
    (await call("ListAttendeeCodes", { eventId: party, list })).body.codes.map(({ userName }: Wire) => userName);
  expect(await narrowed({ filter: "checked_in" })).toEqual(["Jo Zeta"]);
  expect(await narrowed({ filter: "missing", pageSize: 200 })).not.toContain("Jo Zeta");
  expect(await narrowed({ query: "zeta" })).toEqual(["Jo Zeta"]);
});

test("lists the check-ins of one event, newest first, with search and counts", async () => {
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

test("a member reads their own code and is denied every other check-in method", async () => {
  const nia = await server.person("Nia");
  const mine = async () => (await call("GetMyCode", { eventId: night }, nia.token)).body.code;
  expect(await mine()).toEqual({
    userId: nia.id,
    userName: "Nia",
    code: codeOf(nia.id),
    shortCode: expect.stringMatching(/^[2-9C-Y]{6}$/),
  });
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

test("issues codes to registered attendees only if the event requires registration", async () => {
  const listed = await event("Listed", { registration: "open", places: 1 });
  const [ola, pia] = [await server.person("Ola"), await server.person("Pia")];
  const mine = (token: string) => call("GetMyCode", { eventId: listed }, token);
  expect((await mine(ola.token)).body.message).toMatch(/Register first/);
  await call("Register", { eventId: listed }, ola.token);
  await call("Register", { eventId: listed }, pia.token);
  expect((await mine(ola.token)).body.code).toMatchObject({ code: codeOf(ola.id, listed), registration: "registered" });
  expect((await mine(pia.token)).body.message).toMatch(/on the waiting list, number 1/);
  const { codes } = (await call("ListAttendeeCodes", { eventId: listed })).body;
  expect(codes.map(({ userName, registration }: Wire) => [userName, registration])).toEqual([
    ["Ola", "registered"],
    ["Pia", "waiting"],
  ]);
});

test("rejects attendees without a spot by name; door staff can override, and the override is audited", async () => {
  const listed = await event("Listed", { registration: "open", places: 1 });
  const [ola, pia, quy] = [await server.person("Ola"), await server.person("Pia"), await server.person("Quy")];
  for (const { token } of [ola, pia]) await call("Register", { eventId: listed }, token);
  const against = async (userId: string) => (await scan(codeOf(userId, listed), listed)).body;
  expect(await against(quy.id)).toEqual({
    userId: quy.id,
    userName: "Quy",
    registration: "none",
    refusal: "not_registered",
    places: 1,
  });
  expect(await against(pia.id)).toMatchObject({ registration: "waiting", refusal: "waiting" });
  const admitted = await call("ScanQr", { eventId: listed, code: codeOf(quy.id, listed), admit: true });
  expect(admitted.body).toMatchObject({ success: true, registration: "none", peopleIn: 1 });
  // Registered attendees are admitted even if overrides have filled the venue.
  expect(await against(ola.id)).toMatchObject({ success: true, registration: "registered", peopleIn: 2 });
  const came = await cameTo(listed);
  expect(came.map(({ userName, registration, admitted: why }) => [userName, registration, why])).toEqual([
    ["Ola", "registered", undefined],
    ["Quy", "none", "not_registered"],
  ]);
  const named = async (filter: string) => (await cameTo(listed, { filter })).map(({ userName }) => userName);
  expect([await named("registered"), await named("unregistered"), await named("admitted")]).toEqual([
    ["Ola"],
    ["Quy"],
    ["Quy"],
  ]);
  const [kept] = await server.sql`
    select after ->> 'admitted' as why from audit_log
    where action = 'check_in.created' and after ->> 'user_id' = ${quy.id}`;
  expect(kept).toEqual({ why: "not_registered" });
});

test("admits 3 of 10 attendees who arrive at once for the last 3 spots", async () => {
  const small = await event("Small", { places: 3 });
  const people = await Promise.all(Array.from({ length: 10 }, (_, i) => server.person(`Guest ${i}`)));
  const answers = await Promise.all(people.map(({ id }) => scan(codeOf(id, small), small)));
  expect(answers.filter(({ body }) => body.success)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.refusal === "full")).toHaveLength(7);
});

test.each([
  ["two hours before the start", { startsAt: inHours(2.1), endsAt: inHours(5) }, "early"],
  ["from then on", { startsAt: inHours(1.9), endsAt: inHours(5) }, undefined],
  ["until the end", { startsAt: inHours(-5), endsAt: inHours(-0.1) }, "late"],
  ["when the event says so", { doorsOpenAt: inHours(-0.5) }, undefined],
  ["not before it says so", { doorsOpenAt: inHours(0.5) }, "early"],
  ["not after it says so", { doorsCloseAt: inHours(-0.5) }, "late"],
])("doors open %s", async (_when, times, refusal) => {
  const timed = await event("Timed", times);
  const rex = await server.person("Rex");
  const { body } = await scan(codeOf(rex.id, timed), timed);
  expect(body.refusal).toBe(refusal);
  expect((await call("ScanQr", { eventId: timed, code: codeOf(rex.id, timed), admit: true })).body.userName).toBe(
    "Rex",
  );
  expect(await cameTo(timed)).toHaveLength(1);
});

const settle = (scans: object[], token = dora.token, eventId = night) => call("SettleScans", { eventId, scans }, token);

test("syncs the scans of two offline doors: one check-in per attendee; the second door receives the first check-in", async () => {
  const [sal, tia] = [await server.person("Sal"), await server.person("Tia")];
  const [early, late] = [inHours(-0.5), inHours(-0.4)];
  const front = [
    { code: codeOf(sal.id), scannedAt: early, door: "front" },
    { code: codeOf(tia.id), scannedAt: late, door: "front" },
  ];
  const first = await settle(front);
  expect(first.body.results).toEqual([
    { state: "checked_in", userId: sal.id, userName: "Sal", checkedInAt: early, checkedInBy: "Dora" },
    { state: "checked_in", userId: tia.id, userName: "Tia", checkedInAt: late, checkedInBy: "Dora" },
  ]);
  const back = await settle([{ code: codeOf(sal.id), scannedAt: late, door: "back" }], admin);
  expect(back.body.results).toMatchObject([{ state: "already", checkedInAt: early, checkedInBy: "Dora" }]);
  expect((await settle(front)).body).toEqual(first.body);
  expect(await told("created", sal.id)).toHaveLength(1);
});

test("two doors that sync at once make one check-in per attendee, each reported as new to one door only", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => server.person(`Twice ${i}`)));
  const of = (door: string) => people.map(({ id }) => ({ code: codeOf(id), scannedAt: inHours(-0.3), door }));
  const [front, back] = await Promise.all([settle(of("front")), settle(of("back").toReversed())]);
  const states = [...front.body.results, ...back.body.results].map(({ state }) => state);
  expect(states.filter((state) => state === "checked_in")).toHaveLength(8);
  expect(states.filter((state) => state === "already")).toHaveLength(8);
});

test("an event deleted during a sync rejects no scan; the door keeps the remaining scans", async () => {
  const doomed = await event("Doomed");
  const [wim, xia] = [await server.person("Wim"), await server.person("Xia")];
  const scans = [wim, xia].map(({ id }) => ({ code: codeOf(id, doomed), scannedAt: inHours(-0.2), door: "front" }));
  let settling: ReturnType<typeof settle> | undefined;
  await server.sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${xia.id} for update`;
    settling = settle(scans, dora.token, doomed);
    await expect.poll(() => tx`select 1 from check_ins where user_id = ${wim.id}`).toHaveLength(1);
    await call("DeleteEvent", { eventId: doomed }, admin);
  });
  const { code, body } = await settling!;
  expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("This event was deleted")]);
  await call("RestoreEvent", { eventId: doomed }, admin);
  const { results } = (await settle(scans, dora.token, doomed)).body;
  expect(results.map(({ state }: Wire) => state)).toEqual(["checked_in", "checked_in"]);
});

test("rejects each invalid scan of a sync with its own reason and applies the others", async () => {
  const listed = await event("Listed", { registration: "open" });
  const [uma, vic] = [await server.person("Uma"), await server.person("Vic")];
  const scannedAt = inHours(-0.2);
  const { body } = await settle(
    [
      { code: "hello", scannedAt },
      { code: codeOf(uma.id, listed), scannedAt },
      { code: codeOf(uma.id, listed), scannedAt: inHours(-25) },
      { code: codeOf(uma.id, listed), scannedAt: inHours(1) },
      { code: codeOf(uma.id, listed) },
      { code: codeOf(vic.id, listed), scannedAt, admit: true },
    ],
    dora.token,
    listed,
  );
  expect(body.results.map(({ state, refused }: Wire) => [state, refused])).toEqual([
    ["refused", expect.stringMatching(/not an attendee code/)],
    ["refused", expect.stringMatching(/not registered/)],
    ["refused", expect.stringMatching(/more than 24 hours ago/)],
    ["refused", expect.stringMatching(/in the future/)],
    ["refused", expect.stringMatching(/without its time/)],
    ["checked_in", undefined],
  ]);
  expect((await settle([], dora.token, listed)).body).toEqual({});
  await call("DeleteEvent", { eventId: listed }, admin);
  expect((await settle([{ code: codeOf(vic.id, listed), scannedAt }], dora.token, listed)).code).toBe(
    "failed_precondition",
  );
  const many = Array.from({ length: 501 }, () => ({ code: "x", scannedAt }));
  expect((await settle(many)).code).toBe("invalid_argument");
});

// kept: Doors | An attendee whose code could not be scanned, because of a dead battery or a cracked screen, could not be checked in |
// failed on the old code
test("a short code is the same check-in as the QR code, however it is typed, at two doors and in a sync", async () => {
  const [yan, zoe] = [await server.person("Yan"), await server.person("Zoe")];
  const own = async (token: string) => (await call("GetMyCode", { eventId: night }, token)).body.code.shortCode;
  const short: string = await own(yan.token);
  expect(await own(yan.token)).toBe(short);
  const typed = [
    `${short.slice(0, 3)} ${short.slice(3)}`,
    short.toLowerCase(),
    `${short.slice(0, 3)}-${short.slice(3)}`,
  ];
  const answers = [];
  for (const code of [...typed, codeOf(yan.id)]) answers.push((await scan(code)).body);
  expect(answers.map(({ success, alreadyCheckedIn, userName }) => [success, alreadyCheckedIn, userName])).toEqual([
    [true, undefined, "Yan"],
    ...[1, 2, 3].map(() => [undefined, true, "Yan"]),
  ]);
  expect(await told("created", yan.id)).toHaveLength(1);
  const code: string = await own(zoe.token);
  const { results } = (
    await settle([
      { code, scannedAt: inHours(-0.3), door: "front" },
      { code: codeOf(zoe.id), scannedAt: inHours(-0.2), door: "back" },
    ])
  ).body;
  expect(results.map(({ state, userName }: Wire) => [state, userName])).toEqual([
    ["checked_in", "Zoe"],
    ["already", "Zoe"],
  ]);
});

test("rejects a short code of another event or of no one with a sentence, and stores nothing", async () => {
  const ann = await server.person("Ann");
  const { shortCode } = (await call("GetMyCode", { eventId: night }, ann.token)).body.code;
  const other = await event("Other night");
  const { code, body } = await scan(shortCode, other);
  expect([code, body.message]).toEqual(["invalid_argument", expect.stringMatching(/No attendee of this event/)]);
  expect(await cameTo(other)).toEqual([]);
});

test("simultaneous first reads draw one short code per attendee, and no two attendees share one", async () => {
  const crowded = await event("Crowded");
  const people = await Promise.all(Array.from({ length: 12 }, (_, i) => server.person(`Crowd ${i}`)));
  // Simultaneous first reads draw for the same attendees.
  const reads = await Promise.all(
    Array.from({ length: 4 }, () =>
      call("ListAttendeeCodes", { eventId: crowded, list: { query: "Crowd", pageSize: 200 } }),
    ),
  );
  const of = (answer: (typeof reads)[number]) => answer.body.codes.map(({ shortCode }: Wire) => shortCode);
  expect(new Set(of(reads[0]!)).size).toBe(people.length);
  for (const each of reads) expect(of(each)).toEqual(of(reads[0]!));
});

// kept: Doors | A database that takes no changes showed no code to attendees whose short code was not drawn yet | failed on the old code
test("shows the QR code without a short code while the database takes no changes", async () => {
  const { id } = await server.person("Eve");
  const standby = openUntil(onTestFinished, openDatabase(server.url, 1), (sql) => sql.end());
  await standby`set default_transaction_read_only = on`;
  const codes = await codesFor(standby, attendeeKey(server.secret), night, [id]);
  expect(codes.get(id)).toEqual({ code: codeOf(id), shortCode: "" });
});

test("lists attendees with what the door searches, and guests who were admitted without a registration", async () => {
  const listed = await event("Searched", { registration: "open" });
  const bo = await server.person("Bo", [], "bo@example.org");
  const cat = await server.person("Cat");
  await call("Register", { eventId: listed }, bo.token);
  await call("ScanQr", { eventId: listed, code: codeOf(cat.id, listed), admit: true });
  const { codes } = (await call("ListAttendeeCodes", { eventId: listed })).body;
  expect(codes).toMatchObject([
    { userName: "Bo", email: "bo@example.org", registration: "registered" },
    { userName: "Cat", registration: "none", admitted: "not_registered", checkedInBy: "Dora" },
  ]);
});
