import type { GroupType, JobStep, SongStep } from "@followspot/contract";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";

/** Columns of a `song_jobs` row that the song pipeline uses. */
export interface JobRow {
  readonly id: string;
  readonly song_id: string;
  readonly step: JobStep;
  readonly state: "queued" | "running" | "done" | "failed" | "cancelled";
  readonly attempt: number;
  readonly lease_token: string;
  /** Whether a worker currently holds the lease. */
  readonly leased: boolean;
  readonly corrections_revision: number;
  /** Number of the plan being made; 0 for other steps. */
  readonly plan_number: number;
  /** ID of the requesting user; null if the job followed another step. */
  readonly asked_by: string | null;
  /** Number of times the job has waited for disk space or for a site. */
  readonly waits: number;
  /** Whether the job is queued and still waiting for disk space or a site. */
  readonly is_waiting: boolean;
}

/** A job as shown to users. */
export interface StepRunRow extends Pick<JobRow, "step" | "state" | "attempt"> {
  readonly asked_by_name: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly error: string;
  readonly note: string;
}

/** Returns the jobs of a song, newest first. */
export function listStepRuns(db: Db, songId: string, limit: number): Promise<readonly StepRunRow[]> {
  return db<StepRunRow[]>`
    select job.step, job.state, job.attempt, users.name as asked_by_name, job.created_at, job.started_at, job.ended_at,
      job.error, job.note
    from song_jobs job left join users on users.id = job.asked_by
    where job.song_id = ${songId} order by job.created_at desc, job.id desc limit ${limit}`;
}

/** A job whose message must be published. */
export interface Doorbell {
  readonly id: string;
  readonly step: JobStep;
}

/** @returns false if the step is already queued or running */
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

/** @returns number of canceled jobs */
export async function cancelJobs(tx: Tx, songId: string, steps: readonly JobStep[]): Promise<number> {
  const ended = await tx`
    update song_jobs set state = 'cancelled', lease_token = '', ended_at = now()
    where song_id = ${songId} and step in ${tx([...steps])} and state in ('queued', 'running')`;
  return ended.count;
}

/**
 * Returns the queued job with the earliest of some steps, and among those the job of the oldest song; deleted songs are
 * excluded. The condition on the step is a range, because only the index `song_jobs_next` supports a range in the order
 * of step and song. With an equality, the database may scan all active jobs instead: 150 pages with 10,000 queued jobs,
 * for a step that has none.
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

/** Joins the first job of the same run of work: the latest job up to this one that did not follow another step. */
const firstOf = (db: Db) => db`
  lateral (
    select first.id as first_job_id, first.created_at as first_job_at from song_jobs first
    where first.song_id = job.song_id and first.id <= job.id
    order by first.step <> 'stems' and (first.asked_by is not null or first.step = 'download') desc, first.id desc limit 1
  ) begun`;

/** Returns the ID of that job; the job itself if it is the first. */
export async function firstJobOf(db: Db, jobId: string): Promise<string> {
  const [row] = await db<
    { first_job_id: string }[]
  >`select first_job_id from song_jobs job, ${firstOf(db)} where job.id = ${jobId}`;
  return row?.first_job_id ?? jobId;
}

/** Start and end times of a job, for its trace. */
export interface TracedJob extends Pick<JobRow, "id" | "song_id" | "step" | "state" | "attempt"> {
  readonly worker: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly first_job_id: string;
  readonly first_job_at: Date;
  /** Database clock at the time of reading. */
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

/** Returns the job that imported a song. */
export async function jobOfImport(db: Db, songId: string): Promise<TracedJob | undefined> {
  const [row] = await db<TracedJob[]>`
    select ${tracedColumns(db)} from song_jobs job, ${firstOf(db)} where job.song_id = ${songId} order by job.id limit 1`;
  return row;
}

export async function stepOfJob(db: Db, jobId: string): Promise<JobStep | undefined> {
  const [row] = await db<{ step: JobStep }[]>`select step from song_jobs where id = ${jobId}`;
  return row?.step;
}

/** Returns the song of a job, whose lock is taken first. */
export async function songOfJob(db: Db, jobId: string): Promise<string | undefined> {
  const [row] = await db<{ song_id: string }[]>`select song_id from song_jobs where id = ${jobId}`;
  return row?.song_id;
}

/** Locks a job until the transaction ends. Callers hold the lock of its song. */
export async function lockJob(tx: Tx, id: string): Promise<JobRow | undefined> {
  const [row] = await tx<JobRow[]>`
    select id, song_id, step, state, attempt, lease_token, corrections_revision, plan_number, asked_by,
      waits, not_before is not null as is_waiting, coalesce(lease_until > now(), false) as leased
    from song_jobs where id = ${id} for update`;
  return row;
}

/** A running job, for the worker that holds its lease. */
export interface LeasedJob extends Pick<JobRow, "id" | "song_id" | "step" | "attempt" | "plan_number"> {
  /** Link of the song; "" for an uploaded file. */
  readonly url: string;
  /** Length of the song in whole seconds; 0 if unknown. */
  readonly duration: number;
}

/** @returns undefined if the worker does not hold the lease */
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

/** Increments the attempt counter and starts the lease. */
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
  /** Whether progress or note differ from the previous heartbeat. */
  readonly moved: boolean;
}

/** @returns undefined if the lease is lost */
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
 * Limits leases and message times to what would be granted now. After the clock was set back they lie in the future,
 * and the lease of a dead worker would last as long as the clock was ahead.
 */
export async function shortenToNow(db: Db, leaseSeconds: number): Promise<void> {
  await db`
    update song_jobs set lease_until = least(lease_until, now() + make_interval(secs => ${leaseSeconds})),
      rung_at = least(rung_at, now())
    where state in ('queued', 'running')
      and (lease_until > now() + 2 * make_interval(secs => ${leaseSeconds}) or rung_at > now() + interval '1 minute')`;
}

/** Defers a step for a while; {@link wakeJobs} resumes it. */
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
 * Resumes deferred steps that are due and have enough disk space, oldest first. Space needed by steps that were resumed
 * earlier and have not ended is reserved.
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

/** Whether any deferred step is due; only then does the free disk space matter. */
export async function hasWaiting(db: Db): Promise<boolean> {
  const rows = await db`select 1 from song_jobs where state = 'queued' and not_before <= now() limit 1`;
  return rows.length > 0;
}

/**
 * Ends the deferral of a step immediately.
 * @returns the step; undefined if it is not deferred
 */
export async function hurryJob(tx: Tx, songId: string, step: JobStep): Promise<Doorbell | undefined> {
  const [job] = await tx<Doorbell[]>`
    update song_jobs set not_before = null, room_needed = 0, note = '', rung_at = now()
    where song_id = ${songId} and step = ${step} and state = 'queued' and not_before is not null returning id, step`;
  return job;
}

/** Returns running jobs with an expired lease. */
export async function expiredJobs(db: Db): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    select id from song_jobs where state = 'running' and lease_until < now() order by song_id, id`;
  return rows.map(({ id }) => id);
}

/** Counts queued and running jobs. Each has its own message in the broker until it ends. */
export async function countActive(db: Db): Promise<number> {
  const [row] = await db<{ jobs: number }[]>`
    select count(*)::int as jobs from song_jobs where state in ('queued', 'running') and not_before is null`;
  return row?.jobs ?? 0;
}

/** Returns queued jobs without a message for this long, and records a message for them now. */
export async function takeSilentJobs(tx: Tx, silentSeconds: number): Promise<readonly Doorbell[]> {
  return tx<Doorbell[]>`
    update song_jobs set rung_at = now()
    where state = 'queued' and not_before is null and rung_at < now() - make_interval(secs => ${silentSeconds})
    returning id, step`;
}

/**
 * Returns the songs that are not deleted, with the step at which their last job failed; undefined if it did not fail.
 */
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

/** Returns the groups that a plan has cues for. */
export async function planGroups(db: Db): Promise<readonly { readonly id: string; readonly type: GroupType }[]> {
  const groups = await db<{ id: string; type: GroupType }[]>`
    select id, type from light_groups where enabled order by id`;
  return groups.map(({ id, type }) => ({ id, type }));
}

/** Returns the IDs of all groups, which are the valid targets of a cue. */
export async function groupIds(db: Db): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`select id from light_groups`;
  return rows.map(({ id }) => id);
}
