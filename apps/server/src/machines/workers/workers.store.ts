import type { DownloaderState, JobStep, WorkerHello } from "@followspot/contract";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";

/** A row of `workers`, without its token. */
export interface WorkerRow {
  readonly id: string;
  readonly name: string;
  /** Name of the admin who added it; null once that user is purged. */
  readonly added_by_name: string | null;
  readonly added_at: Date;
  readonly revoked_at: Date | null;
  /** Last hello; null before the first start. */
  readonly seen_at: Date | null;
  /** Whether its last hello is at most {@link AWAY_SECONDS} old. */
  readonly is_here: boolean;
  /** Process that holds the token now; "" before the first start. */
  readonly instance: string;
  readonly version: string;
  readonly protocol: number;
  readonly cores: number;
  readonly steps: readonly JobStep[];
  /** Why its last result was invalid; "" if it was valid. */
  readonly fault: string;
  readonly set_aside_at: Date | null;
}

/** Time without a hello after which a worker counts as away, s: two and a half intervals. */
const AWAY_SECONDS = 25;
/** Number of consecutive invalid results after which a worker is suspended. */
export const MOST_UNUSABLE = 3;

const columns = (db: Db) => db`
  w.id, w.name, u.name as added_by_name, w.added_at, w.revoked_at, w.seen_at, w.instance, w.version, w.protocol, w.cores,
  w.steps, w.fault, w.set_aside_at,
  coalesce(w.seen_at > now() - make_interval(secs => ${AWAY_SECONDS}), false) as is_here`;
const table = (db: Db) => db`workers w left join users u on u.id = w.added_by`;

/** Returns the worker with a token, unless it was revoked. */
export async function findByToken(db: Db, tokenHash: string): Promise<WorkerRow | undefined> {
  const [row] = await db<WorkerRow[]>`
    select ${columns(db)} from ${table(db)} where w.token_hash = ${tokenHash} and w.revoked_at is null`;
  return row;
}

export async function findWorker(db: Db, id: string): Promise<WorkerRow | undefined> {
  const [row] = await db<WorkerRow[]>`
    select ${columns(db)} from ${table(db)} where w.id = ${id} and w.revoked_at is null`;
  return row;
}

/** Locks a worker until the transaction ends; undefined if there is none or it was revoked. */
export async function lockWorker(tx: Tx, id: string): Promise<WorkerRow | undefined> {
  const [row] = await tx<WorkerRow[]>`
    select ${columns(tx)} from ${table(tx)} where w.id = ${id} and w.revoked_at is null for update of w`;
  return row;
}

/** Returns all workers that were not revoked, by name. */
export async function listWorkers(db: Db): Promise<readonly WorkerRow[]> {
  return db<WorkerRow[]>`
    select ${columns(db)} from ${table(db)} where w.revoked_at is null order by lower(w.name), w.id`;
}

/** @returns false if the name is taken */
export async function insertWorker(
  tx: Tx,
  worker: { readonly id: string; readonly name: string; readonly tokenHash: string; readonly addedBy: string },
): Promise<boolean> {
  const made = await tx`
    insert into workers (id, name, token_hash, added_by)
    values (${worker.id}, ${worker.name}, ${worker.tokenHash}, ${worker.addedBy})
    on conflict (lower(name), community_id) where revoked_at is null do nothing`;
  return made.count === 1;
}

/** @returns false if the name is taken */
export async function renameWorker(tx: Tx, id: string, name: string): Promise<boolean> {
  const renamed = await tx`
    update workers set name = ${name} where id = ${id} and not exists (
      select 1 from workers where lower(name) = lower(${name}) and id <> ${id} and revoked_at is null)`;
  return renamed.count === 1;
}

export async function revokeWorker(tx: Tx, id: string): Promise<void> {
  await tx`update workers set revoked_at = now() where id = ${id}`;
}

export async function letWorkerWork(tx: Tx, id: string): Promise<void> {
  await tx`update workers set set_aside_at = null, unusable_results = 0, fault = '' where id = ${id}`;
}

/** Stores a worker's hello. The first hello of a process takes the token over from the previous process. */
export async function storeHello(db: Db, id: string, instance: string, hello: WorkerHello): Promise<void> {
  await db`
    update workers set seen_at = now(), instance = ${instance}, version = ${hello.version},
      protocol = ${hello.protocol}, cores = ${hello.cores}, steps = ${hello.steps},
      downloader = ${hello.downloader ? asJson(db, hello.downloader) : null}
    where id = ${id}`;
}

/** Counts a result; a valid one resets the count of invalid ones. @param fault why it is invalid, or "" */
export async function noteResult(db: Db, id: string, fault: string): Promise<void> {
  await db`
    update workers set fault = ${fault},
      unusable_results = case when ${fault} = '' then 0 else unusable_results + 1 end,
      set_aside_at = case when ${fault} <> '' and unusable_results + 1 >= ${MOST_UNUSABLE} then coalesce(set_aside_at, now()) end
    where id = ${id}`;
}

/** Returns the workers that are present and may be granted jobs, with their downloaders. */
export async function workersHere(db: Db): Promise<readonly { id: string; downloader?: DownloaderState }[]> {
  const rows = await db<{ name: string; downloader: DownloaderState | null }[]>`
    select name, downloader from workers
    where revoked_at is null and set_aside_at is null and seen_at > now() - make_interval(secs => ${AWAY_SECONDS})
    order by lower(name)`;
  return rows.map(({ name, downloader }) => ({ id: name, ...(downloader && { downloader }) }));
}

/** A step that a worker is running now. */
export interface TaskRow {
  readonly worker: string;
  readonly song_id: string;
  readonly title: string;
  readonly step: JobStep;
  readonly progress: number;
  readonly note: string;
}

export async function listTasks(db: Db): Promise<readonly TaskRow[]> {
  return db<TaskRow[]>`
    select job.worker, job.song_id, song.title, job.step, job.progress, job.note
    from song_jobs job join songs song on song.id = job.song_id
    where job.state = 'running' order by job.started_at, job.id`;
}

/** Returns, by worker, the number of songs with a step it completed since then. */
export async function songsDone(db: Db, since: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ worker: string; songs: number }[]>`
    select worker, count(distinct song_id)::int as songs from song_jobs
    where state = 'done' and ended_at >= ${since} group by worker`;
  return new Map(rows.map(({ worker, songs }) => [worker, songs]));
}
