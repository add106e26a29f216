import { readdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { GrantedJob, JobStep } from "@followspot/contract";
import { encodeMp3 } from "../../songs/audio/encode-mp3.ts";
import { importLink } from "../../songs/library/import-song.ts";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { findSong } from "../../songs/catalog/songs.store.ts";
import { sweepJobs } from "../../songs/processing/song-jobs.ts";
import { newId } from "../../platform/database/ids.ts";
import { movingPlan } from "../../stage/testing/plans.ts";
import { HandWorker, sha256Of } from "../../testing/hand-worker.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { analysisAt, SongsByHand } from "../../testing/songs-by-hand.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { workersHere } from "./workers.store.ts";

const RATE = 44_100;
const dataDir = await folderUntil(afterAll);
const files = new SongFiles(dataDir);
const server = openUntil(
  afterAll,
  await startTestServer({ dataDir, settings: { FOLLOWSPOT_LINK_SITES: ["soundcloud.com"] } }),
);
const admin = await server.person("Ada", ["Admin"]);
const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const byHand = new SongsByHand(server.sql, files, caller);
const tone = Float32Array.from({ length: 6 * RATE }, (_, n) => 0.5 * Math.sin(n / 15));
await encodeMp3({ left: tone, right: tone }, join(dataDir, "tone.mp3"), { sampleRate: RATE, attempt: "test" });
const mp3 = new Uint8Array(await readFile(join(dataDir, "tone.mp3")));

const queues = (method: string, body: object) => server.call(`queues.v1.QueuesService/${method}`, body, admin.token);
const workers = async (): Promise<Wire[]> => (await queues("ListWorkers", {})).body.workers ?? [];
const found = async (id: string): Promise<Wire> => (await workers()).find((worker) => worker.id === id);
let added = 0;

async function addWorker() {
  const { worker, token } = (await queues("AddWorker", { name: `Machine ${++added}` })).body;
  return { id: worker.id as string, token: token as string };
}

/** Creates a worker that has sent its hello. */
async function startHand() {
  const { id, token } = await addWorker();
  const hand = new HandWorker(server.base, token);
  expect((await hand.hello()).status).toBe(200);
  return { id, token, hand };
}

/** Claims the next job of the given steps. @throws Error if there is none */
async function granted(hand: HandWorker, ...steps: JobStep[]): Promise<GrantedJob> {
  const { body } = await hand.claim(...steps);
  if (body.kind !== "granted") throw new Error(`not granted: ${JSON.stringify(body)}`);
  return body.job;
}

let links = 0;
/** Creates a song with a queued download. */
async function linkedSong(): Promise<string> {
  const { song } = await importLink(server.sql, caller, `https://youtu.be/${String(++links).padStart(11, "w")}`);
  return song.id;
}

/** Creates a downloaded song with a queued analysis. */
async function analyzedSong(): Promise<string> {
  const id = await linkedSong();
  await byHand.report(await byHand.claimNext(id), { kind: "done", result: { duration: 60 } });
  await files.makeFolder(id);
  await writeFile(files.path(id, "audio.mp3"), mp3);
  return id;
}

beforeEach(async () => {
  await server.sql`delete from songs`;
  await server.sql`delete from workers`;
});

test("a token is shown once, and is valid until its worker is revoked", async () => {
  const { id, token, hand } = await startHand();
  expect(token).toMatch(/^fsw_[\w-]{43}$/);
  const [{ kept } = { kept: "" }] = await server.sql<{ kept: string }[]>`select w::text as kept from workers w`;
  expect(kept).not.toContain(token);
  expect(await found(id)).toMatchObject({ state: "waits", cores: 2, addedByName: "Ada" });
  expect((await queues("RevokeWorker", { worker_id: id })).status).toBe(200);
  expect((await hand.hello()).status).toBe(401);
  expect(await found(id)).toBeUndefined();
  expect((await new HandWorker(server.base, `fsw_${"a".repeat(43)}`).hello()).status).toBe(401);
});

test("the worker API accepts no Admin, and the user API accepts no worker", async () => {
  const { token } = await startHand();
  expect((await new HandWorker(server.base, admin.token).hello()).status).toBe(401);
  expect((await server.call("queues.v1.QueuesService/ListWorkers", {}, token)).status).toBe(401);
});

test("claims prefer the job closest to completion, among the requested steps", async () => {
  const { hand } = await startHand();
  const [waiting, heard] = [await linkedSong(), await analyzedSong()];
  expect(await granted(hand, "download", "analysis")).toMatchObject({ song_id: heard, step: "analysis", attempt: 1 });
  expect(await granted(hand, "download")).toMatchObject({ song_id: waiting, step: "download" });
});

test("a claim waits for a job, and gets one that is created during the wait", async () => {
  const { hand } = await startHand();
  const claim = hand.claim("download");
  const song_id = await linkedSong();
  expect((await claim).body).toMatchObject({ kind: "granted", job: { song_id } });
});

test("a worker that disconnected during its claim gets no job", async () => {
  const { token } = await startHand();
  const instance = "left-while-it-waited";
  await new HandWorker(server.base, token, instance).hello();
  const headers = {
    authorization: `Bearer ${token}`,
    "x-followspot-worker": instance,
    "content-type": "application/json",
  };
  const left = request(`${server.base}/api/worker/claim`, { method: "POST", headers }).on("error", () => {});
  left.end(JSON.stringify({ steps: ["download"] }));
  await new Promise((sent) => left.once("finish", sent));
  await new Promise((waited) => setTimeout(waited, 300));
  left.destroy();
  await new Promise((waited) => setTimeout(waited, 300));
  const id = await linkedSong();
  const other = await startHand();
  expect(await granted(other.hand, "download")).toMatchObject({ song_id: id, attempt: 1 });
});

test("a paused queue grants no job to workers on other machines", async () => {
  const { hand } = await startHand();
  await linkedSong();
  const until = new Date(Date.now() + 60_000).toISOString();
  await queues("PauseQueue", { queue: "SONGS", until });
  const claim = hand.claim("download");
  const early = await Promise.race([claim, new Promise((waited) => setTimeout(waited, 1500))]);
  expect(early).toBeUndefined();
  await queues("ResumeQueue", { queue: "SONGS" });
  expect((await claim).body.kind).toBe("granted");
});

test("a worker reads and writes only the files of its job and step", async () => {
  const { hand } = await startHand();
  const other = await startHand();
  const id = await analyzedSong();
  const job = await granted(hand, "analysis");
  expect(await (await hand.get(job)).json()).toEqual({ files: [{ name: "audio.mp3", size: mp3.length }] });
  const audio = await hand.get(job, "audio.mp3");
  expect(audio.headers.get("x-followspot-sha256")).toBe(sha256Of(new Uint8Array(await audio.arrayBuffer())));
  await writeFile(files.path(id, "hybrid.json"), "{}");
  for (const name of ["hybrid.json", "..%2F..%2Fsecrets.json", "source.mp3"])
    expect([name, (await hand.get(job, name)).status]).toEqual([name, 404]);
  for (const name of ["audio.mp3", "lighting.1.json", "..%2Fx", "hybrid.json.tmp-analysis-1", "source.mp3"])
    expect([name, (await hand.put(job, name, "x")).status]).toEqual([name, 400]);
  expect((await other.hand.get(job, "audio.mp3")).status).toBe(404);
  expect((await other.hand.put(job, "hybrid.json", "{}")).status).toBe(404);
  expect((await hand.get({ ...job, lease_token: "another" }, "audio.mp3")).status).toBe(404);
  expect(await readFile(files.path(id, "hybrid.json"), "utf8")).toBe("{}");
});

test("a damaged or truncated upload leaves no file", async () => {
  const { hand, token } = await startHand();
  const id = await analyzedSong();
  const job = await granted(hand, "analysis");
  expect((await hand.put(job, "hybrid.json", "{}", sha256Of("other"))).status).toBe(400);
  const instance = "cut-off-while-it-sent";
  await new HandWorker(server.base, token, instance).hello();
  const headers = {
    authorization: `Bearer ${token}`,
    "x-followspot-worker": instance,
    "x-followspot-lease": job.lease_token,
    "x-followspot-sha256": "0".repeat(64),
    "content-length": 1_000_000,
  };
  const cut = request(`${server.base}/api/worker/jobs/${job.job_id}/files/hybrid.json`, { method: "PUT", headers });
  cut.on("error", () => {});
  cut.write("{".repeat(100_000));
  const names = () => readdir(files.folder(id));
  await expect.poll(async () => (await names()).filter((name) => name.includes(".part-")).length).toBe(1);
  cut.destroy();
  await expect.poll(names).toEqual(["audio.mp3"]);
});

test("a file above its size limit is refused", async () => {
  const { hand } = await startHand();
  await analyzedSong();
  const job = await granted(hand, "analysis");
  const answer = await hand.put(job, "hybrid.json", new Uint8Array(32_000_001)).catch(() => undefined);
  expect(answer?.status ?? 429).toBe(429);
  expect((await hand.beat(job)).body).toEqual({ kind: "kept" });
});

test("an analysis that fits its song is stored, and the next step follows", async () => {
  const { id, hand } = await startHand();
  const songId = await analyzedSong();
  const job = await granted(hand, "analysis");
  expect((await hand.beat(job)).body).toEqual({ kind: "kept" });
  expect(await found(id)).toMatchObject({ state: "works", tasks: [{ songId, step: "analysis", note: "at it" }] });
  const analysis = analysisAt(songId, 120);
  await hand.put(job, "hybrid.json", JSON.stringify(analysis));
  expect(await readdir(files.folder(songId))).not.toContain("hybrid.json");
  // The values come from the analysis file, not from the worker's report.
  const said = { duration: 3, title: "Lies", tempo: 999 };
  expect((await hand.report(job, { kind: "done", result: said })).body).toEqual({ kind: "applied" });
  expect(await findSong(server.sql, songId)).toMatchObject({ tempo: 120, duration: 60, analysis_status: "ready" });
  expect((await readdir(files.folder(songId))).sort()).toEqual(["audio.mp3", "hybrid.json"]);
  expect(await found(id)).toMatchObject({ state: "waits", songsDone: 1 });
  expect((await hand.report(job, { kind: "done", result: said })).body).toEqual({ kind: "stale" });
  expect(await granted(hand, "lighting", "analysis")).toMatchObject({ song_id: songId, step: "lighting" });
});

const LIES: readonly [string, (songId: string) => string, RegExp][] = [
  ["no JSON", () => "nothing", /hybrid\.json is no JSON/],
  ["of another shape", () => "{}", /hybrid\.json is no analysis: version/],
  ["of another song", () => JSON.stringify(analysisAt("01JD0000000000000000000002", 120)), /of another song/],
  ["longer than its song", (id) => JSON.stringify({ ...analysisAt(id, 120), duration: 900 }), /of another length/],
  ["of no tempo there is", (id) => JSON.stringify({ ...analysisAt(id, 120), tempo: 5000 }), /beats that no song has/],
];

test.each(LIES)("an analysis that is %s fails with a sentence, and is not stored", async (_, lie, why) => {
  const { hand } = await startHand();
  const id = await analyzedSong();
  const job = await granted(hand, "analysis");
  await hand.put(job, "hybrid.json", lie(id));
  const { body } = await hand.report(job, { kind: "done", result: {} });
  expect(body).toMatchObject({ kind: "refused", says: expect.stringMatching(why) });
  expect(await readdir(files.folder(id))).toEqual(["audio.mp3"]);
  // Another attempt, or another worker, may succeed.
  expect(await granted(hand, "analysis")).toMatchObject({ song_id: id, attempt: 2 });
});

test("a download without sound, without its original or of an impossible length is not stored", async () => {
  const { hand } = await startHand();
  const id = await linkedSong();
  const tries: [Record<string, string | Uint8Array<ArrayBuffer>>, number, RegExp][] = [
    [{ "audio.mp3": "words", "source.mp3": mp3 }, 6, /audio\.mp3 holds no such sound/],
    [{ "audio.mp3": mp3 }, 6, /no original/],
    [{ "audio.mp3": mp3, "source.mp3": mp3 }, 90_000, /a length that no song has/],
  ];
  for (const [left, duration, why] of tries) {
    const job = await granted(hand, "download");
    for (const [name, content] of Object.entries(left)) await hand.put(job, name, content);
    const { body } = await hand.report(job, { kind: "done", result: { duration } });
    expect(body.says).toMatch(why);
    expect(await readdir(files.folder(id))).toEqual([]);
  }
  expect(await findSong(server.sql, id)).toMatchObject({
    analysis_status: "error",
    error_message: expect.stringMatching(
      /^What the worker “Machine \d+” made of this song cannot be used, because .*Retry/,
    ),
  });
});

test("a valid download is stored with its original, which replaces an earlier one", async () => {
  const { hand } = await startHand();
  const id = await linkedSong();
  await files.makeFolder(id);
  await writeFile(files.path(id, "source.webm"), "of an earlier download");
  const job = await granted(hand, "download");
  expect(await (await hand.get(job)).json()).toEqual({ files: [] });
  for (const name of ["audio.mp3", "source.mp3"]) await hand.put(job, name, mp3);
  const result = { duration: 6.02, title: "Title of\ntwo lines" };
  expect((await hand.report(job, { kind: "done", result })).body).toEqual({ kind: "applied" });
  expect((await readdir(files.folder(id))).sort()).toEqual(["audio.mp3", "source.mp3"]);
  expect(await findSong(server.sql, id)).toMatchObject({ title: "Title of two lines", duration: 6 });
});

test("stems are stored, and named in the server's analysis; other changes by the worker are ignored", async () => {
  const { hand } = await startHand();
  const id = await analyzedSong();
  await byHand.analyse(id, 120);
  await server.sql`insert into song_jobs (id, song_id, step, state) values ('01JD000000000000000000STEM', ${id}, 'stems', 'queued')`;
  const job = await granted(hand, "stems");
  for (const name of ["drums.mp3", "bass.mp3", "vocals.mp3", "other.mp3"]) await hand.put(job, name, mp3);
  const own = analysisAt(id, 120);
  const engines = { ...own.insights.engines, stems: { engine: "followspot", version: "1" } };
  const theirs = { ...own, tempo: 60, insights: { ...own.insights, engines } };
  await hand.put(job, "hybrid.json", JSON.stringify(theirs));
  expect((await hand.report(job, { kind: "done", result: {} })).body).toEqual({ kind: "applied" });
  const kept = (await files.readJson(id, "hybrid.json")) as Wire;
  expect([kept.tempo, kept.stems.drums, kept.insights.engines.stems.engine]).toEqual([120, "drums.mp3", "followspot"]);
});

test("a plan with another number is refused, and one that is no plan is not stored", async () => {
  const { hand } = await startHand();
  const id = await byHand.analysed(120);
  const job = await granted(hand, "lighting");
  expect((await hand.put(job, `lighting.${job.plan!.number + 1}.json`, "{}")).status).toBe(400);
  await hand.put(job, `lighting.${job.plan!.number}.json`, "{}");
  const { body } = await hand.report(job, { kind: "done", result: {} });
  expect(body.says).toMatch(/lighting\.\d+\.json is no plan/);
  expect(await readdir(files.folder(id))).toEqual(["hybrid.json"]);
});

test("three unusable results in a row suspend a worker until a user allows it again", async () => {
  const { id, hand } = await startHand();
  await linkedSong();
  const lie = async () => hand.report(await granted(hand, "download"), { kind: "done", result: { duration: 6 } });
  await lie();
  await lie();
  expect(await found(id)).toMatchObject({ state: "waits" });
  await lie();
  const says = /set aside: 3 of its results in a row could not be used, the last one because it left no audio\.mp3/;
  expect(await found(id)).toMatchObject({ state: "aside", says: expect.stringMatching(says) });
  await linkedSong();
  expect((await hand.claim("download")).body).toMatchObject({ kind: "refused", says: expect.stringMatching(says) });
  expect((await hand.hello()).body).toMatchObject({ steps: [], says: expect.stringMatching(says) });
  await queues("LetWorkerWork", { worker_id: id });
  expect((await hand.claim("download")).body.kind).toBe("granted");
});

test("a usable result resets the count of unusable ones", async () => {
  const { id, hand } = await startHand();
  for (const isLie of [true, true, false, true, true]) {
    const songId = await analyzedSong();
    const job = await granted(hand, "analysis");
    await hand.put(job, "hybrid.json", isLie ? "{}" : JSON.stringify(analysisAt(songId, 120)));
    await hand.report(job, { kind: "done", result: {} });
    await server.sql`delete from songs`;
  }
  expect(await found(id)).toMatchObject({ state: "waits" });
});

/** Each step with the files of a successful attempt. */
const STEPS: readonly [
  JobStep,
  () => Promise<{ id: string; files: Record<string, string | Uint8Array<ArrayBuffer>> }>,
][] = [
  ["download", async () => ({ id: await linkedSong(), files: { "audio.mp3": mp3, "source.mp3": mp3 } })],
  [
    "analysis",
    async () => {
      const id = await analyzedSong();
      return { id, files: { "hybrid.json": JSON.stringify(analysisAt(id, 120)) } };
    },
  ],
  [
    "lighting",
    async () => {
      const id = await byHand.analysed(120);
      return { id, files: { "lighting.1.json": JSON.stringify({ ...movingPlan(), song_id: id }) } };
    },
  ],
  [
    "stems",
    async () => {
      const id = await analyzedSong();
      await byHand.analyse(id, 120);
      await server.sql`delete from song_jobs where song_id = ${id}`;
      await server.sql`insert into song_jobs (id, song_id, step, state) values (${newId()}, ${id}, 'stems', 'queued')`;
      const own = analysisAt(id, 120);
      const engines = { ...own.insights.engines, stems: { engine: "followspot", version: "1" } };
      const stems = Object.fromEntries(["drums", "bass", "vocals", "other"].map((name) => [`${name}.mp3`, mp3]));
      return {
        id,
        files: { ...stems, "hybrid.json": JSON.stringify({ ...own, insights: { ...own.insights, engines } }) },
      };
    },
  ],
];

/** Makes the database terminate the connection at the next changes that finish jobs, the given number of times. */
async function blink(times: number): Promise<void> {
  const { sql } = server;
  await sql.unsafe(`
    create sequence blinks;
    create function blink() returns trigger language plpgsql as $$
      begin
        if nextval('blinks') <= ${times} then perform pg_terminate_backend(pg_backend_pid()); end if;
        return new;
      end $$;
    create trigger blink before update on song_jobs for each row when (new.state <> 'running') execute function blink()`);
  onTestFinished(async () => {
    await sql`drop function blink cascade`;
    await sql`drop sequence blinks`;
  });
}

// kept: Songs and jobs | Finished work of a remote worker was lost when the database failed, and the worker was blamed
// | failed on the old code
test.each(STEPS)("a finished %s is applied at the next report if the database fails before", async (step, make) => {
  const { id: workerId, hand } = await startHand();
  const { id, files: made } = await make();
  const before = (await readdir(files.folder(id)).catch(() => [])).filter((name) => !(name in made));
  const job = await granted(hand, step);
  for (const [name, content] of Object.entries(made)) expect((await hand.put(job, name, content)).status).toBe(204);
  await blink(2);
  const outcome = { kind: "done", result: { duration: 6.02 } } as const;
  for (let failed = 0; failed < 2; failed++) expect((await hand.report(job, outcome)).status).toBe(503);
  expect(await hand.report(job, outcome)).toEqual({ status: 200, body: { kind: "applied" } });
  expect((await readdir(files.folder(id))).sort()).toEqual([...before, ...Object.keys(made)].sort());
  const stored = Object.fromEntries(
    await Promise.all(Object.keys(made).map(async (name) => [name, sha256Of(await readFile(files.path(id, name)))])),
  );
  // The server names the stems in the analysis itself.
  const isOwn = (name: string) => name === "hybrid.json" && step === "stems";
  for (const [name, content] of Object.entries(made))
    if (!isOwn(name)) expect([name, stored[name]]).toEqual([name, sha256Of(content)]);
  const [worker] = await server.sql`select unusable_results from workers where id = ${workerId}`;
  expect(worker).toEqual({ unusable_results: 0 });
});

test("a failure is settled at the next report if the database fails before, and a refused result is removed", async () => {
  const { hand } = await startHand();
  const id = await analyzedSong();
  const job = await granted(hand, "analysis");
  await hand.put(job, "hybrid.json", "nothing");
  await blink(1);
  const outcome = { kind: "done", result: {} } as const;
  expect((await hand.report(job, outcome)).status).toBe(503);
  expect((await hand.report(job, outcome)).body).toMatchObject({ kind: "refused" });
  expect(await readdir(files.folder(id))).toEqual(["audio.mp3"]);
});

test("a second start with a token takes over, and the first is notified", async () => {
  const { token, hand } = await startHand();
  await linkedSong();
  const job = await granted(hand, "download");
  const second = new HandWorker(server.base, token);
  expect((await second.hello()).status).toBe(200);
  const told = { status: 409, body: { message: "Another worker started with this token" } };
  expect(await hand.beat(job)).toMatchObject(told);
  expect(await hand.claim("download")).toMatchObject(told);
  expect(await hand.hello({ is_start: false })).toMatchObject(told);
  expect((await second.hello({ is_start: false })).status).toBe(200);
});

test("the lease of a revoked worker expires, and another worker gets the song", async () => {
  const { id, hand } = await startHand();
  const other = await startHand();
  const songId = await linkedSong();
  const job = await granted(hand, "download");
  await queues("RevokeWorker", { worker_id: id });
  expect((await hand.beat(job)).status).toBe(401);
  expect((await hand.report(job, { kind: "released" })).status).toBe(401);
  await server.sql`update song_jobs set lease_until = now() where id = ${job.job_id}`;
  await sweepJobs(server.sql, undefined);
  expect(await granted(other.hand, "download")).toMatchObject({ song_id: songId, attempt: 2 });
});

test("a worker with another protocol gets no jobs and the reason; one with another version works and is listed as such", async () => {
  const { id, hand } = await startHand();
  await linkedSong();
  const says = expect.stringMatching(/of an older Followspot than its server/);
  expect((await hand.hello({ protocol: 0 })).body).toMatchObject({ steps: [], says });
  expect((await hand.claim("download")).body).toMatchObject({ kind: "refused", says });
  expect(await found(id)).toMatchObject({ says });
  expect((await hand.hello({ version: "0.0.9" })).body).toMatchObject({ steps: ["download", "analysis", "lighting", "stems"], says: "" }); // prettier-ignore
  expect(await found(id)).toMatchObject({ version: "0.0.9", says: expect.stringMatching(/^It is of version 0\.0\.9/) });
  expect((await hand.claim("download")).body.kind).toBe("granted");
});

test("a worker without a recent heartbeat is listed as away and not counted", async () => {
  const { id } = await startHand();
  expect(await workersHere(server.sql)).toMatchObject([{ id: expect.stringMatching(/^Machine/) }]);
  await server.sql`update workers set seen_at = now() - interval '1 minute'`;
  expect(await found(id)).toMatchObject({ state: "away" });
  expect(await workersHere(server.sql)).toEqual([]);
});

test("invalid requests are refused", async () => {
  const { hand } = await startHand();
  for (const [path, body] of [
    ["/api/worker/claim", { steps: [] }],
    ["/api/worker/claim", { steps: ["stems", "download"] }],
    ["/api/worker/claim", { steps: ["paint"] }],
    ["/api/worker/hello", { is_start: true, version: "new", protocol: 1, cores: 1, steps: [] }],
    ["/api/worker/heartbeat", { job_id: 5 }],
    ["/api/worker/outcome", { job_id: "a", lease_token: "b", outcome: { kind: "maybe" } }],
  ] as const)
    expect([path, (await hand.post(path, body)).status]).toEqual([path, 400]);
  expect((await new HandWorker(server.base, "none", "x").hello()).status).toBe(401);
  const names = ["", "  ", "a\nb", "x".repeat(61)];
  for (const name of names) expect((await queues("AddWorker", { name })).status).toBe(400);
  await queues("AddWorker", { name: "Attic" });
  expect((await queues("AddWorker", { name: "ATTIC" })).code).toBe("already_exists");
});
