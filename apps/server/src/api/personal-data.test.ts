import { afterAll, expect, test } from "vitest";
import { KEPT_OF_PEOPLE } from "./personal-data.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { newId } from "../platform/database/ids.ts";
import { SongsByHand } from "../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { createWorld, oneVideo } from "../testing/world.ts";
import { OwnData, type KeptPart } from "../community/users/own-data.ts";

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir, videos: oneVideo, connections: 10 }));
const admin = await server.person("Ada", ["Admin"]);
const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const world = createWorld(server, new SongsByHand(server.sql, new SongFiles(dataDir), caller), admin);

const users = (method: string, body: object, token: string) =>
  server.call(`user.v1.UserService/${method}`, body, token);
const exported = async (token: string): Promise<Wire> => JSON.parse((await users("ExportMyData", {}, token)).body.json);

/** Tables that name people and are no part of an export. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  first_steps: "who wants a demo night made or removed, until it is",
  sign_in_links: "secrets that work for half an hour",
  workers: "who added a worker on another machine, while it is there",
  venues: "who added a venue, while it is there",
  short_codes: "codes to type at the door, which a person's own page shows",
  box_codes: "codes of tonight at a venue, until another night is on there",
  stage_screens: "whom the hall was shown last, until the next is",
};

test("tells of every table that names people, or a reason stands here why not", async () => {
  const rows = await server.sql<{ name: string }[]>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'users'::regclass order by name`;
  const told = new Set([...KEPT_OF_PEOPLE.flatMap(({ tables }) => tables), ...Object.keys(LEFT_OUT)]);
  const missing = rows.map(({ name }) => name).filter((name) => !told.has(name));
  expect(missing, "Add a part to KEPT_OF_PEOPLE in apps/server/src/api/personal-data.ts").toEqual([]);
});

test("gives a person everything that is kept of them, and nothing of others", async () => {
  const [bea, cy] = [await server.person("Bea", [], "bea@example.org"), await server.person("Cy")];
  const as = async (path: string, body: object, { token } = bea) => {
    const answer = await server.call(path, body, token);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  await as("user.v1.UserService/UpdateUser", { userId: bea.id, bio: "Sings" });
  const { event_id, talk_id } = await world.programme();
  await as("talk.v1.TalkService/Vote", { talkId: talk_id });
  await as("talk.v1.TalkService/GiveFeedback", { talkId: talk_id, text: "Loud", rating: 4 });
  await world.make("event.v1.EventService/ScanQr", { event_id, code: world.codeOf(bea.id, event_id) });
  await world.make("talk.v1.TalkService/CreateTalk", { title: "Own talk", event_id, user_id: bea.id });
  const playlist = await world.listed();
  await as("music.v1.MusicService/VotePlaylistSong", { ...playlist, up: true });
  const grant = { to_user_id: bea.id, amount: 7, reason: "Prize", idempotency_key: newId() };
  await world.make("accounting.v1.AccountingService/ProcessTransaction", grant);
  const { thread } = await as("chat.v1.ChatService/JoinEventThread", { eventId: event_id });
  const { message } = await as("chat.v1.ChatService/SendMessage", { threadId: thread.id, text: "Hello all" });
  await as("chat.v1.ChatService/AddReaction", { messageId: message.id, emoji: "👋" });
  await as("chat.v1.ChatService/JoinEventThread", { eventId: event_id }, cy);
  await as("chat.v1.ChatService/SendMessage", { threadId: thread.id, text: "Words of Cy" }, cy);

  const data = await exported(bea.token);
  expect(data).toMatchObject({
    profile: [{ name: "Bea", email: "bea@example.org", bio: "Sings" }],
    sessions: [{ created_at: expect.any(String) }],
    check_ins: [{ event: "Night" }],
    talks: [{ title: "Own talk", event: "Night" }],
    talk_votes: [{ talk: "Talk" }],
    talk_feedback: [{ talk: "Talk", text: "Loud", rating: 4 }],
    song_votes: [{ song: "Song", playlist: "Friday" }],
    gold: [{ balance: 7 }],
    gold_transactions: [{ kind: "grant", amount: 7, to_name: "Bea", reason: "Prize" }],
    threads: [{ title: "Night", begun_by_you: false }],
    messages: [{ thread: "Night", text: "Hello all" }],
    reactions: [{ emoji: "👋" }],
    log: expect.arrayContaining([expect.objectContaining({ action: "user.updated", done_by: "Bea" })]),
  });
  expect(data).not.toHaveProperty("not_all");
  expect(JSON.stringify(data)).not.toMatch(/Words of Cy|hmac|nonce|photo_id/);
});

test("says which list is cut at 10,000 rows, and keeps the newest", async () => {
  const { id, token } = await server.person("Chatty");
  await server.sql`
    insert into sessions (id, user_id, note, expires_at)
    select lpad(i::text, 26, '0'), ${id}, 'n' || i, now() from generate_series(1, 10001) i`;
  const data = await exported(token);
  expect([data.not_all, data.sessions.length, data.sessions[1].signed_in_with]).toEqual([
    ["sessions"],
    10_000,
    "n10001",
  ]);
});

test("an Admin's own export holds what they did to others, and not how those were", async () => {
  const cy = await server.person("Cy");
  await users("UpdateUser", { userId: cy.id, bio: "A secret of Cy" }, admin.token);
  const data = await exported(admin.token);
  expect(data.log).toContainEqual(expect.objectContaining({ action: "user.updated", target: `user ${cy.id}` }));
  expect(JSON.stringify(data)).not.toContain("A secret of Cy");
});

test("is put together once for a person who asks many times at once, and for each who asks", async () => {
  const own = new OwnData(server.sql, KEPT_OF_PEOPLE);
  const [one, two] = [await server.person("One"), await server.person("Two")];
  const asked = await Promise.allSettled([own.of(one.id), own.of(one.id), own.of(two.id)]);
  expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(String((asked[1] as PromiseRejectedResult).reason)).toContain("Try again in a minute");
  expect(JSON.parse(await own.of(one.id)).profile[0].name).toBe("One");
});

test("one export that fails keeps no other from being put together", async () => {
  let fails = true;
  const [profile] = KEPT_OF_PEOPLE;
  const rows: KeptPart["rows"] = (db, id) => (fails ? db`select * from missing` : profile!.rows(db, id));
  const own = new OwnData(server.sql, [{ ...profile!, rows }]);
  const { id } = await server.person("One");
  await expect(own.of(id)).rejects.toThrow("missing");
  fails = false;
  expect(JSON.parse(await own.of(id)).profile[0].name).toBe("One");
});
