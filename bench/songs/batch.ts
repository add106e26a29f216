/**
 * How soon songs are lit that are uploaded together, in the whole product: the first, the middle one and the last of each
 * batch, seconds after the first upload began; and what memory the worker takes for it.
 *
 *   npm run bench:batch                         batches of 1, 4 and 12 songs of a minute, about two minutes
 *   npm run bench:batch -- --songs 30 --seconds 180
 */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { processesOn, removeData, startProduct, until } from "../../e2e/testing/product.ts";
import { isReady, upload } from "../../e2e/testing/songs.ts";

const { values: flags } = parseArgs({
  options: {
    songs: { type: "string", default: "1,4,12" },
    seconds: { type: "string", default: "60" },
    /** Stems come behind all songs and would take the machine from the next batch. */
    stems: { type: "string", default: "off" },
  },
});
/** Programs are tried at the start, and idle threads end. */
const REST_MS = 25_000;
const LONGEST_MS = 30 * 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const product = await startProduct({ env: { FOLLOWSPOT_STEMS: flags.stems } });
try {
  say("songs      first     middle      last   worker's memory");
  let made = 0;
  for (const count of flags.songs.split(",").map(Number)) {
    const batch = Array.from({ length: count }, () => synthesiseSong(Number(flags.seconds), 90 + (made++ % 90)));
    await pause(REST_MS);
    const lit = await litAfter(batch);
    const seconds = [lit[0], lit[lit.length >> 1], lit.at(-1)].map((ms = 0) => `${(ms / 1000).toFixed(1)} s`);
    say(
      [String(count).padEnd(5), ...seconds.map((text) => text.padStart(10)), `   ${await workerMemory()} MB`].join(""),
    );
  }
} finally {
  await product.stop();
  await removeData(product.dataDir);
}

/** Milliseconds from the first upload until each song had its show, soonest first. */
async function litAfter(batch: readonly Uint8Array[]): Promise<number[]> {
  const begun = performance.now();
  const waiting = new Set(
    await Promise.all(
      batch.map(
        async (song, i) =>
          (await upload(product, `Bench - ${Math.round(begun)} ${i}.wav`, song)).body.song.id as string,
      ),
    ),
  );
  const lit: number[] = [];
  const look = async () => {
    for (const id of waiting) {
      if (!(await isReady(product, id))) continue;
      waiting.delete(id);
      lit.push(performance.now() - begun);
    }
    return waiting.size === 0;
  };
  await until(look, LONGEST_MS);
  return lit;
}

/** The most it ever took. */
async function workerMemory(): Promise<number> {
  const [pid] = await processesOn(product.dataDir, "main-worker");
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
