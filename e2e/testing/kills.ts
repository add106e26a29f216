import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { processesOn, until, type Product } from "./product.ts";

/** Processes that can be killed, by a part of their command line. */
const TARGETS = { worker: "main-worker.", api: "main-api.", broker: "nats-server", database: "bin/postgres" };
export type Target = keyof typeof TARGETS;

export interface KillOptions {
  /** Processes to kill, one after the other. */
  readonly targets: readonly Target[];
  /** Random numbers 0..1 for the pauses between the kills. */
  readonly random: () => number;
  readonly say?: (line: string) => void;
}

/** Result for the songs; all counts but `kills`, `songs` and `retried` should be 0. */
export interface KillReport {
  readonly kills: number;
  readonly songs: number;
  readonly lost: number;
  readonly doubled: number;
  readonly notReady: number;
  /** Songs without exactly one audit row of their creation. */
  readonly wrongAudit: number;
  /** Steps that were finished more than once, or not at all. */
  readonly wrongSteps: number;
  readonly leftInBroker: number;
  readonly leftInOutbox: number;
  /** Partial files, and missing ones. */
  readonly wrongFiles: number;
  /**
   * Retries of songs whose step was killed three times, which the pipeline takes for a harmful file; an Admin would
   * retry them.
   */
  readonly retried: number;
  /**
   * Longest time from a kill to a response of the process, ms; for a worker until its jobs were requeued, unless a process
   * needed for that was killed meanwhile.
   */
  readonly slowestMs: Readonly<Partial<Record<Target, number>>>;
  /** Time from the last kill until every song was ready. */
  readonly settledMs: number;
}

const SONGS_AT_WORK = 4;
const SONG_SECONDS = 5;
const RECOVERY_MS = 60_000;
const SETTLE_MS = 180_000;
const FILES = [/^audio\.mp3$/, /^hybrid\.json$/, /^lighting\.\d+\.json$/];

/** Adds songs while processes of the product are killed, waits until all songs are ready, and counts. */
export async function sufferKills(product: Product, options: KillOptions): Promise<KillReport> {
  const { targets, random, say = () => {} } = options;
  const kills = targets.length;
  const running = JSON.parse(await readFile(join(product.dataDir, "running.json"), "utf8")) as { database: string };
  const sql = openDatabase(running.database, 2);
  const ids = new Set<string>();
  const slowestMs: Partial<Record<Target, number>> = {};
  let retried = 0;
  /** Number of the last kill of a process that others need. */
  let disturbed = 0;
  let isOver = false;

  try {
    const adding = addSongs();
    const recoveries = [];
    await until(() => ids.size > 0, RECOVERY_MS);
    for (const [i, target] of targets.entries()) {
      const kill = i + 1;
      const pids = await processesOn(product.dataDir, TARGETS[target]);
      const killedAt = performance.now();
      if (target !== "worker") disturbed = kill;
      for (const pid of pids) process.kill(pid, "SIGKILL");
      const recovered = recovery(target, pids).then(() => {
        const ms = Math.round(performance.now() - killedAt);
        if (disturbed <= kill) slowestMs[target] = Math.max(slowestMs[target] ?? 0, ms);
        say(`${kill} of ${kills}: ${target} recovered after ${ms} ms; ${ids.size} songs`);
      });
      recovered.catch(() => {}); // awaited below
      recoveries.push(recovered);
      // A worker's jobs are requeued later; other processes cannot be killed again before they respond.
      if (target !== "worker") await recovered;
      await pause(200 + random() * 4000);
    }
    const lastKillAt = performance.now();
    isOver = true;
    await adding;
    await Promise.all(recoveries);
    await until(async () => (await unfinished()) === 0, SETTLE_MS).catch(() => {}); // the counts show it
    const settledMs = Math.round(performance.now() - lastKillAt);
    await until(async () => (await leftInBroker()) === 0, 40_000).catch(() => {}); // likewise
    return { kills, retried, slowestMs, settledMs, ...(await count()) };
  } finally {
    isOver = true;
    await sql.end({ timeout: 2 });
  }

  /**
   * Uploads one file after the other, each until it gets a response: whether an upload without one succeeded is
   * unknown.
   */
  async function addSongs(): Promise<void> {
    for (let song = 0; !isOver || song === 0; song++) {
      const bytes = synthesiseSong(SONG_SECONDS, 90 + song / 16);
      for (let isTaken = false; !isTaken;) {
        isTaken = await upload(`song ${song}.wav`, bytes).catch(() => false); // the API is unavailable
        if (!isTaken) await pause(300);
      }
      while ((await unfinished()) >= SONGS_AT_WORK && !isOver) await pause(200);
    }
  }

  async function upload(name: string, bytes: Buffer): Promise<boolean> {
    const answer = await fetch(`${product.url}/api/songs/upload`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await product.token()}`,
        "content-type": "application/octet-stream",
        "x-file-name": encodeURIComponent(name),
      },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(20_000),
    });
    const { song } = (await answer.json()) as { song?: { id: string } };
    if (song) ids.add(song.id);
    return song !== undefined;
  }

  /** Returns the number of unfinished songs, and retries failed ones. */
  async function unfinished(): Promise<number> {
    const rows = await asked(
      () => sql<{ id: string; status: string; step: string }[]>`
        select id, error_message as status, case when analysis_status = 'error' then
          case when downloaded_at is null then 'download' else 'analysis' end else 'lighting' end as step
        from songs where lighting_status <> 'ready'`,
    );
    for (const { id, step } of rows.filter(({ status }) => status !== "")) {
      await product.call("music.v1.MusicService/RetrySong", { song_id: id, step }).then(
        () => retried++,
        () => {}, // The API is unavailable: retried at the next call.
      );
    }
    return rows.length;
  }

  async function recovery(target: Target, pids: readonly number[]): Promise<void> {
    if (target === "worker") {
      const workers = pids.map((pid) => `worker-${pid}-%`);
      const isTaken = async () =>
        (await asked(() => sql`select 1 from song_jobs where state = 'running' and worker like any(${workers})`))
          .length === 0;
      return until(isTaken, SETTLE_MS); // longer if the API that requeues them is killed as well
    }
    const isUp = async () => {
      const answer = await fetch(`${product.url}/health`, { signal: AbortSignal.timeout(2000) });
      const health = (await answer.json()) as { status: string };
      const isNew = (await processesOn(product.dataDir, TARGETS[target])).some((pid) => !pids.includes(pid));
      return isNew && health.status === "ok";
    };
    return until(() => isUp().catch(() => false), RECOVERY_MS);
  }

  async function leftInBroker(): Promise<number> {
    const headers = { authorization: `Bearer ${await product.token()}` };
    const metrics = await (await fetch(`${product.url}/metrics`, { headers })).text();
    const waiting = metrics.matchAll(/stream_messages\{stream="(?:SONGS|STEMS|RESPONSE_QUEUE)"\} (\d+)/g);
    return [...waiting].reduce((sum, [, messages]) => sum + Number(messages), 0);
  }

  async function count() {
    const [songs, steps, audits, [outbox]] = await Promise.all([
      sql<{ id: string; ready: boolean }[]>`
        select id, analysis_status = 'ready' and lighting_status = 'ready' as ready from songs`,
      sql<{ done: number; open: number }[]>`
        select count(*) filter (where state = 'done')::int as done,
          count(*) filter (where state in ('queued', 'running'))::int as open
        from song_jobs group by song_id, step`,
      sql<{ rows: number }[]>`
        select count(log.id)::int as rows from songs
        left join audit_log log on log.target = 'song ' || songs.id and log.action = 'song.created' group by songs.id`,
      sql<{ rows: number }[]>`select count(*)::int as rows from outbox`,
    ]);
    const stored = new Set(songs.map(({ id }) => id));
    let wrongFiles = 0;
    for (const id of stored) {
      const names = await readdir(join(product.dataDir, "songs", id));
      wrongFiles += names.filter((name) => name.includes(".tmp")).length;
      wrongFiles += FILES.filter((file) => !names.some((name) => file.test(name))).length;
    }
    return {
      songs: ids.size,
      lost: [...ids].filter((id) => !stored.has(id)).length,
      doubled: [...stored].filter((id) => !ids.has(id)).length,
      notReady: songs.filter(({ ready }) => !ready).length,
      wrongAudit: audits.filter(({ rows }) => rows !== 1).length,
      wrongSteps: steps.filter(({ done, open }) => done !== 1 || open > 0).length,
      leftInBroker: await leftInBroker(),
      leftInOutbox: outbox?.rows ?? 0,
      wrongFiles,
    };
  }
}

/** Repeats a query until the database, which may be killed as well, answers it. */
async function asked<Row>(question: () => PromiseLike<Row>): Promise<Row> {
  for (let tries = 1; ; tries++) {
    try {
      return await question();
    } catch (error) {
      if (tries === 100) throw error;
      await pause(200);
    }
  }
}
