import { afterAll, expect, test } from "vitest";
import { SongFiles } from "../songs/catalog/song-files.ts";
import type { Caller } from "../platform/caller.ts";
import { newId } from "../platform/database/ids.ts";
import { SongsByHand } from "./songs-by-hand.ts";
import { tablesWith as tablesOf } from "./tables-with.ts";
import { startTestServer } from "./test-server.ts";
import { createWorld, oneVideo } from "./world.ts";
import { folderUntil, openUntil } from "./open-until.ts";

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir, videos: oneVideo }));
const admin = await server.person("Ada", ["Admin"]);
const caller: Caller = { userId: admin.id, name: "Ada", roles: ["Admin"], sessionId: "" };
const world = createWorld(server, new SongsByHand(server.sql, new SongFiles(dataDir), caller), admin);

const tablesWith = (text: string) => tablesOf(server.sql, text);

// kept: Changes | Name, mail and phone of a person who was purged stayed in the audit log | also
test("a purged user leaves nothing but their ID in any table", async () => {
  const said = {
    name: "Zenobia",
    email: "zenobia@example.org",
    phone: "+49 30 5550199",
    bio: "Zenobia's own",
    purpose: "zenobia",
  };
  const user_id: string = (await world.make("user.v1.UserService/CreateUser", said)).user.id;
  await server.sql`insert into sessions (id, user_id, note, client, expires_at) values (${newId()}, ${user_id}, 'zenobia', 'Zenobia phone', now() + interval '1 day')`;
  await world.make("user.v1.UserService/UpdateUser", { user_id, username: "zenobia" });
  await world.make("auth.v1.AuthService/SendLoginCode", { target: said.email });
  const event_id = await world.event();
  await world.make("event.v1.EventService/ScanQr", { event_id, code: world.codeOf(user_id, event_id) });
  await world.make("event.v1.EventService/UndoCheckIn", { event_id, user_id });
  const listed = { event_id: await world.event({ registration: "open", places: 1 }), user_id };
  await world.make("event.v1.EventService/RegisterPerson", listed);
  const { talk } = await world.make("talk.v1.TalkService/CreateTalk", { title: "Talk", event_id, user_id });
  await world.make("director.v1.DirectorService/PushTalk", { event_id, talk_id: talk.id });
  await world.make("director.v1.DirectorService/AnnouncePlayer", { event_id, player_id: user_id });
  await world.make("accounting.v1.AccountingService/ProcessTransaction", {
    to_user_id: user_id,
    amount: 5,
    idempotency_key: newId(),
  });
  const thread_id = await world.thread();
  await world.make("chat.v1.ChatService/AddMember", { thread_id, user_id });
  expect(await tablesWith("zenobia")).toContain("users");

  await world.make("user.v1.UserService/DeleteUser", { user_id });
  await world.make("user.v1.UserService/PurgeUser", { user_id });
  for (const text of ["zenobia", "5550199"]) expect([text, await tablesWith(text)]).toEqual([text, []]);
});
