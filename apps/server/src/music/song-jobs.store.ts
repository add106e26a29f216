import type { GroupType, JobStep, SongStep } from "@followspot/contract";
import type { Db, Sql, Tx } from "../platform/database.ts";

/** A row of `song_jobs`, as far as the song pipeline reads it. */
export interface JobRow {
  readonly id: string;
  readonly song_id: string;
  readonly step: JobStep;
  readonly state: "queued" | "running" | "done" | "failed" | "cancelled";
  readonly attempt: number;
  readonly lease_token: string;
  /** Whether a worker holds the lease right now. */
  readonly leased: boolean;
  readonly corrections_revision: number;
  /** Number the plan at work will have; 0 for other steps. */
  readonly plan_number: number;
  /** Id of who asked for it; null when it followed another step. */
  readonly asked_by: string | null;
  /** How often it has waited for room or for a site. */
  readonly waits: number;
  /** It is queued and waits still. */
  readonly is_waiting: boolean;
}

/** A job as a person reads of it. */
export interface StepRunRow extends Pick<JobRow, "step" | "state" | "attempt"> {
  readonly asked_by_name: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly error: string;
  readonly note: string;
}

/** Newest first. */
export function listStepRuns(db: Db, songId: string, limit: number): Promise<readonly StepRunRow[]> {
  return db<StepRunRow[]>`
    select job.step, job.state, job.attempt, users.name as asked_by_name, job.created_at, job.started_at, job.ended_at,
      job.error, job.note
    from song_jobs job left join users on users.id = job.asked_by
    where job.song_id = ${songId} order by job.created_at desc, job.id desc limit ${limit}`;
}

/** A job whose doorbell has to be rung. */
export interface Doorbell {
  readonly id: string;
  readonly step: JobStep;
}

/** @returns false when the step is queued or at work already */
export async function insertJob(
  tx: Tx,
  job: { readonly id: string; readonly songId: string; readonly step: JobStep; readonly askedBy: string | null },
): Promise<boolean> {
  const made = await tx`
    insert into song_jobs (id, song_id, step, state, asked_by)
    values (${job.id}, ${job.songId}, ${job.step}, 'queued', ${job.askedBy})
    on conflict (song_id, step, community_id) where state in ('queued', 'running') do nothing`;
  return made.count === 1;
}

export async function isStepActive(db: Db, songId: string, step: JobStep): Promise<boolean> {
  const rows = await db`
    select 1 from song_jobs where song_id = ${songId} and step = ${step} and state in ('queued', 'running')`;
  return rows.length > 0;
}

/** @returns how many jobs were ended */
export async function cancelJobs(tx: Tx, songId: string, steps: readonly JobStep[]): Promise<number> {
  const ended = await tx`
    update song_jobs set state = 'cancelled', lease_token = '', ended_at = now()
    where song_id = ${songId} and step in ${tx([...steps])} and state in ('queued', 'running')`;
  return ended.count;
}

/**
 * The queued job of the earliest of some steps, of those the oldest song's; deleted songs left out. A step is looked for as a
 * range, in the order of step and song, which no index but `song_jobs_next` has: of one step by song, the database may as well
 * walk all active jobs (150 pages where 10,000 wait, for a step of which none does).
 */
export async function nextQueued(db: Db, steps: readonly JobStep[]): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select next.id from unnest(${steps as JobStep[]}::text[]) with ordinality as wanted (step, place)
      cross join lateral (
        select job.id from song_jobs job join songs song on song.id = job.song_id and song.deleted_at is null
        where job.step between wanted.step and wanted.step and job.state = 'queued' and job.not_before is null
        order by job.step, job.song_id limit 1
      ) next
    order by wanted.place limit 1`;
  return row?.id;
}

/** The job that the work on a song began with which a job belongs to: the last one up to it that no step asked for. */
const firstOf = (db: Db) => db`
  lateral (
    select first.id as first_job_id, first.created_at as first_job_at from song_jobs first
    where first.song_id = job.song_id and first.id <= job.id
    order by first.step <> 'stems' and (first.asked_by is not null or first.step = 'download') desc, first.id desc limit 1
  ) begun`;

/** Id of that job; the job itself where no other began it. */
export async function firstJobOf(db: Db, jobId: string): Promise<string> {
  const [row] = await db<
    { first_job_id: string }[]
  >`select first_job_id from song_jobs job, ${firstOf(db)} where job.id = ${jobId}`;
  return row?.first_job_id ?? jobId;
}

/** When a job began and ended, for its trace. */
export interface TracedJob extends Pick<JobRow, "id" | "song_id" | "step" | "state" | "attempt"> {
  readonly worker: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly first_job_id: string;
  readonly first_job_at: Date;
  /** Clock of the database when it was read. */
  readonly now: Date;
}

const tracedColumns = (db: Db) => db`
  job.id, job.song_id, job.step, job.state, job.attempt, job.worker, job.created_at, job.started_at, job.ended_at,
  first_job_id, first_job_at, clock_timestamp() as now`;

export async function tracedJob(db: Db, jobId: string): Promise<TracedJob | undefined> {
  const [row] = await db<TracedJob[]>`
    select ${tracedColumns(db)} from song_jobs job, ${firstOf(db)} where job.id = ${jobId}`;
  return row;
}

/** The job that a song came in with. */
export async function jobOfImport(db: Db, songId: string): Promise<TracedJob | undefined> {
  const [row] = await db<TracedJob[]>`
    select ${tracedColumns(db)} from song_jobs job, ${firstOf(db)} where job.song_id = ${songId} order by job.id limit 1`;
  return row;
}

export async function stepOfJob(db: Db, jobId: string): Promise<JobStep | undefined> {
  const [row] = await db<{ step: JobStep }[]>`select step from song_jobs where id = ${jobId}`;
  return row?.step;
}

/** The song a job belongs to, to take its lock first. */
export async function songOfJob(db: Db, jobId: string): Promise<string | undefined> {
  const [row] = await db<{ song_id: string }[]>`select song_id from song_jobs where id = ${jobId}`;
  return row?.song_id;
}

/** The job, held until the transaction ends. Callers hold its song. */
export async function lockJob(tx: Tx, id: string): Promise<JobRow | undefined> {
  const [row] = await tx<JobRow[]>`
    select id, song_id, step, state, attempt, lease_token, corrections_revision, plan_number, asked_by,
      waits, not_before is not null as is_waiting, coalesce(lease_until > now(), false) as leased
    from song_jobs where id = ${id} for update`;
  return row;
}

/** A job at work, for the worker that holds its lease. */
export interface LeasedJob extends Pick<JobRow, "id" | "song_id" | "step" | "attempt" | "plan_number"> {
  /** Of the song; "" for an uploaded file. */
  readonly url: string;
  /** Whole seconds of the song; 0 while that is not known. */
  readonly duration: number;
}

/** @returns undefined for a worker without the lease */
export async function findLeasedJob(
  db: Db,
  lease: { readonly jobId: string; readonly token: string; readonly worker: string },
): Promise<LeasedJob | undefined> {
  const [row] = await db<LeasedJob[]>`
    select job.id, job.song_id, job.step, job.attempt, job.plan_number, song.url, song.duration
    from song_jobs job join songs song on song.id = job.song_id and song.deleted_at is null
    where job.id = ${lease.jobId} and job.worker = ${lease.worker} and job.state = 'running'
      and job.lease_token = ${lease.token}`;
  return row;
}

/** Counts the attempt and starts the lease. */
export async function grantLease(
  tx: Tx,
  id: string,
  lease: {
    readonly token: string;
    readonly worker: string;
    readonly seconds: number;
    readonly revision: number;
    readonly planNumber: number;
  },
): Promise<void> {
  await tx`
    update song_jobs set state = 'running', attempt = attempt + 1, worker = ${lease.worker}, progress = 0, note = '',
      started_at = now(), corrections_revision = ${lease.revision}, plan_number = ${lease.planNumber}, lease_token = ${lease.token},
      lease_until = now() + make_interval(secs => ${lease.seconds})
    where id = ${id}`;
}

interface KeptLease {
  readonly song_id: string;
  readonly step: JobStep;
  /** Whether progress or note differ from the beat before. */
  readonly moved: boolean;
}

/** @returns undefined when the lease is lost */
export async function renewLease(
  tx: Tx,
  beat: { readonly id: string; readonly token: string; readonly progress: number; readonly note: string },
  seconds: number,
): Promise<KeptLease | undefined> {
  const [row] = await tx<KeptLease[]>`
    update song_jobs job set progress = ${beat.progress}, note = ${beat.note},
      lease_until = now() + make_interval(secs => ${seconds})
    from (select id, progress, note from song_jobs where id = ${beat.id} for update) old
    where job.id = old.id and job.lease_token = ${beat.token} and job.state = 'running'
    returning job.song_id, job.step, (job.progress, job.note) is distinct from (old.progress, old.note) as moved`;
  return row;
}

export async function endJob(tx: Tx, id: string, state: "done" | "failed", error = ""): Promise<void> {
  await tx`
    update song_jobs set state = ${state}, error = ${error}, lease_token = '', ended_at = now(),
      progress = case when ${state === "done"} then 1 else progress end
    where id = ${id}`;
}

export async function requeueJob(tx: Tx, id: string, attempt: number): Promise<void> {
  await tx`
    update song_jobs set state = 'queued', attempt = ${attempt}, lease_token = '', lease_until = null, progress = 0,
      rung_at = now()
    where id = ${id}`;
}

/**
 * A clock that was set back leaves leases and rings in the future: of a worker that is dead by then the lease would stand
 * for as long as the clock was ahead. None is longer from now on than one that is given now.
 */
export async function shortenToNow(db: Db, leaseSeconds: number): Promise<void> {
  await db`
    update song_jobs set lease_until = least(lease_until, now() + make_interval(secs => ${leaseSeconds})),
      rung_at = least(rung_at, now())
    where state in ('queued', 'running')
      and (lease_until > now() + 2 * make_interval(secs => ${leaseSeconds}) or rung_at > now() + interval '1 minute')`;
}

/** Puts a step aside for a while; {@link wakeJobs} brings it back. */
export async function parkJob(
  tx: Tx,
  id: string,
  wait: { readonly attempt: number; readonly seconds: number; readonly room: number; readonly note: string },
): Promise<void> {
  await tx`
    update song_jobs set state = 'queued', attempt = ${wait.attempt}, lease_token = '', lease_until = null, progress = 0,
      note = ${wait.note}, waits = waits + 1, room_needed = ${wait.room},
      not_before = now() + make_interval(secs => ${wait.seconds})
    where id = ${id}`;
}

/**
 * Brings back steps whose time has come and that have room: the oldest first, and no more than the room is enough for
 * beside those that were brought back before and have not ended.
 */
export async function wakeJobs(tx: Tx, freeBytes: number): Promise<readonly WaitingJob[]> {
  const [{ taken } = { taken: 0 }] = await tx<{ taken: number }[]>`
    select coalesce(sum(room_needed), 0)::float8 as taken from song_jobs
    where state = 'running' or (state = 'queued' and not_before is null)`;
  const due = await tx<WaitingJob[]>`
    select id, step, song_id, room_needed::float8 as room_needed from song_jobs
    where state = 'queued' and not_before <= now() order by song_id, id for update skip locked`;
  let left = freeBytes - taken;
  const woken = due.filter(({ room_needed }) => {
    const fits = room_needed === 0 || room_needed <= left;
    if (fits) left -= room_needed;
    return fits;
  });
  await tx`update song_jobs set not_before = null, rung_at = now() where id = any(${woken.map(({ id }) => id)})`;
  return woken;
}

interface WaitingJob extends Doorbell {
  readonly song_id: string;
  readonly room_needed: number;
}

/** Whether the time of any step that waits has come: only then it matters how much room there is. */
export async function hasWaiting(db: Db): Promise<boolean> {
  const rows = await db`select 1 from song_jobs where state = 'queued' and not_before <= now() limit 1`;
  return rows.length > 0;
}

/** Ends the waiting of a step at once. @returns the step; undefined when it does not wait */
export async function hurryJob(tx: Tx, songId: string, step: JobStep): Promise<Doorbell | undefined> {
  const [job] = await tx<Doorbell[]>`
    update song_jobs set not_before = null, room_needed = 0, note = '', rung_at = now()
    where song_id = ${songId} and step = ${step} and state = 'queued' and not_before is not null returning id, step`;
  return job;
}

/** Running jobs whose lease ran out. */
export async function expiredJobs(db: Db): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    select id from song_jobs where state = 'running' and lease_until < now() order by song_id, id`;
  return rows.map(({ id }) => id);
}

/** Jobs that are to be done or at work: each has a message of its own in the broker until it ends. */
export async function countActive(db: Db): Promise<number> {
  const [row] = await db<{ jobs: number }[]>`
    select count(*)::int as jobs from song_jobs where state in ('queued', 'running') and not_before is null`;
  return row?.jobs ?? 0;
}

/** Queued jobs that were not rung for since, which counts as done by this call. */
export async function takeSilentJobs(tx: Tx, silentSeconds: number): Promise<readonly Doorbell[]> {
  return tx<Doorbell[]>`
    update song_jobs set rung_at = now()
    where state = 'queued' and not_before is null and rung_at < now() - make_interval(secs => ${silentSeconds})
    returning id, step`;
}

/** Songs of these that are not deleted, with the step their last job failed at; undefined where it did not fail. */
export async function failedSteps(db: Db, songIds: readonly string[]): Promise<Map<string, SongStep | undefined>> {
  const rows = await db<{ id: string; failed: SongStep | null }[]>`
    select song.id, case when job.state = 'failed' then job.step end as failed
    from songs song left join lateral (
      select step, state from song_jobs where song_id = song.id and step <> 'stems' order by created_at desc, id desc limit 1
    ) job on true
    where song.id = any(${songIds as string[]}) and song.deleted_at is null`;
  return new Map(rows.map(({ id, failed }) => [id, failed ?? undefined]));
}

export async function latestAttempt(sql: Sql, songId: string): Promise<number> {
  const [job] = await sql<{ attempt: number }[]>`
    select attempt from song_jobs where song_id = ${songId} order by created_at desc limit 1`;
  return job?.attempt ?? 0;
}

/** The groups a plan is made for. */
export async function planGroups(db: Db): Promise<readonly { readonly id: string; readonly type: GroupType }[]> {
  const groups = await db<{ id: string; type: GroupType }[]>`
    select id, type from light_groups where enabled order by id`;
  return groups.map(({ id, type }) => ({ id, type }));
}

/** Every group there is: what a cue may be for. */
export async function groupIds(db: Db): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`select id from light_groups`;
  return rows.map(({ id }) => id);
}
