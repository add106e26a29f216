import { afterAll, expect, test } from "vitest";
import type { Caller } from "../../platform/caller.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { retrySong } from "../library/change-song.ts";
import { eveningOf } from "./song-evening.ts";
import { SongFiles } from "../catalog/song-files.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const songs = new SongsByHand(server.sql, new SongFiles(dataDir), caller);
const token = (await server.person("Ada", ["Admin"])).token;
const night = (await call("CreatePlaylist", { name: "Friday" })).playlist.id;
const first = await songs.analysed();
const plan = await songs.plan(first);
const ids = [first];
for (const palette of [["#ff0000"], ["#00ff00"], ["#0000ff"], ["#ffff00"]]) {
  const id = await songs.analysed();
  await songs.pretendPlan(id, { ...plan, palette, scheme: "triad" });
  ids.push(id);
}
for (const song_id of ids) await call("AddSongToPlaylist", { playlist_id: night, song_id });

async function call(method: string, body: object): Promise<Wire> {
  const { status, body: answer } = await server.call(`music.v1.MusicService/${method}`, body, token);
  if (status !== 200) throw new Error(answer.message);
  return answer;
}

test("a song has no evening context while no playlist plays", async () => {
  expect(await eveningOf(server.sql, ids[4]!)).toBeUndefined();
  await call("BroadcastSong", { song_id: ids[0] });
  expect(await eveningOf(server.sql, ids[0]!)).toBeUndefined();
});

test("a song's evening context has the colors of the three previous songs, latest first, and the progress of the night", async () => {
  await call("PlayPlaylist", { playlist_id: night });
  const last = await eveningOf(server.sql, ids[4]!);
  expect(last?.before).toEqual(
    [["#0000ff"], ["#00ff00"], ["#ff0000"]].map((palette) => ({ palette, scheme: "triad" })),
  );
  expect(last?.progress).toBeCloseTo(0.8);
  const first = await eveningOf(server.sql, ids[0]!);
  expect(first).toEqual({ before: [], progress: 0, seed: last!.seed });
  const elsewhere = await songs.analysed();
  expect(await eveningOf(server.sql, elsewhere)).toBeUndefined();
});

test("the evening context puts played songs before the current one, and sorts the rest by votes", async () => {
  await call("PlayPlaylist", { playlist_id: night });
  await call("SkipSong", {});
  await call("VotePlaylistSong", { playlist_id: night, song_id: ids[4], up: true });
  const evening = await eveningOf(server.sql, ids[4]!);
  // After the current song, which comes after the skipped one.
  expect(evening?.before[0]?.palette).toEqual(["#ff0000"]);
  expect(evening?.before).toHaveLength(2);
  expect(evening?.progress).toBeCloseTo(0.4);
});

test("a song planned while its playlist plays takes the previous songs into account, and its revision says so", async () => {
  await call("PlayPlaylist", { playlist_id: night });
  const id = ids[3]!;
  await retrySong(server.sql, caller, id, "lighting");
  const job = await songs.claimNext(id);
  expect(job.plan?.evening?.before).not.toHaveLength(0);
  await songs.report(job, { kind: "done", result: await songs.runStep(job) });
  const [newest] = (await call("ListPlanRevisions", { song_id: id })).revisions;
  expect(newest.changed).toEqual(["planned for the playlist that plays"]);
});
