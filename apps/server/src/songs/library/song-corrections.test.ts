import { afterAll, expect, test } from "vitest";
import type { Correction, SongAnalysis } from "@followspot/contract";
import { heardGrid } from "@followspot/analysis/correct-analysis";
import type { Caller } from "../../platform/caller.ts";
import { analysisAt, SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { retrySong } from "./change-song.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { findSong, purgeSongs } from "../catalog/songs.store.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
const tokens: Record<"admin" | "director" | "ai", string> = { admin: "", director: "", ai: "" };

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir, connections: 20 }));
const { sql } = server;
const files = new SongFiles(dataDir);
const songs = new SongsByHand(sql, files, caller);
tokens.admin = (await server.person("admin", ["Admin"])).token;
tokens.director = (await server.person("director", ["Director"])).token;
tokens.ai = (await server.person("ai", ["AI"])).token;

async function call(method: string, body: object, as: keyof typeof tokens = "admin") {
  const response = await fetch(`${server.base}/followspot.music.v1.MusicService/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokens[as]}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, any>;
  return { ...answer, code: response.ok ? "" : answer.code } as Record<string, any>;
}
const fetchAnalysis = async (songId: string, name = "hybrid.json", headers: Record<string, string> = {}) =>
  fetch(`${server.base}/proxy/songs/${songId}/${name}`, {
    headers: { authorization: `Bearer ${tokens.admin}`, ...headers },
  });
const readAnalysis = async (songId: string, name?: string) =>
  (await (await fetchAnalysis(songId, name)).json()) as SongAnalysis;

const made = (songId: string, ...edits: Correction[]) =>
  JSON.stringify({ version: 1, heard: heardGrid(analysisAt(songId, 70)), edits });
const double: Correction = { kind: "tempo", factor: "2" };
const save = (songId: string, revision: number, ...edits: Correction[]) =>
  call("SaveSongCorrections", { song_id: songId, corrections_json: made(songId, ...edits), revision });

/** Creates a song that was analyzed at `bpm` and planned. */
async function readySong(bpm = 70): Promise<string> {
  const id = await songs.analysed(bpm);
  expect(await plan(id)).toBe(bpm);
  return id;
}
/** Runs the queued plan. @returns the number of beats it received */
async function plan(songId: string): Promise<number> {
  return (await songs.plan(songId)).beats.length;
}

test("stores corrections, applies them for every reader, and plans the song again", async () => {
  const id = await readySong();
  const before = await fetchAnalysis(id);
  const saved = await save(id, 0, double);
  expect(saved).toMatchObject({ revision: 1, song: { lightingStatus: "processing", analysisStatus: "ready" } });
  expect((await readAnalysis(id)).tempo).toBeCloseTo(140, 3);
  expect((await readAnalysis(id, "heard.json")).tempo).toBe(70);
  // A client with the old file receives the new one.
  const { status } = await fetchAnalysis(id, "hybrid.json", { "if-none-match": before.headers.get("etag")! });
  expect(status).toBe(200);
  expect(await plan(id)).toBe(139);
  expect(await findSong(sql, id)).toMatchObject({ lighting_status: "ready", tempo: 140 });
  const stored = await call("GetSongCorrections", { song_id: id }, "director");
  expect(stored).toMatchObject({ revision: 1, fits: true, message: "The corrections are in use" });
  expect(JSON.parse(stored.correctionsJson).edits).toEqual([double]);
  const [row] = await sql`select action, after from audit_log where target = ${`song ${id}`} order by id desc limit 1`;
  expect(row).toMatchObject({ action: "song.corrected", after: { revision: 1, edits: 1 } });
});

test("restores the analyzed beats when all corrections are removed", async () => {
  const id = await readySong();
  await save(id, 0, double);
  await plan(id);
  expect(await save(id, 1)).toMatchObject({ revision: 2 });
  expect(await plan(id)).toBe(70);
  expect(await readAnalysis(id)).toEqual(await readAnalysis(id, "heard.json"));
  expect((await findSong(sql, id))?.tempo).toBe(70);
});

test("rejects corrections based on an older revision, and saves identical ones once", async () => {
  const id = await readySong();
  await save(id, 0, double);
  expect(await save(id, 0, double)).toMatchObject({ code: "", revision: 1 });
  const refused = await save(id, 0, double, double);
  expect(refused.code).toBe("aborted");
  expect(refused.message).toContain("Another person corrected this song meanwhile");
  expect(await songs.activeJobs(id)).toHaveLength(1);
});

test("accepts one of several simultaneous saves", async () => {
  const id = await readySong();
  const saves = await Promise.all(Array.from({ length: 8 }, (_, i) => save(id, 0, { kind: "downbeat", beats: i + 1 })));
  expect(saves.filter(({ code }) => code === "")).toHaveLength(1);
  expect(await songs.activeJobs(id)).toHaveLength(1);
});

test("plans again if corrections change during a running plan", async () => {
  const id = await readySong();
  await save(id, 0, double);
  const job = await songs.claimNext(id);
  expect(await save(id, 1)).toMatchObject({ revision: 2 });
  expect(await songs.activeJobs(id)).toHaveLength(1);
  await songs.report(job, { kind: "done", result: await songs.runStep(job) });
  expect((await findSong(sql, id))?.lighting_status).toBe("processing");
  expect(await plan(id)).toBe(70);
  expect((await findSong(sql, id))?.lighting_status).toBe("ready");
});

test("plans again with newer corrections after a failed plan", async () => {
  const id = await readySong();
  await save(id, 0, double);
  const job = await songs.claimNext(id);
  await save(id, 1);
  await songs.report(job, { kind: "failed", reason: "no luck", retry: false });
  expect(await plan(id)).toBe(70);
  expect(await findSong(sql, id)).toMatchObject({ lighting_status: "ready", error_message: "" });
});

test("applies corrections to a new analysis, and disables those that no longer fit", async () => {
  const id = await readySong();
  await save(id, 0, double);
  await plan(id);
  await retrySong(sql, caller, id, "analysis");
  expect((await save(id, 1)).code).toBe("failed_precondition");
  await songs.analyse(id, 70);
  expect(await plan(id)).toBe(139);

  await retrySong(sql, caller, id, "analysis");
  await songs.analyse(id, 140); // Analyzed correctly this time: doubling it would be wrong.
  expect(await plan(id)).toBe(140);
  const stored = await call("GetSongCorrections", { song_id: id }, "ai");
  expect(stored.fits ?? false).toBe(false);
  expect(stored.message).toContain("kept but not in use");
  expect(JSON.parse(stored.correctionsJson).edits).toEqual([double]);
  expect((await readAnalysis(id)).insights.warnings).toContain("corrections_set_aside");
});

test("names the error of an invalid save", async () => {
  const id = await readySong();
  const send = (corrections_json: string) =>
    call("SaveSongCorrections", { song_id: id, corrections_json, revision: 0 });
  expect(await send("no JSON")).toMatchObject({ code: "invalid_argument", message: "correctionsJson: is not JSON" });
  expect((await send(`{"version":1}`)).message).toContain("correctionsJson: heard");
  const wild = JSON.parse(made(id));
  wild.edits = [{ kind: "tempo", factor: "7" }];
  expect(await send(JSON.stringify(wild))).toMatchObject({ code: "invalid_argument" });
  const none = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  expect((await call("SaveSongCorrections", { song_id: none, corrections_json: made(none), revision: 0 })).code).toBe(
    "not_found",
  );
  expect((await call("GetSongCorrections", { song_id: none })).code).toBe("not_found");
  expect((await call("SaveSongCorrections", { song_id: id, corrections_json: made(id), revision: 0 }, "ai")).code).toBe(
    "permission_denied",
  );
});

test("deletes the corrections with the song", async () => {
  const id = await readySong();
  await save(id, 0, double);
  await call("DeleteSong", { song_id: id });
  await sql`update songs set deleted_at = now() - interval '1 hour' where id = ${id}`;
  expect(await purgeSongs(sql, 10)).toEqual([id]);
  expect(await sql`select 1 from song_corrections where song_id = ${id}`).toHaveLength(0);
});
