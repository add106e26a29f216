import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { DemoSongName } from "../../songs/demo-songs/demo-songs.ts";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type TestServer, type Wire } from "../../testing/test-server.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { lookAtDemoNight } from "./demo-nights.ts";

let server: TestServer;
let dataDir: string;
let admin: { readonly id: string; readonly token: string };
let world: World;
beforeEach(async () => {
  dataDir = await folderUntil(onTestFinished);
  server = openUntil(onTestFinished, await startTestServer({ dataDir, connections: 6 }));
  admin = await server.person("Ada", ["Admin"]);
  const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
  world = createWorld(server, new SongsByHand(server.sql, new SongFiles(dataDir), caller), admin);
});

const steps = (method: string) => server.call(`firststeps.v1.FirstStepsService/${method}`, {}, admin.token);
const read = async (): Promise<Wire> => (await steps("GetFirstSteps")).body;
const done = async (): Promise<string[]> =>
  (await read()).steps.filter((step: Wire) => step.isDone).map(({ id }: Wire) => id);
const demo = async (): Promise<Wire> => (await read()).demoNight;
/** Runs the demo-night work, without songs by default because each takes seconds. */
const look = (songs: readonly DemoSongName[] = []) =>
  lookAtDemoNight({ sql: server.sql, secret: server.secret, api: server.base, songs });
const makeDemo = async (songs?: readonly DemoSongName[]) => {
  expect((await steps("MakeDemoNight")).status).toBe(200);
  await look(songs);
};

/** Counts the rows of each table, deleted ones included. */
async function rows(): Promise<Record<string, number>> {
  const tables = ["lights", "light_groups", "events", "talks", "chat_threads", "chat_messages", "playlists", "users"];
  const counts = tables.map(async (table) => {
    const [row] = await server.sql<{ n: number }[]>`select count(*)::int as n from ${server.sql(table)}`;
    return [table, row!.n] as const;
  });
  const { songs = [] } = (await server.call("music.v1.MusicService/ListSongs", {}, admin.token)).body;
  return { ...Object.fromEntries(await Promise.all(counts)), songs: songs.length };
}

test("a new installation has its owner and lacks everything else", async () => {
  expect(await read()).toMatchObject({ canMakeDemoNight: true, demoNight: { state: "none" } });
  expect(await done()).toEqual(["owner"]);
});

test("each step is done once its data exists", async () => {
  const light_id = await world.light();
  expect(await done()).toEqual(["owner", "lamps"]);
  const output = { id: "node", protocol: "artnet", host: "127.0.0.1", port: 6454, universe: 1, enabled: true };
  await world.make("lights.v1.LightsService/CreateOutput", { output });
  expect(await done()).toEqual(["owner", "lamps", "output"]);
  await world.waitingSong();
  expect(await done()).not.toContain("song");
  await world.song();
  expect(await done()).toContain("song");
  await world.make("night.v1.NightService/NoteLampSeen", { light_id, is_seen: false });
  expect(await done()).not.toContain("light");
  await world.make("night.v1.NightService/NoteLampSeen", { light_id, is_seen: true });
  expect(await done()).toContain("light");
  await world.event();
  expect(await done()).toContain("event");
  await world.person();
  expect(await done()).toEqual(["owner", "lamps", "output", "song", "light", "event", "people"]);
});

test("an Admin hides the checklist for everyone, and shows it again", async () => {
  const call = (is_hidden: boolean) =>
    server.call("firststeps.v1.FirstStepsService/HideFirstSteps", { is_hidden }, admin.token);
  await call(true);
  expect((await read()).isHidden).toBe(true);
  await call(false);
  expect((await read()).isHidden ?? false).toBe(false);
});

test("makes a demo night in an empty installation, which completes no step", async () => {
  await makeDemo(["ballad"]);
  expect(await demo()).toEqual({ state: "made" });
  expect(await rows()).toEqual({
    ...{ lights: 24, light_groups: 4, events: 1, talks: 3, chat_threads: 1, chat_messages: 3, playlists: 1, songs: 1 },
    users: 9,
  });
  expect(await done()).toEqual(["owner"]);
  const again = await steps("MakeDemoNight");
  expect([again.code, again.body.message]).toEqual([
    "failed_precondition",
    expect.stringContaining("demo night already"),
  ]);
});

test.each(["light", "event", "song"] as const)("rejects a demo night if there is a real %s", async (what) => {
  await world[what]();
  const { code, body } = await steps("MakeDemoNight");
  expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("never mixes with real data")]);
  expect((await read()).canMakeDemoNight ?? false).toBe(false);
});

test("users of the demo night chat, and the Admin who requested it has unread messages", async () => {
  await makeDemo();
  const said = await server.sql<{ name: string }[]>`
    select users.name from chat_messages join users on users.id = chat_messages.user_id order by chat_messages.id`;
  expect(said.map(({ name }) => name)).toEqual(["Demo: Mira Falk", "Demo: Oskar Lind", "Demo: Ann Ferry"]);
  const { threads } = (await server.call("chat.v1.ChatService/ListThreads", {}, admin.token)).body;
  expect(threads).toMatchObject([{ title: "Demo: Friday night", unreadCount: 3 }]);
});

test("removing the demo night deletes all of it and nothing else", async () => {
  const before = await rows();
  await makeDemo(["ballad"]);
  const { events } = (await server.call("event.v1.EventService/ListEvents", {}, admin.token)).body;
  const { users } = (await server.call("user.v1.UserService/ListUsers", { list: { query: "Demo:" } }, admin.token))
    .body;
  const { talk } = await world.make("talk.v1.TalkService/CreateTalk", { title: "Ours", event_id: events[0].id });
  const light = await world.light();
  await world.make("user.v1.UserService/DeleteUser", { user_id: users[0].id });
  expect((await steps("RemoveDemoNight")).body.demoNight.state).toBe("removing");
  await look();
  expect(await demo()).toEqual({ state: "none" });
  expect(await rows()).toEqual({ ...before, talks: 1, lights: 1 });
  const left = await server.call("talk.v1.TalkService/ListTalks", {}, admin.token);
  expect(left.body.talks).toMatchObject([{ id: talk.id, title: "Ours" }]);
  expect((await server.call("lights.v1.LightsService/ListLights", {}, admin.token)).body.lights).toMatchObject([
    { id: light },
  ]);
});

test("a demo night whose music plays is not removed, and the error tells what to do first", async () => {
  await makeDemo();
  await server.sql`
    update show_queue set mode = 'playing', playlist_id = (select id from playlists), song_id = (select id from songs limit 1)`;
  const before = await rows();
  await steps("RemoveDemoNight");
  await look();
  expect(await demo()).toEqual({ state: "broken", says: "This playlist plays right now. Stop the music first." });
  expect(await rows()).toEqual(before);
});

test("an aborted demo night is reported, and can be removed and made again", async () => {
  await world.light();
  const [light] = await server.sql<{ id: number }[]>`select id from lights`;
  await server.sql`insert into demo_items (kind, id) values ('light', ${String(light!.id)})`;
  await server.sql`update first_steps set demo_state = 'making', demo_wanted_by = ${admin.id}`;
  await look();
  expect(await demo()).toEqual({ state: "broken", says: "The server stopped while it was made." });
  await steps("RemoveDemoNight");
  await look();
  expect((await rows())["lights"]).toBe(0);
  await makeDemo();
  expect((await demo()).state).toBe("made");
});

test("is made with the permissions of the user who requested it, in a session that ends afterwards", async () => {
  await makeDemo();
  const rowsOf = await server.sql<{ action: string }[]>`select action from audit_log where user_id = ${admin.id}`;
  expect(rowsOf.map(({ action }) => action)).toEqual(expect.arrayContaining(["demo_night.wanted", "event.created"]));
  const open = await server.sql`select 1 from sessions where note = 'demo night' and ended_at is null`;
  expect(open).toHaveLength(0);
});

test("two servers make one demo night", async () => {
  await steps("MakeDemoNight");
  await Promise.all([look(), look()]);
  await expect.poll(async () => (await demo()).state, { timeout: 30_000 }).toBe("made");
  expect((await rows())["lights"]).toBe(24);
});
