/**
 * Takes backups of a large community one after the other while people work, and counts how many end and are proven: each is
 * restored into a database of its own and compared. Then restores the last one elsewhere and asks both sides fifty questions.
 *
 *   npm run bench:backup                                     1,000,000 rows, 1 GB of files, 20 rounds
 *   npm run bench:backup -- --rows 1000000 --gigabytes 5 --rounds 5
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { removeData, startProduct, until, type Product } from "../../e2e/testing/product.ts";
import { admin } from "./admin.ts";
import { addRows, addSongs, EVENT } from "./fill.ts";
import { askFifty, differing, FIFTY } from "./fifty-calls.ts";
import { startWork } from "./work.ts";

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    gigabytes: { type: "string", default: "1" },
    rounds: { type: "string", default: "20" },
  },
});
const QUIET_MS = 180_000;
const BAR_MB_PER_SECOND = 50;

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "followspot-bench-backup-"));
const here = await startProduct();
let there: Product | undefined;
try {
  const sql = openDatabase((await runningOn(here)).database, 2);
  await addRows(sql, Number(flags.rows));
  await addSongs(sql, here.dataDir, Number(flags.gigabytes) * 1024 ** 3);
  await here.call("director.v1.DirectorService/CreateStageLink", { event_id: EVENT });
  say("round      ended    proven      size      time      speed   calls meanwhile");
  const speeds = [];
  let proven = 0;
  const work = startWork(here);
  const rounds = Number(flags.rounds);
  for (let round = 1; round <= rounds; round++) {
    const target = join(folder, `round ${round}`);
    const before = work.done();
    const { hasEnded, seconds } = await admin(here, "backup", target);
    const size = hasEnded ? await bytesOf(target) : 0;
    if (hasEnded) speeds.push(size / seconds);
    const isProven = hasEnded && (await admin(here, "backup", "--check", target)).hasEnded;
    if (isProven) proven++;
    say(
      [
        String(round).padEnd(5),
        (hasEnded ? "yes" : "NO").padStart(10),
        (isProven ? "yes" : "NO").padStart(10),
        `${(size / 1e6).toFixed(0)} MB`.padStart(10),
        `${seconds.toFixed(1)} s`.padStart(10),
        `${(size / 1e6 / seconds).toFixed(0)} MB/s`.padStart(11),
        String(work.done() - before).padStart(12),
      ].join(""),
    );
    await rm(target, { recursive: true, force: true });
  }
  await work.end();

  // The work is over when no song is in work any more: what is asked before and after is the same then.
  const inWork = async () => (await sql`select 1 from song_jobs where state in ('queued', 'running')`).length;
  await until(async () => (await inWork()) === 0, QUIET_MS);
  await sql.end();
  const token = await here.token();
  const last = join(folder, "last");
  const backup = await admin(here, "backup", last);
  const answers = await askFifty(here, token);
  const check = await admin(here, "backup", "--check", last);
  await here.stop();
  there = await startProduct();
  const restore = await admin(there, "restore", last);
  const different = differing(answers, await askFifty(there, token));
  for (const call of different) say(`answered otherwise: ${call}`);
  say(`rounds that ended, proven    ${speeds.length} of ${rounds}, ${proven} of ${rounds}`);
  if (speeds.length > 0)
    say(`speed, slowest and middle    ${speedWords(Math.min(...speeds))}, ${speedWords(middleOf(speeds))}`);
  say(`without work beside it       ${speedWords((await bytesOf(last)) / backup.seconds)}`);
  say(`check, restore               ${check.seconds.toFixed(1)} s, ${restore.seconds.toFixed(1)} s`);
  say(`calls answered byte by byte  ${FIFTY - different.length} of ${FIFTY}`);
  const isFast = middleOf(speeds) >= BAR_MB_PER_SECOND * 1e6;
  const isWhole = proven === rounds && check.hasEnded && restore.hasEnded && different.length === 0;
  process.exitCode = isWhole && isFast ? 0 : 1;
} finally {
  for (const product of [here, there]) {
    await product?.stop();
    if (product) await removeData(product.dataDir);
  }
  await rm(folder, { recursive: true, force: true });
}

async function runningOn({ dataDir }: Product): Promise<{ database: string }> {
  return JSON.parse(await readFile(join(dataDir, "running.json"), "utf8")) as { database: string };
}

async function bytesOf(target: string): Promise<number> {
  const { tables, files } = JSON.parse(await readFile(join(target, "followspot-backup.json"), "utf8")) as {
    tables: { bytes: number }[];
    files: { bytes: number }[];
  };
  return [...tables, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
}

function speedWords(bytesPerSecond: number): string {
  return `${(bytesPerSecond / 1e6).toFixed(0)} MB/s`;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
