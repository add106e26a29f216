import { randomUUID } from "node:crypto";
import { newId } from "../../platform/database/ids.ts";
import {
  SONG_STEPS,
  STREAMS,
  subjects,
  type ClaimReply,
  type ClaimRequest,
  type HeartbeatReply,
  type HeartbeatRequest,
  type JobOutcome,
  type JobStep,
  type PlanInputs,
  type SongProgress,
  type StepResult,
} from "@followspot/contract";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { postMessage, tell } from "../../platform/database/outbox.ts";
import { transact } from "../../platform/database/transaction.ts";
import { keepPlan } from "./keep-plan.ts";
import { beginPlan, keptNumbers } from "../catalog/plan-revisions.store.ts";

import { findCorrections, type StoredCorrections } from "../catalog/song-corrections.store.ts";
import { isQueuePaused } from "./queue-pauses.store.ts";
import { eveningOf } from "../queue/song-evening.ts";
import * as store from "./song-jobs.store.ts";
import type { JobRow } from "./song-jobs.store.ts";
import { findPaletteChoice } from "../catalog/song-palettes.store.ts";
import { findWishes } from "../catalog/song-wishes.store.ts";
import { announceSong, lockSong, mayTouchFiles, updateSong, type SongRow } from "../catalog/songs.store.ts";

/** Most attempts of a job before it fails. */
export const MAX_ATTEMPTS = 3;
/** Lease duration, s. The job of a silent worker is requeued after this time plus one sweep, within ten seconds. */
export const LEASE_SECONDS = 8;
/**
 * Age after which the message of a queued job is published again in case it was lost, s; with the sweep well within ten
 * seconds.
 */
const RING_AGAIN_SECONDS = 3;
/** Delays after a site asks the server to slow down, minutes; after the last one the step fails. */
const SITE_MINUTES = [2, 5, 15, 30, 60];
/**
 * A step that fails for lack of disk space although there was some requests twice as much, at growing intervals; then
 * it fails. Bytes, seconds and number of waits.
 */
const MOST_ROOM = 8e9;
const MOST_ROOM_SECONDS = 600;
const MOST_ROOM_WAITS = 20;
const MAX_REASON = 500;
const MAX_NOTE = 200;

/**
 * Queues one step: job, status and message in the caller's transaction. At most one job per step of a song is active.
 * Callers hold the song's lock.
 *
 * @param askedBy ID of the requesting user; undefined if the step follows another one
 */
export async function startStep(tx: Tx, songId: string, step: JobStep, askedBy?: string): Promise<void> {
  const id = newId();
  if (!(await store.insertJob(tx, { id, songId, step, askedBy: askedBy ?? null }))) return;
  await postMessage(tx, subjects.job(step), { job_id: id });
  if (step === "stems") return;
  // A step that follows others counts as processing while it is queued, so that the badge never goes back.
  await updateSong(tx, songId, {
    error_message: "",
    lighting_status: step === "lighting" ? "processing" : "pending",
    ...(step === "download" && { analysis_status: "pending" }),
    ...(step === "analysis" && { analysis_status: "processing" }),
  });
}

/**
 * Cancels the active jobs of a song. A worker running one of them is notified with its next heartbeat. Callers hold the
 * song's lock.
 */
export async function cancelSteps(
  tx: Tx,
  songId: string,
  steps: readonly JobStep[] = [...SONG_STEPS, "stems"],
): Promise<number> {
  return store.cancelJobs(tx, songId, steps);
}

/** Steps by queue, those closest to a finished show first. */
const STEPS_OF = { songs: SONG_STEPS.toReversed(), stems: ["stems"] } as const;

/**
 * Grants the queued job closest to completion among all jobs in the stream of a message. A message only signals that
 * there is work; the job is chosen now. The first of many songs therefore has its show while the last is still waiting
 * for its download.
 */
export async function claimNext(sql: Sql, request: ClaimRequest): Promise<ClaimReply> {
  const step = await store.stepOfJob(sql, request.job_id);
  if (step === undefined) return claimJob(sql, request);
  const steps = STEPS_OF[step === "stems" ? "stems" : "songs"];
  return (await claimAmong(sql, request.worker, steps)) ?? claimJob(sql, request);
}

/**
 * Grants the queued job closest to completion among some steps of one queue.
 * @returns undefined if none is queued
 */
export async function claimAmong(
  sql: Sql,
  worker: string,
  steps: readonly JobStep[],
): Promise<Exclude<ClaimReply, { readonly kind: "skipped" }> | undefined> {
  const queue = steps.includes("stems") ? "stems" : "songs";
  if (await isQueuePaused(sql, STREAMS[queue].name)) return PAUSED;
  for (;;) {
    const next = await store.nextQueued(
      sql,
      STEPS_OF[queue].filter((step) => steps.includes(step)),
    );
    if (next === undefined) return undefined;
    const reply = await claimJob(sql, { job_id: next, worker });
    if (reply.kind === "granted" || reply === NOT_NOW) return reply;
    // Another worker claimed it first, or it failed; in both cases it is no longer queued.
  }
}

/** Reply while a backup is listing files. */
const NOT_NOW = { kind: "busy", retry_after_ms: 500 } as const;
/** Reply while the queue is paused: the last worker resumes this long after the pause ends. */
const PAUSED = { kind: "busy", retry_after_ms: 3000 } as const;

/** Increments the attempt counter and grants the lease before any work starts. */
export async function claimJob(sql: Sql, request: ClaimRequest): Promise<ClaimReply> {
  return transact(sql, async (tx): Promise<ClaimReply> => {
    if (!(await mayTouchFiles(tx))) return NOT_NOW;
    const { song, job } = await lockSongAndJob(tx, request.job_id);
    if (!song || !job) return { kind: "skipped", reason: "the song was deleted" };
    if (job.state === "running" && job.leased) return { kind: "busy", retry_after_ms: LEASE_SECONDS * 1000 };
    if (job.is_waiting) return { kind: "skipped", reason: "the job waits, and is rung for again" };
    if (job.state !== "queued" && job.state !== "running")
      return { kind: "skipped", reason: `the job is ${job.state}` };
    if (job.attempt >= MAX_ATTEMPTS) {
      await giveUp(tx, song, job, DIED);
      await announceSong(tx, song.id);
      return { kind: "skipped", reason: DIED };
    }
    const token = randomUUID();
    const corrected = job.step === "lighting" ? await findCorrections(tx, song.id) : undefined;
    const plan = job.step === "lighting" ? await planInputs(tx, song.id, corrected) : null;
    await store.grantLease(tx, job.id, {
      token,
      worker: request.worker,
      seconds: LEASE_SECONDS,
      revision: corrected?.revision ?? 0,
      planNumber: plan?.number ?? 0,
    });
    await announceSong(tx, song.id);
    return {
      kind: "granted",
      job: {
        job_id: job.id,
        song_id: song.id,
        step: job.step,
        attempt: job.attempt + 1,
        lease_token: token,
        lease_seconds: LEASE_SECONDS,
        first_job_id: await store.firstJobOf(tx, job.id),
        url: song.url,
        title: song.title,
        duration: song.duration,
        plan,
      },
    };
  });
}

/** Collects the inputs of a plan besides the analysis. */
async function planInputs(tx: Tx, songId: string, corrected: StoredCorrections | undefined): Promise<PlanInputs> {
  const evening = await eveningOf(tx, songId);
  return {
    ...(evening && { evening }),
    groups: await store.planGroups(tx),
    wishes: (await findWishes(tx, songId)).wishes,
    corrections: corrected?.corrections ?? null,
    palette: (await findPaletteChoice(tx, songId)).colors,
    number: await beginPlan(tx, songId),
    kept_numbers: await keptNumbers(tx, songId),
  };
}

const DIED =
  "This step stopped unexpectedly three times. The file may be harmful to the analysis; retry it, or try another copy.";

/** Renews a lease and stores progress; the reply "lost" makes the worker stop. */
export async function keepLease(sql: Sql, beat: HeartbeatRequest): Promise<HeartbeatReply> {
  const progress = Math.min(1, Math.max(0, Number.isFinite(beat.progress) ? beat.progress : 0));
  const note = beat.note.slice(0, MAX_NOTE);
  return transact(sql, async (tx): Promise<HeartbeatReply> => {
    const kept = await store.renewLease(
      tx,
      { id: beat.job_id, token: beat.lease_token, progress, note },
      LEASE_SECONDS,
    );
    if (!kept) return { kind: "lost" };
    if (kept.step === "stems" || !kept.moved) return { kind: "kept" };
    const payload: SongProgress = { song_id: kept.song_id, step: kept.step, progress, note };
    await tell(tx, "song", kept.song_id, "progress", payload);
    return { kind: "kept" };
  });
}

/** Applies a worker's outcome by compare-and-set on its lease. Rejects the outcome of a stale worker. */
export async function settleJob(sql: Sql, report: JobOutcome): Promise<"applied" | "stale"> {
  return transact(sql, async (tx) => {
    const { song, job } = await lockSongAndJob(tx, report.job_id);
    if (!song || job?.state !== "running" || job.lease_token !== report.lease_token) return "stale";
    const { outcome } = report;
    switch (outcome.kind) {
      case "done":
        await store.endJob(tx, job.id, "done");
        await storeResult(tx, song, job, outcome.result);
        break;
      case "released":
        await queueAgain(tx, job, Math.max(0, job.attempt - 1));
        break;
      case "waits":
        await letWait(tx, song, job, outcome);
        break;
      case "failed":
        if (outcome.retry && job.attempt < MAX_ATTEMPTS) await queueAgain(tx, job, job.attempt);
        else await giveUp(tx, song, job, outcome.reason);
        break;
      default:
        outcome satisfies never;
    }
    if (job.step === "lighting") await planAgainIfCorrected(tx, song.id, job.corrections_revision);
    await announceSong(tx, song.id);
    return "applied";
  });
}

/** Locks the song first, then the job. Everything that changes either uses this order. */
async function lockSongAndJob(tx: Tx, jobId: string): Promise<{ song?: SongRow; job?: JobRow }> {
  const songId = await store.songOfJob(tx, jobId);
  const song = songId === undefined ? undefined : await lockSong(tx, songId);
  const job = song && (await store.lockJob(tx, jobId));
  return { ...(song && { song }), ...(job && { job }) };
}

/** Stores the result of a finished step and queues the step that follows. */
async function storeResult(tx: Tx, song: SongRow, job: JobRow, result: StepResult): Promise<void> {
  switch (job.step) {
    case "download": {
      const isNamed = song.named_by_person;
      await updateSong(tx, song.id, {
        downloaded_at: new Date(),
        duration: wholeSeconds(result.duration),
        source_warnings: result.warnings ?? [],
        ...(result.title && !isNamed && { title: result.title }),
        ...(result.artist && !isNamed && { artist: result.artist }),
        ...(result.has_cover && { has_cover: true }),
      });
      return startStep(tx, song.id, "analysis");
    }
    case "analysis":
      await updateSong(tx, song.id, {
        analysis_status: "ready",
        duration: wholeSeconds(result.duration),
        tempo: result.tempo ?? 0,
        musical_key: result.key ?? "",
        stems_generated: false,
        warnings: result.warnings ?? [],
      });
      await startStep(tx, song.id, "lighting");
      if (result.wants_stems) await startStep(tx, song.id, "stems");
      return;
    case "stems":
      return updateSong(tx, song.id, { stems_generated: true });
    case "lighting":
      if (result.plan) await keepPlan(tx, song, job, { ...result.plan, palette: result.palette ?? [] });
      return updateSong(tx, song.id, {
        lighting_status: "ready",
        palette: result.palette ?? [],
        ...(result.outline && { outline: result.outline }),
        ...(result.tempo !== undefined && { tempo: result.tempo }),
      });
    default:
      return job.step satisfies never;
  }
}

/**
 * Rounds down to whole seconds, as players do: 157.8 s is shown as 2:37. At least 1 s, because 0 means an unknown
 * length.
 */
function wholeSeconds(duration = 0): number {
  return duration > 0 ? Math.max(1, Math.floor(duration)) : 0;
}

/** Queues another plan if the corrections changed while this one was made, unless it is queued already. */
async function planAgainIfCorrected(tx: Tx, songId: string, plannedOn: number): Promise<void> {
  const stored = await findCorrections(tx, songId);
  if ((stored?.revision ?? 0) !== plannedOn) await startStep(tx, songId, "lighting");
}

async function queueAgain(tx: Tx, job: JobRow, attempt: number): Promise<void> {
  await store.requeueJob(tx, job.id, attempt);
  await postMessage(tx, subjects.job(job.step), { job_id: job.id });
}

/** Defers a step until there is disk space or the site may be asked again; each deferral is longer than the last. */
async function letWait(
  tx: Tx,
  song: SongRow,
  job: JobRow,
  { reason, wait }: Extract<JobOutcome["outcome"], { kind: "waits" }>,
): Promise<void> {
  // The wait is not the step's fault, so the attempt does not count.
  const attempt = Math.max(0, job.attempt - 1);
  if (wait.kind === "room") {
    if (job.waits >= MOST_ROOM_WAITS) return giveUp(tx, song, job, reason);
    const room = Math.min(MOST_ROOM, wait.bytes * 2 ** job.waits);
    const seconds = Math.min(MOST_ROOM_SECONDS, 5 * 2 ** job.waits);
    const note = `waits until ${Math.ceil(room / 1e6)} MB are free on the server's disk`;
    return store.parkJob(tx, job.id, { attempt, seconds, room, note });
  }
  const minutes = SITE_MINUTES[job.waits];
  if (minutes === undefined) return giveUp(tx, song, job, reason);
  const note = `the site asks this server to slow down: tried again in ${minutes} minutes`;
  return store.parkJob(tx, job.id, { attempt, seconds: 60 * minutes, room: 0, note });
}

/**
 * Ends the deferral of a step. Callers hold the song's lock.
 * @returns whether the step was deferred
 */
export async function hurryStep(tx: Tx, songId: string, step: JobStep): Promise<boolean> {
  const job = await store.hurryJob(tx, songId, step);
  if (job) await postMessage(tx, subjects.job(job.step), { job_id: job.id });
  return job !== undefined;
}

/** Fails a job permanently: updates job and song and adds a record for the operator. */
async function giveUp(tx: Tx, song: SongRow, job: JobRow, why: string): Promise<void> {
  const reason = why.slice(0, MAX_REASON);
  await store.endJob(tx, job.id, "failed", reason);
  if (job.step === "lighting") await updateSong(tx, song.id, { lighting_status: "error", error_message: reason });
  else if (job.step !== "stems") {
    await updateSong(tx, song.id, { analysis_status: "error", lighting_status: "pending", error_message: reason });
  }
  const { title } = song;
  const { step, attempt } = job;
  const record = { song_id: song.id, title, step, attempt, reason, at: new Date().toISOString() };
  await postMessage(tx, subjects.failure(step), record);
}

/**
 * Resumes deferred steps that are due and have enough disk space.
 * @param freeBytes called only if a step is deferred
 */
export async function wakeSteps(sql: Sql, freeBytes: () => Promise<number>): Promise<void> {
  if (!(await store.hasWaiting(sql))) return;
  const bytes = await freeBytes();
  await transact(sql, async (tx) => {
    for (const { id, step, song_id } of await store.wakeJobs(tx, bytes)) {
      await postMessage(tx, subjects.job(step), { job_id: id });
      await announceSong(tx, song_id);
    }
  });
}

interface Swept {
  readonly expired: number;
  readonly rung: number;
  /** Jobs that will not run again, so that their partial files can be deleted. */
  readonly givenUp: readonly { readonly song_id: string; readonly step: JobStep }[];
}

/**
 * Recovers from crashes: requeues or fails jobs with expired leases. Publishes messages again for queued jobs if the
 * broker holds fewer messages than there are queued and running jobs.
 *
 * @param messagesWaiting in the broker; undefined while it is unavailable
 * @param unsettled jobs whose outcome has not been stored yet
 */
export async function sweepJobs(
  sql: Sql,
  messagesWaiting: number | undefined,
  unsettled: ReadonlySet<string> = new Set(),
): Promise<Swept> {
  await store.shortenToNow(sql, LEASE_SECONDS);
  const expired = (await store.expiredJobs(sql)).filter((id) => !unsettled.has(id));
  const ended = [];
  for (const id of expired) ended.push(await endExpired(sql, id));
  const givenUp = ended.filter((job) => job !== undefined);
  const isEveryJobRung = messagesWaiting === undefined || messagesWaiting >= (await store.countActive(sql));
  return { expired: expired.length, rung: isEveryJobRung ? 0 : await ringAgain(sql), givenUp };
}

/** @returns the job if it failed */
async function endExpired(sql: Sql, jobId: string): Promise<JobRow | undefined> {
  return transact(sql, async (tx) => {
    const { song, job } = await lockSongAndJob(tx, jobId);
    // Another sweeper, or the worker itself, may have been faster.
    if (!song || job?.state !== "running" || job.leased) return undefined;
    const isHopeless = job.attempt >= MAX_ATTEMPTS;
    if (isHopeless) await giveUp(tx, song, job, DIED);
    else await queueAgain(tx, job, job.attempt);
    await announceSong(tx, song.id);
    return isHopeless ? job : undefined;
  });
}

async function ringAgain(sql: Sql): Promise<number> {
  return transact(sql, async (tx) => {
    const silent = await store.takeSilentJobs(tx, RING_AGAIN_SECONDS);
    for (const job of silent) await postMessage(tx, subjects.job(job.step), { job_id: job.id });
    return silent.length;
  });
}
