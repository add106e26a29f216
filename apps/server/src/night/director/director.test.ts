import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

let eventId: string;

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);
const dora = await server.person("Dora", ["Director"]);
beforeEach(async () => {
  eventId = await createEvent("Night");
});

const screens = (method: string, body: object = {}, token = dora.token) =>
  server.call(`director.v1.DirectorService/${method}`, body, token);
/** Calls a method for the event's screen and returns the new screen. */
const press = async (method: string, body: object = {}): Promise<Wire> => {
  const answer = await screens(method, { eventId, ...body });
  expect(answer.body, method).toHaveProperty("screen");
  return answer.body.screen;
};
const shown = async (of: object = { eventId }) => (await screens("GetStageScreen", of)).body.screen;

async function createEvent(title: string): Promise<string> {
  const night = { title, startsAt: "2026-05-01T20:00:00Z", endsAt: "2026-05-02T02:00:00Z" };
  return (await server.call("event.v1.EventService/CreateEvent", night, admin.token)).body.event.id;
}
async function createTalk(fields: object = {}): Promise<string> {
  const talk = { title: "How a song becomes light", eventId, ...fields };
  return (await server.call("talk.v1.TalkService/CreateTalk", talk, admin.token)).body.talk.id;
}
/** Returns the envelopes of topic `director` about this event's screen, oldest first. */
const told = async () => {
  const rows = await server.sql<
    { body: string }[]
  >`select body from outbox where body::jsonb -> 'topics' ? 'director' order by seq`;
  return rows.map(({ body }) => JSON.parse(body) as Wire).filter(({ payload }) => payload.stage_screen_id === eventId);
};

test("each method changes the screen, and publishes the whole screen", async () => {
  const talkId = await createTalk();
  expect(await shown()).toMatchObject({ id: eventId, view: "home", serverTime: expect.any(String) });
  expect(await press("UpdateStatus", { status: "Doors at eight" })).toMatchObject({ view: "home", revision: 1 });
  expect(await press("PushTalk", { talkId })).toMatchObject({ view: "talk", talkTitle: "How a song becomes light" });
  const behind = await press("ShowLeaderboard");
  expect(behind).toMatchObject({ view: "leaderboard", talkId });
  expect(Math.abs(Date.parse(behind.talkSince) - Date.parse(behind.serverTime))).toBeLessThan(10_000);
  expect(await press("AnnouncePlayer", { playerId: dora.id })).toMatchObject({ view: "player", playerName: "Dora" });
  expect(await press("MakeAnnouncement", { text: "Bar is open" })).toMatchObject({ view: "announcement" });
  expect(await press("EndAnnouncement")).toMatchObject({ view: "player" });
  expect(await press("StartTimer", { seconds: 60 })).toMatchObject({ timerSeconds: 60 });
  expect(await press("StopTimer")).not.toHaveProperty("timerEndsAt");
  expect(await press("EndTalk")).toMatchObject({ view: "player" });
  const last = await press("GoHome");
  expect(last).toMatchObject({ view: "home", status: "Doors at eight", revision: 10 });
  expect(last.talkId).toBeUndefined();
  const envelopes = await told();
  expect(envelopes.map(({ payload }) => payload.screen.revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(envelopes.map(({ type }) => type).slice(0, 3)).toEqual([
    "stage_screen.status_updated",
    "stage_screen.talk_pushed",
    "stage_screen.leaderboard_shown",
  ]);
  const { serverTime: _then, ...toldLast } = envelopes.at(-1).payload.screen;
  const { serverTime: _now, ...readLast } = await shown();
  expect(toldLast).toEqual(readLast);
});

test("writes the user and the change to the audit log, but no calls without effect", async () => {
  await press("ShowLeaderboard");
  expect(await press("ShowLeaderboard")).toMatchObject({ revision: 1 });
  const rows =
    await server.sql`select user_id, action, after from audit_log where target = ${`stage_screen ${eventId}`}`;
  expect(rows).toEqual([
    { user_id: dora.id, action: "stage_screen.leaderboard_shown", after: { view: "leaderboard" } },
  ]);
  expect(await told()).toHaveLength(1);
});

test("has one screen per event, and one without an event", async () => {
  const other = await createEvent("Other night");
  await press("UpdateStatus", { status: "Here" });
  await screens("UpdateStatus", { status: "Nowhere" });
  expect([await shown(), await shown({ eventId: other }), await shown({})]).toMatchObject([
    { id: eventId, status: "Here" },
    { id: other, view: "home" },
    { id: "default", status: "Nowhere" },
  ]);
  const { body } = await screens("ListStageScreens", { list: { pageSize: 2 } });
  expect(body.screens.map(({ id }: Wire) => id)).toEqual(["default", eventId]);
  await server.call("event.v1.EventService/DeleteEvent", { eventId }, admin.token);
  const rest = await screens("ListStageScreens", { list: {} });
  expect(rest.body.screens.map(({ id }: Wire) => id)).not.toContain(eventId);
  for (const method of ["GetStageScreen", "GoHome", "CreateStageLink", "GetStageLink"]) {
    expect([method, (await screens(method, { eventId })).code]).toEqual([method, "not_found"]);
  }
});

describe("two Directors at the same time", () => {
  test("can make a hundred calls, and each counts once", async () => {
    const presses = Array.from({ length: 100 }, (_, i) => press("StartTimer", { seconds: i + 1 }));
    const revisions = (await Promise.all(presses)).map(({ revision }) => revision);
    expect([...revisions].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    const envelopes = await told();
    expect(envelopes.map(({ payload }) => payload.screen.revision).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    const last = envelopes.find(({ payload }) => payload.screen.revision === 100);
    expect((await shown()).timerSeconds).toBe(last.payload.screen.timerSeconds);
  });

  test("get an error for a call based on an older revision, and nothing changes", async () => {
    const { revision } = await press("ShowLeaderboard");
    await press("GoHome", { ifRevision: revision });
    const stale = await screens("MakeAnnouncement", { eventId, text: "Late", ifRevision: revision });
    expect([stale.code, stale.body.message]).toEqual(["aborted", expect.stringContaining("press again")]);
    expect(await shown()).toMatchObject({ view: "home", revision: revision + 1 });
  });

  test("of twenty callers with the same revision exactly one succeeds", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => screens("StartTimer", { eventId, seconds: i + 1, ifRevision: 0 })),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([...Array(19).fill("aborted"), undefined]);
  });
});

test("counts down by the server's clock, and reports when the timer has run out", async () => {
  const { timerEndsAt, serverTime } = await press("StartTimer", { seconds: 90 });
  expect((Date.parse(timerEndsAt) - Date.parse(serverTime)) / 1000).toBeCloseTo(90, 1);
  expect((await shown()).timerIsOver).toBeUndefined();
  await server.sql`update stage_screens set timer_ends_at = now() - interval '1 second' where id = ${eventId}`;
  expect(await shown()).toMatchObject({ timerIsOver: true, timerSeconds: 90 });
  expect((await press("GoHome")).timerIsOver).toBe(true);
});

describe("refuses with a sentence", () => {
  test.each([
    ["MakeAnnouncement", { text: "" }, "invalid_argument"],
    ["MakeAnnouncement", { text: " \n " }, "invalid_argument"],
    ["MakeAnnouncement", { text: "a\u0007b" }, "invalid_argument"],
    ["MakeAnnouncement", { text: "x".repeat(1001) }, "invalid_argument"],
    ["MakeAnnouncement", { text: "x", seconds: -1 }, "invalid_argument"],
    ["MakeAnnouncement", { text: "x", seconds: 86_401 }, "invalid_argument"],
    ["MakeAnnouncement", { text: "x", seconds: 1.5 }, "invalid_argument"],
    ["UpdateStatus", { status: "two\nlines" }, "invalid_argument"],
    ["UpdateStatus", { status: "x".repeat(301) }, "invalid_argument"],
    ["StartTimer", { seconds: 0 }, "invalid_argument"],
    ["StartTimer", { seconds: 86_401 }, "invalid_argument"],
    ["StartTimer", { seconds: "NaN" }, "invalid_argument"],
    ["PushTalk", { talkId: "" }, "invalid_argument"],
    ["PushTalk", { talkId: "missing" }, "not_found"],
    ["AnnouncePlayer", { playerId: "missing" }, "not_found"],
    ["GoHome", { eventId: "missing" }, "not_found"],
    ["GoHome", { eventId: "default" }, "not_found"],
    ["GoHome", { ifRevision: -1 }, "invalid_argument"],
    ["GetStageScreen", { eventId: "x".repeat(101) }, "invalid_argument"],
    ["ListPlayers", { list: { orderBy: "points" } }, "invalid_argument"],
    ["CreateStageLink", { eventId: "missing" }, "not_found"],
  ])("%s %j", async (method, body, code) => {
    const answer = await screens(method, { eventId, ...body });
    expect(answer.code).toBe(code);
    expect(answer.body.message.length).toBeGreaterThan(10);
    expect(await server.sql`select 1 from stage_screens where id = ${eventId}`).toHaveLength(0);
  });

  test("a talk of another event, a deleted talk and a deleted person", async () => {
    const elsewhere = await createTalk({ eventId: await createEvent("Other night") });
    expect((await screens("PushTalk", { eventId, talkId: elsewhere })).code).toBe("failed_precondition");
    expect((await screens("PushTalk", { talkId: elsewhere })).body.screen.talkId).toBe(elsewhere);
    const talkId = await createTalk();
    await server.call("talk.v1.TalkService/DeleteTalk", { talkId }, admin.token);
    expect((await screens("PushTalk", { eventId, talkId })).code).toBe("not_found");
    const deleted = await server.person("Deleted");
    await server.call("user.v1.UserService/DeleteUser", { userId: deleted.id }, admin.token);
    expect((await screens("AnnouncePlayer", { eventId, playerId: deleted.id })).code).toBe("not_found");
  });
});

test("stores text unchanged", async () => {
  const text = "Zoë — ‏مرحبا 🎉\n\tsecond line <b>&amp;";
  expect((await press("MakeAnnouncement", { text })).announcement).toBe(text);
});

describe("players", () => {
  async function give(userId: string, gold: number) {
    await server.sql`insert into gold_accounts (id, kind, user_id, balance) values (${userId}, 'person', ${userId}, ${gold})`;
  }
  const names = (answer: Wire) => answer.body.players.map(({ name }: Wire) => name);

  test("are users with their gold, without deleted users and scripts", async () => {
    const [rich, poor, deleted] = await Promise.all(
      ["Pia Rich", "Pia Poor", "Pia Deleted"].map((name) => server.person(name)),
    );
    const script = await server.person("Pia Script");
    await server.sql`update users set is_script = true where id = ${script.id}`;
    await give(rich!.id, 5_000_000_000);
    await give(poor!.id, 7);
    await give(deleted!.id, 90);
    await server.call("user.v1.UserService/DeleteUser", { userId: deleted!.id }, admin.token);
    const found = await screens("ListPlayers", { list: { query: "PIA" } });
    expect(found.body.players).toEqual([
      { id: poor!.id, name: "Pia Poor", points: 7 },
      { id: rich!.id, name: "Pia Rich", points: 2_147_483_647 },
    ]);
    expect(names(await screens("ListPlayers", {}))).toEqual(expect.arrayContaining(["Ada", "Dora", "Pia Rich"]));
  });

  test("are found by name but not by address, and paged", async () => {
    await server.person("Quentin One", [], "hidden@example.org");
    await server.person("Quentin Two");
    expect((await screens("ListPlayers", { list: { query: "hidden@example" } })).body).toEqual({});
    const first = await screens("ListPlayers", { list: { query: "quentin", pageSize: 1 } });
    const list = { query: "quentin", pageSize: 1, pageToken: first.body.nextPageToken };
    expect([names(first), names(await screens("ListPlayers", { list }))]).toEqual([["Quentin One"], ["Quentin Two"]]);
  });
});

describe("a link", () => {
  test("is shown to Directors, and cannot be derived from a copy of the database", async () => {
    expect((await screens("GetStageLink", { eventId })).body).toEqual({});
    const { link } = (await screens("CreateStageLink", { eventId })).body;
    expect(link.path).toMatch(new RegExp(`^/stage/${eventId}#[A-Za-z0-9_-]{32}$`));
    expect((await screens("GetStageLink", { eventId })).body.link).toEqual(link);
    const key = link.path.split("#")[1];
    const kept = JSON.stringify([
      await server.sql`select screen_id, encode(seed, 'base64') as seed from stage_links`,
      await server.sql`select * from outbox`.then((rows) => rows.map(({ body }) => body)),
      await server.sql`select before, after from audit_log`,
    ]);
    expect(kept).not.toContain(key.slice(12));
    const again = (await screens("CreateStageLink", { eventId })).body.link;
    expect(again.path).not.toBe(link.path);
  });

  test("can be withdrawn twice, and is audited once", async () => {
    await screens("CreateStageLink", { eventId });
    const answers = await Promise.all(Array.from({ length: 5 }, () => screens("WithdrawStageLink", { eventId })));
    expect(answers.map(({ body }) => body.success)).toEqual(Array(5).fill(true));
    const rows = await server.sql`select action from audit_log where target = ${`stage_link ${eventId}`} order by id`;
    expect(rows.map(({ action }) => action)).toEqual(["stage_link.created", "stage_link.withdrawn"]);
    expect((await screens("GetStageLink", { eventId })).body).toEqual({});
  });
});

test("is available to Directors and Admins only", async () => {
  const member = await server.person("Eve");
  const ai = await server.person("Al", ["AI"]);
  for (const method of ["GetStageScreen", "GoHome", "ListPlayers", "GetStageLink", "CreateStageLink"]) {
    const request = method === "ListPlayers" ? {} : { eventId };
    expect((await screens(method, request, member.token)).code).toBe("permission_denied");
    expect((await screens(method, request, ai.token)).code).toBe("permission_denied");
    expect((await screens(method, request, admin.token)).status).toBe(200);
  }
});
