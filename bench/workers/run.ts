/**
 * What workers on other machines cost: songs through 1 and through 3 of them over HTTP, with the processor time and the bytes
 * of each song; and whether a claim costs more where ten thousand songs wait than where ten do, with its index and without.
 *
 *   npm run bench:workers                         6 songs of half a minute, about two minutes
 *   npm run bench:workers -- --songs 30 --seconds 180
 *
 * The workers share the cores of this machine, and with them all: three are not faster than one where one fills it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { GrantedJob } from "../../packages/contract/src/index.ts";
import { nextQueued } from "../../apps/server/src/music/song-jobs.store.ts";
import { HandWorker } from "../../apps/server/src/testing/hand-worker.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { ROOT, until } from "../../e2e/testing/product.ts";
import { startTwoApis } from "../../e2e/testing/two-apis.ts";

const { values: flags } = parseArgs({
  options: { songs: { type: "string", default: "6" }, seconds: { type: "string", default: "30" } },
});
const SONGS = Number(flags.songs);
const LONGEST_MS = 30 * 60_000;
/** Of `/proc/PID/stat`. */
const TICKS_PER_SECOND = 100;
const CLAIMS = 40;

const say = (line: string) => process.stdout.write(`${line}\n`);
const office = await startTwoApis();
const [url] = office.urls;
let made = 0;
try {
  const cores = availableParallelism();
  if (SONGS > 0) say(`${SONGS} songs of ${flags.seconds} s, stems too; ${cores} cores`);
  if (SONGS > 0)
    say("workers   until all are done   processor per song   cores busy   bytes per song   of files alone");
  const runs = [];
  for (const workers of SONGS > 0 ? [1, 3] : []) {
    const run = await measure(workers);
    runs.push(run);
    const busy = (run.processorSeconds * SONGS) / run.seconds;
    const figures = [
      `${run.seconds.toFixed(1)} s`.padStart(21),
      `${run.processorSeconds.toFixed(2)} s`.padStart(21),
      busy.toFixed(2).padStart(13),
      `${(run.bytes / 1e6).toFixed(2)} MB`.padStart(17),
      `${(run.bytes / run.modelBytes).toFixed(3)}`.padStart(17),
    ];
    say(String(workers).padEnd(7) + figures.join(""));
  }
  const [one, three] = runs;
  if (one && three)
    say(`3 to 1: time ${(three.seconds / one.seconds).toFixed(2)}, bytes ${(three.bytes / one.bytes).toFixed(2)}`);

  say("\nqueued songs            the next is found in   a whole claim, over HTTP");
  const few = await timeClaims(10);
  sayClaims("10", few, few);
  sayClaims("10,000", await timeClaims(10_000), few);
  await office.sql`drop index song_jobs_next`;
  sayClaims("10,000, without index", await timeClaims(10_000), few);
} finally {
  await office.close();
}

/** Songs that are uploaded before their workers start, until nothing is left to do. */
async function measure(count: number) {
  const ids = [];
  for (let song = 0; song < SONGS; song++)
    ids.push(await upload(synthesiseSong(Number(flags.seconds), 90 + (made++ % 90))));
  const way = await startCountingWay();
  const began = performance.now();
  const workers = await Promise.all(Array.from({ length: count }, (_, i) => startWorker(`${count}-${i}`, way.url)));
  await until(async () => (await unfinished()) === 0, LONGEST_MS);
  const seconds = (performance.now() - began) / 1000;
  const ticks = await Promise.all(workers.map(({ process: { pid } }) => ticksOf(pid!)));
  for (const worker of workers) await worker.stop();
  way.close();
  const sizes = await Promise.all(ids.map(modelOf));
  return {
    seconds,
    processorSeconds: sum(ticks) / TICKS_PER_SECOND / SONGS,
    bytes: way.bytes() / SONGS,
    modelBytes: sum(sizes) / SONGS,
  };
}

/** Bytes that the steps of a song read and leave, each of them once: what no worker elsewhere can do without. */
async function modelOf(id: string): Promise<number> {
  const folder = join(office.dataDir, "songs", id);
  const size = async (name: string) => (await stat(join(folder, name))).size;
  const names = await readdir(folder);
  const [audio, hybrid] = [await size("audio.mp3"), await size("hybrid.json")];
  const others = sum(await Promise.all(names.filter((name) => !["audio.mp3", "hybrid.json"].includes(name)).map(size)));
  // audio.mp3: left once, read by analysis and stems. hybrid.json: left twice, read by stems and plan.
  return 3 * audio + 4 * hybrid + others;
}

/** Medians, ms. */
interface ClaimTimes {
  readonly find: number;
  readonly claim: number;
}

function sayClaims(what: string, { find, claim }: ClaimTimes, few: ClaimTimes): void {
  const times = (ms: number, of: number) => `${ms.toFixed(2)} ms (${(ms / of).toFixed(1)})`;
  say(what.padEnd(24) + times(find, few.find).padEnd(23) + times(claim, few.claim));
}

/** Claims that are handed back, with so many songs that wait for their download. */
async function timeClaims(queued: number): Promise<ClaimTimes> {
  await office.sql`delete from songs`;
  await office.sql`
    insert into songs (id, title, artist, ytid, url, duration)
    select '01JD' || lpad(n::text, 22, '0'), 'Song', '', lpad(n::text, 11, '0'), '', 30 from generate_series(1, ${queued}) n`;
  // Rung for just now, so that no sweep rings for them meanwhile.
  await office.sql`
    insert into song_jobs (id, song_id, step, state, rung_at)
    select id, id, 'download', 'queued', now() + interval '50 seconds' from songs`;
  await office.sql`analyze songs, song_jobs`;
  const { token } = (await call("AddWorker", { name: `Claims ${made++}` })) as { token: string };
  const hand = new HandWorker(url, token);
  await hand.hello();
  const [finds, claims]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < CLAIMS; turn++) {
    const began = performance.now();
    await nextQueued(office.sql, ["lighting", "analysis", "download"]);
    const found = performance.now();
    const { body } = await hand.claim("lighting", "analysis", "download");
    claims.push(performance.now() - found);
    finds.push(found - began);
    await hand.report(body.job as GrantedJob, { kind: "released" });
  }
  return { find: median(finds), claim: median(claims) };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

async function startWorker(name: string, server: string) {
  const { token } = (await call("AddWorker", { name: `Bench ${name}` })) as { token: string };
  const home = await mkdtemp(join(tmpdir(), "followspot-bench-worker-"));
  // As root helper programs have an account of their own, which must be able to get in.
  await chmod(home, 0o755);
  const words = [join(ROOT, "apps/server/src/main-away-worker.ts"), "--server", server, "--token", token];
  const env = { PATH: process.env.PATH, HOME: home, FOLLOWSPOT_DATA_DIR: join(home, "data") };
  const child: ChildProcess = spawn(process.execPath, words, { env, stdio: "ignore" });
  return {
    process: child,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A way to the office that counts what goes over it, both ways. */
async function startCountingWay() {
  let bytes = 0;
  const way = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk: Buffer) => (bytes += chunk.length)).pipe(to);
      from.on("error", () => to.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  const { port } = way.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes, close: () => void way.close() };
}

async function upload(song: Uint8Array): Promise<string> {
  const headers = { authorization: `Bearer ${office.token}`, "x-file-name": `Bench ${made}.wav` };
  const body = song as NonNullable<RequestInit["body"]>;
  const answer = await fetch(`${url}/api/songs/upload`, { method: "POST", headers, body });
  return ((await answer.json()) as { song: { id: string } }).song.id;
}

async function call(method: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${office.token}`, "content-type": "application/json" };
  const path = `${url}/followspot.queues.v1.QueuesService/${method}`;
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function unfinished(): Promise<number> {
  const [row] = await office.sql<{ jobs: number }[]>`
    select count(*)::int as jobs from song_jobs where state in ('queued', 'running')`;
  return row?.jobs ?? 0;
}

/** Of a process and its children that have ended. */
async function ticksOf(pid: number): Promise<number> {
  const after = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return sum(after.slice(11, 15).map(Number));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
