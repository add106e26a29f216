import type { Sql } from "../../platform/database/database.ts";
import { ApiError, type CallApi } from "../../platform/http/call-api.ts";
import { transact } from "../../platform/database/transaction.ts";
import { demoItems, dropDemoRows, type DemoKind } from "./first-steps.store.ts";

/** Calls that delete each kind of item, in an order without conflicts. */
const CALLS: readonly (readonly [DemoKind, (id: string) => readonly (readonly [method: string, body: object])[]])[] = [
  // First: it is rejected while the playlist plays, and then the whole demo night stays.
  ["playlist", (id) => [["music.v1.MusicService/DeletePlaylist", { playlist_id: id }]]],
  ["song", (id) => [["music.v1.MusicService/DeleteSong", { song_id: id }]]],
  ["light", (id) => [["lights.v1.LightsService/DeleteLight", { id: Number(id) }]]],
  ["group", (id) => [["lights.v1.LightsService/DeleteGroup", { id }]]],
  ["talk", (id) => [["talk.v1.TalkService/DeleteTalk", { talk_id: id }]]],
  ["event", (id) => [["event.v1.EventService/DeleteEvent", { event_id: id }]]],
  [
    "person",
    (id) => [
      ["user.v1.UserService/DeleteUser", { user_id: id }],
      ["user.v1.UserService/PurgeUser", { user_id: id }],
    ],
  ],
];

/**
 * Removes the items of the demo night, also if some were deleted by hand; later data on them, such as votes and
 * messages, is deleted with them. Can be repeated after a failure.
 *
 * @throws ApiError if a call is rejected; the message tells what to do first
 */
export async function removeDemoNight(sql: Sql, call: CallApi): Promise<void> {
  const items = await demoItems(sql);
  for (const [kind, callsOf] of CALLS) {
    for (const { id } of items.filter((item) => item.kind === kind))
      for (const [method, body] of callsOf(id)) await call(method, body).catch(unlessMissing);
  }
  await transact(sql, (tx) => dropDemoRows(tx, items));
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.code === "not_found")) throw error;
}
