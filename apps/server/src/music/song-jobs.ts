import { randomUUID } from "node:crypto";
import { ulid } from "ulid";
import {
  SONG_STEPS,
  subjects,
  type ClaimReply,
  type ClaimRequest,
  type GroupType,
  type HeartbeatReply,
  type HeartbeatRequest,
  type JobOutcome,
  type JobStep,
  type PlanInputs,
  type SongCorrections,
  type SongProgress,
  type StepResult,
} from "@followspot/contract";
import { asJson, type Db, type Sql, type Tx } from "../platform/database.ts";
import { postEvent, postMessage } from "../platform/outbox.ts";
import { findCorrections } from "./song-corrections.store.ts";
import { announceSong } from "./songs.store.ts";
import { LOCKS } from "../platform/locks.ts";

/** Starts a job may have before it is given up. */
export const MAX_ATTEMPTS = 3;
/** A worker that has not been heard of for this long has lost its job. */
export const LEASE_SECONDS = 10;
/** A queued job whose message may be gone is rung for again after this. */
const RING_AGAIN_SECONDS = 15;
const MAX_REASON = 500;
/** Puts one step on the line: job, status and doorbell in the caller's transaction. At most one is active. */
export async function startStep(tx: Tx, songId: string, step: JobStep): Promise<void> {
  const id = ulid();
  const made = await tx`
    insert into song_jobs (id, song_id, step, state) values (${id}, ${songId}, ${step}, 'queued')
    on conflict (song_id, step) where state in ('queued', 'running') do nothing`;
  if (made.count === 0) return;
  await postMessage(tx, subjects.job(step), { job_id: id });
  if (step === "stems") return;
  // While it waits, a step that follows others counts as processing, so that the badge never falls back.
  await tx`
    update songs set error_message = '', updated_at = now(),
      analysis_status = ${step === "download" ? "pending" : step === "analysis" ? "processing" : tx`analysis_status`},
      lighting_status = ${step === "lighting" ? "processing" : "pending"}
    where id = ${songId}`;
}

/** Ends the active jobs of a song; a worker on one of them learns it with its next heartbeat. */
export async function cancelSteps(
  tx: Tx,
  songId: string,
  steps: readonly JobStep[] = [...SONG_STEPS, "stems"],
): Promise<number> {
  const ended = await tx`
    update song_jobs set state = 'cancelled', lease_token = '', ended_at = now()
    where song_id = ${songId} and step in ${tx([...steps])} and state in ('queued', 'running')`;
  return ended.count;
}

/** Counts the attempt and grants the lease before any work starts. */
export async function claimJob(sql: Sql, request: ClaimRequest): Promise<ClaimReply> {
  return sql.begin(async (tx): Promise<ClaimReply> => {
    const [job] = await tx`
      select job.*, songs.url, songs.ytid, songs.title, songs.plan_seed, job.lease_until > now() as leased
      from song_jobs job join songs on songs.id = job.song_id
      where job.id = ${request.job_id} for update of job`;
    if (!job) return { kind: "skipped", reason: "the song is gone" };
    if (job.state === "running" && job.leased) return { kind: "busy", retry_after_ms: LEASE_SECONDS * 1000 };
    if (job.state !== "queued" && job.state !== "running")
      return { kind: "skipped", reason: `the job is ${job.state}` };
    if (job.attempt >= MAX_ATTEMPTS) {
      await giveUp(tx, job.id, job.step, DIED);
      return { kind: "skipped", reason: DIED };
    }
    const token = randomUUID();
    const corrected = job.step === "lighting" ? await findCorrections(tx, job.song_id) : undefined;
    await tx`
      update song_jobs set corrections_revision = ${corrected?.revision ?? 0}, state = 'running', attempt = attempt + 1, worker = ${request.worker}, progress = 0, note = '',
        lease_token = ${token}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where id = ${job.id}`;
    await announceSong(tx, job.song_id);
    return {
      kind: "granted",
      job: {
        job_id: job.id,
        song_id: job.song_id,
        step: job.step,
        attempt: job.attempt + 1,
        lease_token: token,
        lease_seconds: LEASE_SECONDS,
        url: job.ytid ? job.url : "",
        title: job.title,
        plan: job.step === "lighting" ? await planInputs(tx, job.plan_seed, corrected?.corrections ?? null) : null,
      },
    };
  });
}

const DIED =
  "This step stopped unexpectedly three times. The file may be harmful to the analysis; retry it, or try another copy.";

async function planInputs(db: Db, seed: number, corrections: SongCorrections | null): Promise<PlanInputs> {
  const groups = await db<
    { id: string; type: GroupType }[]
  >`select id, type from light_groups where enabled order by id`;
  return { groups: groups.map(({ id, type }) => ({ id, type })), user_seed: seed, corrections };
}

/** Keeps a lease and stores progress; a lost lease tells the worker to stop. */
export async function keepLease(sql: Sql, beat: HeartbeatRequest): Promise<HeartbeatReply> {
  const progress = Math.min(1, Math.max(0, Number.isFinite(beat.progress) ? beat.progress : 0));
  return sql.begin(async (tx): Promise<HeartbeatReply> => {
    const [job] = await tx`
      update song_jobs set progress = ${progress}, note = ${beat.note.slice(0, 200)},
        lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where id = ${beat.job_id} and lease_token = ${beat.lease_token} and state = 'running'
      returning song_id, step`;
    if (!job) return { kind: "lost" };
    if (job.step === "stems") return { kind: "kept" };
    const payload: SongProgress = { song_id: job.song_id, step: job.step, progress, note: beat.note.slice(0, 200) };
    await postEvent(tx, "songs", "song.progress", payload);
    return { kind: "kept" };
  });
}

/** Applies what a worker reports, by compare-and-set on its lease. A stale worker's result is refused. */
export async function settleJob(sql: Sql, report: JobOutcome): Promise<"applied" | "stale"> {
  return sql.begin(async (tx) => {
    const [job] = await tx`
      select * from song_jobs
      where id = ${report.job_id} and lease_token = ${report.lease_token} and state = 'running' for update`;
    if (!job) return "stale";
    const { outcome } = report;
    switch (outcome.kind) {
      case "done":
        await tx`update song_jobs set state = 'done', progress = 1, lease_token = '', ended_at = now() where id = ${job.id}`;
        await storeResult(tx, job.song_id, job.step, outcome.result);
        break;
      case "released":
        await queueAgain(tx, job.id, job.step, Math.max(0, job.attempt - 1));
        break;
      case "failed":
        if (outcome.retry && job.attempt < MAX_ATTEMPTS) await queueAgain(tx, job.id, job.step, job.attempt);
        else await giveUp(tx, job.id, job.step, outcome.reason);
        break;
      default:
        outcome satisfies never;
    }
    if (job.step === "lighting") await planAgainIfCorrected(tx, job.song_id, job.corrections_revision);
    await announceSong(tx, job.song_id);
    return "applied";
  });
}

/** What each finished step changes, and which step follows. */
async function storeResult(tx: Tx, songId: string, step: JobStep, result: StepResult): Promise<void> {
  if (step === "download") {
    await tx`
      update songs set downloaded_at = now(), updated_at = now(),
        title = case when ${result.title ?? ""} <> '' and (title = '' or title = url) then ${result.title ?? ""} else title end,
        artist = case when artist = '' then ${result.artist ?? ""} else artist end,
        image_url = case when ${result.image_url ?? ""} <> '' then ${result.image_url ?? ""} else image_url end,
        duration = ${wholeSeconds(result.duration)}, source_warnings = ${asJson(tx, result.warnings ?? [])}
      where id = ${songId}`;
    await startStep(tx, songId, "analysis");
  } else if (step === "analysis") {
    await tx`
      update songs set analysis_status = 'ready', updated_at = now(), duration = ${wholeSeconds(result.duration)},
        tempo = ${result.tempo ?? 0}, musical_key = ${result.key ?? ""}, stems_generated = false,
        warnings = ${asJson(tx, result.warnings ?? [])}
      where id = ${songId}`;
    await startStep(tx, songId, "lighting");
    if (result.wants_stems) await startStep(tx, songId, "stems");
  } else if (step === "stems") {
    await tx`update songs set stems_generated = true, updated_at = now() where id = ${songId}`;
  } else {
    await tx`
      update songs set lighting_status = 'ready', updated_at = now(), palette = ${asJson(tx, result.palette ?? [])},
        tempo = coalesce(${result.tempo ?? null}::double precision, tempo)
      where id = ${songId}`;
  }
}

/** As players count: 157.8 s last 2:37. 0 is a song of unknown length, so the shortest has one. */
function wholeSeconds(duration = 0): number {
  return duration > 0 ? Math.max(1, Math.floor(duration)) : 0;
}

/** A plan tried on corrections that were replaced meanwhile is nobody's plan: the next one follows, if it is not queued. */
async function planAgainIfCorrected(tx: Tx, songId: string, plannedOn: number): Promise<void> {
  // The row lock waits for a save that is under way, which would not see this job as ended.
  await tx`select 1 from songs where id = ${songId} for update`;
  const stored = await findCorrections(tx, songId);
  if ((stored?.revision ?? 0) !== plannedOn) await startStep(tx, songId, "lighting");
}

async function queueAgain(tx: Tx, jobId: string, step: JobStep, attempt: number): Promise<void> {
  await tx`
    update song_jobs set state = 'queued', attempt = ${attempt}, lease_token = '', lease_until = null, progress = 0, rung_at = now()
    where id = ${jobId}`;
  await postMessage(tx, subjects.job(step), { job_id: jobId });
}

/** The end of a job that failed for good: job, song and a record for the operator. */
async function giveUp(tx: Tx, jobId: string, step: JobStep, why: string): Promise<void> {
  const reason = why.slice(0, MAX_REASON);
  const [job] = await tx`
    update song_jobs set state = 'failed', error = ${reason}, lease_token = '', ended_at = now()
    where id = ${jobId} returning song_id, attempt`;
  if (!job) return;
  if (step !== "stems") {
    const failed =
      step === "lighting" ? tx`lighting_status = 'error'` : tx`analysis_status = 'error', lighting_status = 'pending'`;
    await tx`update songs set ${failed}, error_message = ${reason}, updated_at = now() where id = ${job.song_id}`;
  }
  const [song] = await tx`select title from songs where id = ${job.song_id}`;
  const record = {
    song_id: job.song_id,
    title: song?.title ?? "",
    step,
    attempt: job.attempt,
    reason,
    at: new Date().toISOString(),
  };
  await postMessage(tx, subjects.failure(step), record);
  await announceSong(tx, job.song_id);
}

interface Swept {
  readonly expired: number;
  readonly rung: number;
  /** Jobs nobody will work on again: what they left half-written can go. */
  readonly givenUp: readonly { readonly song_id: string; readonly step: JobStep }[];
}

/**
 * Brings back what a crash left: jobs whose lease ran out are queued again or given up, and queued
 * jobs are rung for again when the broker holds fewer messages than there are queued jobs.
 */
export async function sweepJobs(sql: Sql, messagesWaiting: number | undefined): Promise<Swept> {
  return sql.begin(async (tx) => {
    const [lock] = await tx`select pg_try_advisory_xact_lock(${LOCKS.sweep}) as mine`;
    if (!lock?.mine) return { expired: 0, rung: 0, givenUp: [] };
    const expired = await tx<{ id: string; song_id: string; step: JobStep; attempt: number }[]>`
      select id, song_id, step, attempt from song_jobs
      where state = 'running' and lease_until < now() for update skip locked`;
    const isHopeless = (job: { attempt: number }) => job.attempt >= MAX_ATTEMPTS;
    for (const job of expired) {
      if (isHopeless(job)) await giveUp(tx, job.id, job.step, DIED);
      else await queueAgain(tx, job.id, job.step, job.attempt);
      await announceSong(tx, job.song_id);
    }
    const givenUp = expired.filter(isHopeless);
    const [queued] = await tx`select count(*)::int as jobs from song_jobs where state = 'queued'`;
    if (messagesWaiting === undefined || messagesWaiting >= (queued?.jobs ?? 0))
      return { expired: expired.length, rung: 0, givenUp };
    const silent = await tx`
      update song_jobs set rung_at = now()
      where state = 'queued' and rung_at < now() - make_interval(secs => ${RING_AGAIN_SECONDS})
      returning id, step`;
    for (const job of silent) await postMessage(tx, subjects.job(job.step), { job_id: job.id });
    return { expired: expired.length, rung: silent.length, givenUp };
  });
}
