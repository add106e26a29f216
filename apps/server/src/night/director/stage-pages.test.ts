import { STAGE_KEY_HEADER, type Rig, type StagePageMessage, type StagePicture } from "@followspot/contract";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { insertReadySong } from "../../testing/ready-song.ts";
import { png } from "../../testing/pictures.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { showsLamps } from "./stage-pages.http.ts";
import { StagePages } from "./stage-pages.ts";
import { stageKey } from "./stage-links.ts";

let eventId: string;
let key: string;
const open: { end: () => void }[] = [];

const stage = { mode: "waiting", song_id: "" };
const server = openUntil(afterAll, await startTestServer({ askStage: async () => stage }));
const { pages } = server.live;
const admin = await server.person("Ada", ["Admin"]);
afterAll(() => {
  pages.close();
  server.http.app.server.closeAllConnections();
});
beforeEach(async () => {
  const night = { title: "Night", startsAt: "2026-05-01T20:00:00Z", endsAt: "2026-05-02T02:00:00Z" };
  eventId = (await server.call("event.v1.EventService/CreateEvent", night, admin.token)).body.event.id;
  key = await createLink();
});
afterEach(() => {
  Object.assign(stage, { mode: "waiting", song_id: "" });
  for (const page of open.splice(0)) page.end();
});

const press = async (method: string, body: object = {}): Promise<Wire> =>
  (await server.call(`director.v1.DirectorService/${method}`, { eventId, ...body }, admin.token)).body;
const createLink = async (): Promise<string> => (await press("CreateStageLink")).link.path.split("#")[1];
const ask = (what: string, withKey: string = key, id = eventId) =>
  fetch(`${server.base}/api/stage/${id}/${what}`, { headers: { [STAGE_KEY_HEADER]: withKey } });

/** Opens a page. @returns its messages, and whether its stream has ended */
async function openPage(withKey = key) {
  const abort = new AbortController();
  const response = await fetch(`${server.base}/api/stage/${eventId}/events`, {
    headers: { [STAGE_KEY_HEADER]: withKey },
    signal: abort.signal,
  });
  const page = { response, told: [] as StagePageMessage[], hasEnded: false, end: () => abort.abort() };
  open.push(page);
  void (async () => {
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      page.told.push(...events.map((event) => JSON.parse(event.replace(/^data: /, "")) as StagePageMessage));
    }
    page.hasEnded = true;
  })().catch(() => {}); // the test cut the connection
  await expect.poll(() => pictureOf(page)).toBeDefined();
  return page;
}
const pictureOf = (page: { readonly told: readonly StagePageMessage[] }): StagePicture | undefined =>
  page.told.flatMap((message) => (message.type === "picture" ? [message.picture] : [])).at(-1);

test("a page without a sign-in shows each change of the Director", async () => {
  const talk = { title: "Light", eventId, userId: admin.id, imageBase64: png().toString("base64") };
  const { id } = (await server.call("talk.v1.TalkService/CreateTalk", talk, admin.token)).body.talk;
  const page = await openPage();
  expect(page.response.headers.get("content-type")).toBe("text/event-stream");
  expect(pictureOf(page)).toMatchObject({
    title: "Night",
    shown: { view: "home" },
    status: "",
    timer: null,
    song: null,
  });
  await press("PushTalk", { talkId: id });
  await expect.poll(() => pictureOf(page)?.shown).toMatchObject({ view: "talk", title: "Light", speaker: "Ada" });
  await press("UpdateStatus", { status: "Doors at eight" });
  await press("StartTimer", { seconds: 60 });
  await expect.poll(() => pictureOf(page)).toMatchObject({ status: "Doors at eight", timer: { seconds: 60 } });
  await press("MakeAnnouncement", { text: "Bar is open" });
  await expect.poll(() => pictureOf(page)?.shown).toEqual({ view: "announcement", text: "Bar is open" });
  await press("AnnouncePlayer", { playerId: admin.id });
  await expect.poll(() => pictureOf(page)?.shown).toEqual({ view: "player", name: "Ada", points: 0 });
});

test("shows the richest players by name, and no other data of them", async () => {
  const rich = await server.person("Rhea Rich", [], "rhea@example.org");
  await server.sql`insert into gold_accounts (id, kind, user_id, balance) values ('rich', 'person', ${rich.id}, 70)`;
  const page = await openPage();
  await press("ShowLeaderboard");
  await expect
    .poll(() => pictureOf(page)?.shown)
    .toEqual({ view: "leaderboard", players: [{ name: "Rhea Rich", points: 70 }] });
  await server.sql`update gold_accounts set balance = 90 where id = 'rich'`;
  pages.hear({ id: "", topic: "gold", type: "gold_transaction.processed", ts: "", payload: {} });
  const richer = { players: [{ points: 90 }] };
  await expect.poll(() => pictureOf(page)?.shown).toMatchObject(richer);
  const sent = JSON.stringify(page.told);
  for (const secret of [rich.id, "rhea@", eventId, key]) expect(sent).not.toContain(secret);
});

test("shows changes that are made elsewhere to the content of the screen", async () => {
  const { id } = (await server.call("talk.v1.TalkService/CreateTalk", { title: "Old", eventId }, admin.token)).body
    .talk;
  await press("PushTalk", { talkId: id });
  const page = await openPage();
  const tellTalk = (type: string) => pages.hear({ id: "", topic: "events", type, ts: "", payload: { talk_id: id } });
  await server.call("talk.v1.TalkService/UpdateTalk", { talkId: id, title: "New" }, admin.token);
  tellTalk("talk.updated");
  await expect.poll(() => pictureOf(page)?.shown).toMatchObject({ title: "New" });
  await server.call("talk.v1.TalkService/DeleteTalk", { talkId: id }, admin.token);
  tellTalk("talk.deleted");
  await expect.poll(() => pictureOf(page)?.shown).toEqual({ view: "home" });
  const song = { title: "First Light", artist: "Test Artist" };
  Object.assign(stage, { mode: "playing", song_id: await insertReadySong(server.sql, { ...song, seconds: 180 }) });
  await expect.poll(() => pictureOf(page)?.song).toEqual(song);
});

test("notifies and closes open pages as soon as their link is withdrawn or replaced", async () => {
  const [first, second] = [await openPage(), await openPage()];
  const fresh = await createLink();
  await expect.poll(() => [first.hasEnded, second.hasEnded]).toEqual([true, true]);
  expect([first.told.at(-1), second.told.at(-1)]).toEqual([{ type: "withdrawn" }, { type: "withdrawn" }]);
  const third = await openPage(fresh);
  await press("WithdrawStageLink");
  await expect.poll(() => third.hasEnded).toBe(true);
  for (const withKey of [key, fresh]) expect((await ask("events", withKey)).status).toBe(401);
});

test("closes the pages of a deleted event", async () => {
  const page = await openPage();
  await server.call("event.v1.EventService/DeleteEvent", { eventId }, admin.token);
  pages.hear({ id: "", topic: "events", type: "event.deleted", ts: "", payload: { event_id: eventId } });
  await expect.poll(() => page.hasEnded).toBe(true);
});

test("refuses every key but the link's own, alike for screens there are and are not", async () => {
  const other = stageKey(server.secret, "default", Buffer.alloc(8));
  const forged = stageKey(Buffer.alloc(32), eventId, Buffer.alloc(8));
  const unknown = stageKey(server.secret, eventId, Buffer.alloc(8));
  for (const wrong of ["", "x", other, forged, unknown, `${key}A`, key.slice(1), key.toLowerCase(), "A".repeat(9000)]) {
    for (const what of ["events", "picture"]) {
      const answer = await ask(what, wrong);
      expect([wrong.slice(0, 8), answer.status, ((await answer.json()) as Wire).code]).toEqual([
        wrong.slice(0, 8),
        401,
        "unauthenticated",
      ]);
    }
  }
  const [here, nowhere] = await Promise.all([ask("events", other), ask("events", other, "01NOWHERE")]);
  expect(await here.text()).toBe(await nowhere.text());
  expect((await fetch(`${server.base}/api/stage/${eventId}/events`)).status).toBe(401);
  expect((await fetch(`${server.base}/api/stage/${eventId}/events?key=${key}`)).status).toBe(401);
});

test("serves the picture of the current talk only", async () => {
  const talk = { title: "Light", eventId, imageBase64: png().toString("base64") };
  const { id } = (await server.call("talk.v1.TalkService/CreateTalk", talk, admin.token)).body.talk;
  expect((await ask("picture")).status).toBe(404);
  await press("PushTalk", { talkId: id });
  const shown = await ask("picture");
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect(shown.headers.get("cache-control")).toBe("no-store");
  await press("ShowLeaderboard");
  expect((await ask("picture")).status).toBe(404);
});

test("sends heartbeats with the time to an idle page", async () => {
  const page = await openPage();
  await expect.poll(() => page.told.some(({ type }) => type === "beat")).toBe(true);
  expect(page.told.filter(({ type }) => type === "picture")).toHaveLength(1);
});

test("drops a page whose connection is lost, and allows at most 200 pages per screen", async () => {
  const before = pages.count;
  const many = await Promise.all(Array.from({ length: 201 - before }, () => ask("events")));
  const codes = many.map(({ status }) => status).sort();
  expect([codes.at(0), codes.at(-1)]).toEqual([200, 429]);
  await Promise.all(many.map(({ body }) => body?.cancel()));
  await expect.poll(() => pages.count).toBe(0);
});

test("ends its streams when the server stops, so that pages reconnect", async () => {
  const page = await openPage();
  const other = new StagePages({ sql: server.sql, playing: async () => null, warn: () => {} });
  other.close();
  expect(page.hasEnded).toBe(false);
  pages.close();
  await expect.poll(() => page.hasEnded).toBe(true);
  expect(page.told.at(-1)?.type).not.toBe("withdrawn");
});

test("sends the fixtures of the stage without their names while the Director shows them", async () => {
  for (const label of ["Left", "Right"])
    await server.ask(
      "lights.v1.LightsService/CreateLight",
      { label, lightType: "generic_rgb_par", mode: "4 channels" },
      admin.token,
    );
  const page = await openPage();
  expect(pictureOf(page)!.lamps).toBe(false);
  expect((await ask("rig")).status).toBe(404);
  expect(await showsLamps(server.sql, server.secret, eventId, key)).toBe(false);
  const { screen } = await press("ShowLamps", { shown: true });
  expect(screen).toMatchObject({ showsLamps: true, view: "home" });
  await expect.poll(() => pictureOf(page)!.lamps).toBe(true);
  await press("GoHome");
  const { lights, groups } = (await (await ask("rig")).json()) as Rig;
  expect(lights.map(({ label, address }) => [label, address])).toEqual([
    ["", 1],
    ["", 5],
  ]);
  expect(groups.every(({ name }) => name === "")).toBe(true);
  expect(await showsLamps(server.sql, server.secret, eventId, key)).toBe(true);
  expect(await showsLamps(server.sql, server.secret, eventId, "x".repeat(32))).toBe(false);
  expect((await ask("rig", "x".repeat(32))).status).toBe(401);
  await press("WithdrawStageLink");
  expect(await showsLamps(server.sql, server.secret, eventId, key)).toBe(false);
});
