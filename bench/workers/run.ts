/**
 * What workers on other machines cost: songs through 1 and through 3 of them over HTTP, with the processor time and the bytes
 * of each song; and whether a claim costs more where ten thousand songs wait than where ten do, with its index and without.
 *
 *   npm run bench:workers                         6 songs of half a minute, about two minutes
 *   npm run bench:workers -- --songs 30 --seconds 180
 *
 * The workers share the cores of this machine, and with them all: three are not faster than one where one fills it.
 */
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { until } from "../../e2e/testing/product.ts";
import { startTwoApis } from "../../e2e/testing/two-apis.ts";
import { startAwayWorker, unfinished, upload } from "./away-worker.ts";
import { queueSongs, timeClaims, type Claims } from "./claims.ts";

const { values: flags } = parseArgs({
  options: { songs: { type: "string", default: "6" }, seconds: { type: "string", default: "30" } },
});
const SONGS = Number(flags.songs);
const LONGEST_MS = 30 * 60_000;
/** Of `/proc/PID/stat`. */
const TICKS_PER_SECOND = 100;

const say = (line: string) => process.stdout.write(`${line}\n`);
const office = await startTwoApis();
const [url] = office.urls;
const at = { ...office, url };
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
  const few = await claimsWhere(10);
  sayClaims("10", few, few);
  sayClaims("10,000", await claimsWhere(10_000), few);
  await office.sql`drop index song_jobs_next`;
  sayClaims("10,000, without index", await claimsWhere(10_000), few);
} finally {
  await office.close();
}

/** Songs that are uploaded before their workers start, until nothing is left to do. */
async function measure(count: number) {
  const ids = [];
  for (let song = 0; song < SONGS; song++)
    ids.push(await upload(at, `Bench ${made}.wav`, synthesiseSong(Number(flags.seconds), 90 + (made++ % 90))));
  const way = await startCountingWay();
  const began = performance.now();
  const workers = await Promise.all(
    Array.from({ length: count }, (_, i) => startAwayWorker(at, `Bench ${count}-${i}`, way.url)),
  );
  await until(async () => (await unfinished(at)) === 0, LONGEST_MS);
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

async function claimsWhere(queued: number): Promise<Claims> {
  await queueSongs(at, queued);
  return timeClaims(at);
}

/** Medians, and how many times they are those of a few songs. */
function sayClaims(what: string, { findMs, claimMs }: Claims, few: Claims): void {
  const times = (all: readonly number[], of: readonly number[]) =>
    `${median(all).toFixed(2)} ms (${(median(all) / median(of)).toFixed(1)})`;
  say(what.padEnd(24) + times(findMs, few.findMs).padEnd(23) + times(claimMs, few.claimMs));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
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

/** Of a process and its children that have ended. */
async function ticksOf(pid: number): Promise<number> {
  const after = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return sum(after.slice(11, 15).map(Number));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
