import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Correction, GrantedJob, JobOutcome, SongAnalysis } from "@followspot/contract";
import { heardGrid } from "@followspot/analysis/correct-analysis";
import type { Caller } from "../platform/caller.ts";
import type { Sql } from "../platform/database.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { retrySong } from "./change-song.ts";
import { importLink } from "./import-song.ts";
import { createStepRunner } from "./run-step.ts";
import { SongFiles } from "./song-files.ts";
import { claimJob, settleJob } from "./song-jobs.ts";
import { findSong, purgeSongs } from "./songs.store.ts";

let server: TestServer;
let sql: Sql;
let dataDir: string;
let files: SongFiles;
const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
const tokens: Record<"admin" | "director" | "ai", string> = { admin: "", director: "", ai: "" };
let videos = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "followspot-corrections-"));
  server = await startTestServer({ dataDir, connections: 20 });
  ({ sql } = server);
  files = new SongFiles(dataDir);
  tokens.admin = (await server.person("admin", ["Admin"])).token;
  tokens.director = (await server.person("director", ["Director"])).token;
  tokens.ai = (await server.person("ai", ["AI"])).token;
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const curve = { hop_seconds: 0.5, values: Array.from({ length: 120 }, (_, i) => (i % 4) / 4) };
/** A minute of 4/4 at `bpm`. */
function analysisAt(songId: string, bpm: number): SongAnalysis {
  const beats = Array.from({ length: bpm }, (_, i) => (i * 60) / bpm);
  return {
    version: 1,
    song_id: songId,
    duration: 60,
    tempo: bpm,
    key: "A minor",
    beats,
    downbeats: beats.filter((_, i) => i % 4 === 0),
    offbeats: [],
    grid: {
      beats_per_bar: 4,
      tempo_curve_bpm: [{ time: 0, bpm }],
      confidence: 0.5,
      downbeat_confidence: 0.5,
      stable: true,
      swing: 0.5,
    },
    stems: { drums: "", bass: "", vocals: "", other: "" },
    dynamics: {
      energy_curve: curve,
      frequency_bands: { bass: curve, low_mid: curve, mid: curve, high_mid: curve, high: curve },
      loudness: -9,
    },
    waveform: curve,
    vocals: { presence: curve, mean_presence: 0.4 },
    structure: { sections: [{ start: 0, end: 60, label: "drop", energy: 0.9, intensity: 0.9, confidence: 0.5 }] },
    drop_predictions: [],
    insights: {
      genre_analysis: { primary_genre: "", sub_genres: [], confidence: 0, characteristics: {} },
      instrument_detection: { instruments: [], confidence: 0 },
      key_info: { key: "A", mode: "minor", confidence: 1 },
      tempo_info: { bpm, confidence: 0.5, stable: true },
      pattern_reasoning: {},
      warnings: [],
      engines: {},
    },
  };
}

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

const activeJobs = (songId: string) =>
  sql<{ id: string; step: string }[]>`
    select id, step from song_jobs where song_id = ${songId} and state in ('queued', 'running')`;
async function claimNext(songId: string): Promise<GrantedJob> {
  const [job] = await activeJobs(songId);
  const reply = await claimJob(sql, { job_id: job!.id, worker: "w" });
  if (reply.kind !== "granted") throw new Error(`not granted: ${JSON.stringify(reply)}`);
  return reply.job;
}
const report = (job: GrantedJob, outcome: JobOutcome["outcome"]) =>
  settleJob(sql, { job_id: job.job_id, lease_token: job.lease_token, outcome });
const runStep = (job: GrantedJob) =>
  createStepRunner({ files, ffmpeg: undefined, stems: false, videoSite: {} as never, warn: () => undefined })(job, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
const plan = async (songId: string): Promise<number> => {
  const job = await claimNext(songId);
  await report(job, { kind: "done", result: await runStep(job) });
  const { beats } = (await files.readJson(songId, "lighting.json")) as { beats: number[] };
  return beats.length;
};

/** Heard at `bpm` and planned. */
async function readySong(bpm = 70): Promise<string> {
  const { id } = (await importLink(sql, caller, `https://youtu.be/${String(++videos).padStart(11, "c")}`)).song;
  await files.makeFolder(id);
  await report(await claimNext(id), { kind: "done", result: { duration: 60 } });
  await analyse(id, bpm);
  expect(await plan(id)).toBe(bpm);
  return id;
}
async function analyse(id: string, bpm: number) {
  await writeFile(files.path(id, "hybrid.json"), JSON.stringify(analysisAt(id, bpm)));
  await report(await claimNext(id), { kind: "done", result: { duration: 60, tempo: bpm } });
}

test("keeps corrections, shows them to every reader and plans the song again", async () => {
  const id = await readySong();
  const before = await fetchAnalysis(id);
  const saved = await save(id, 0, double);
  expect(saved).toMatchObject({ revision: 1, song: { lightingStatus: "processing", analysisStatus: "ready" } });
  expect((await readAnalysis(id)).tempo).toBeCloseTo(140, 3);
  expect((await readAnalysis(id, "heard.json")).tempo).toBe(70);
  // Whoever has the old file is told that it changed.
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

test("goes back to what was heard", async () => {
  const id = await readySong();
  await save(id, 0, double);
  await plan(id);
  expect(await save(id, 1)).toMatchObject({ revision: 2 });
  expect(await plan(id)).toBe(70);
  expect(await readAnalysis(id)).toEqual(await readAnalysis(id, "heard.json"));
  expect((await findSong(sql, id))?.tempo).toBe(70);
});

test("refuses edits made on an older revision, and takes the same save twice as one", async () => {
  const id = await readySong();
  await save(id, 0, double);
  expect(await save(id, 0, double)).toMatchObject({ code: "", revision: 1 });
  const refused = await save(id, 0, double, double);
  expect(refused.code).toBe("aborted");
  expect(refused.message).toContain("Somebody else corrected this song meanwhile");
  expect(await activeJobs(id)).toHaveLength(1);
});

test("lets one of two savers win", async () => {
  const id = await readySong();
  const saves = await Promise.all(Array.from({ length: 8 }, (_, i) => save(id, 0, { kind: "downbeat", beats: i + 1 })));
  expect(saves.filter(({ code }) => code === "")).toHaveLength(1);
  expect(await activeJobs(id)).toHaveLength(1);
});

test("plans again when the corrections were replaced under a plan at work", async () => {
  const id = await readySong();
  await save(id, 0, double);
  const job = await claimNext(id);
  expect(await save(id, 1)).toMatchObject({ revision: 2 });
  expect(await activeJobs(id)).toHaveLength(1);
  await report(job, { kind: "done", result: await runStep(job) });
  expect((await findSong(sql, id))?.lighting_status).toBe("processing");
  expect(await plan(id)).toBe(70);
  expect((await findSong(sql, id))?.lighting_status).toBe("ready");
});

test("tries again with newer corrections after a plan that failed", async () => {
  const id = await readySong();
  await save(id, 0, double);
  const job = await claimNext(id);
  await save(id, 1);
  await report(job, { kind: "failed", reason: "no luck", retry: false });
  expect(await plan(id)).toBe(70);
  expect(await findSong(sql, id)).toMatchObject({ lighting_status: "ready", error_message: "" });
});

test("applies corrections to a new analysis, and sets aside what no longer fits", async () => {
  const id = await readySong();
  await save(id, 0, double);
  await plan(id);
  await retrySong(sql, caller, id, "analysis");
  expect((await save(id, 1)).code).toBe("failed_precondition");
  await analyse(id, 70);
  expect(await plan(id)).toBe(139);

  await retrySong(sql, caller, id, "analysis");
  await analyse(id, 140); // heard right this time: twice of it would be wrong
  expect(await plan(id)).toBe(140);
  const stored = await call("GetSongCorrections", { song_id: id }, "ai");
  expect(stored.fits ?? false).toBe(false);
  expect(stored.message).toContain("kept but not in use");
  expect(JSON.parse(stored.correctionsJson).edits).toEqual([double]);
  expect((await readAnalysis(id)).insights.warnings).toContain("corrections_set_aside");
});

test("says what is wrong with a save", async () => {
  const id = await readySong();
  const send = (corrections_json: string) =>
    call("SaveSongCorrections", { song_id: id, corrections_json, revision: 0 });
  expect(await send("no JSON")).toMatchObject({ code: "invalid_argument", message: "corrections_json is not JSON" });
  expect((await send(`{"version":1}`)).message).toContain("corrections_json: heard");
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

test("forgets the corrections with the song", async () => {
  const id = await readySong();
  await save(id, 0, double);
  await call("DeleteSong", { song_id: id });
  await sql`update songs set deleted_at = now() - interval '1 hour' where id = ${id}`;
  expect(await purgeSongs(sql, 10)).toEqual([id]);
  expect(await sql`select 1 from song_corrections where song_id = ${id}`).toHaveLength(0);
});
