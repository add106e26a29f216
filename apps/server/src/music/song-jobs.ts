import { randomUUID } from "node:crypto";
import { newId } from "../platform/ids.ts";
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
import type { Sql, Tx } from "../platform/database.ts";
import { postMessage, tell } from "../platform/outbox.ts";
import { transact } from "../platform/transaction.ts";
import { keepPlan } from "./keep-plan.ts";
import { beginPlan, keptNumbers } from "./plan-revisions.store.ts";

import { findCorrections, type StoredCorrections } from "./song-corrections.store.ts";
import { isQueuePaused } from "./queue-pauses.store.ts";
import { eveningOf } from "./song-evening.ts";
import * as store from "./song-jobs.store.ts";
import type { JobRow } from "./song-jobs.store.ts";
import { findPaletteChoice } from "./song-palettes.store.ts";
import { findWishes } from "./song-wishes.store.ts";
import { announceSong, lockSong, mayTouchFiles, updateSong, type SongRow } from "./songs.store.ts";

/** Starts a job may have before it is given up. */
export const MAX_ATTEMPTS = 3;
/** A worker that has not been heard of for this long has lost its job: with the sweep behind it within ten seconds. */
export const LEASE_SECONDS = 8;
/** A queued job whose message may be lost is rung for again after this: with the sweep well within ten seconds. */
const RING_AGAIN_SECONDS = 3;
/** Waits of a step the site has asked to slow down; after the last it fails. */
const SITE_MINUTES = [2, 5, 15, 30, 60];
/** A step that fails for want of room although there was some asks for twice as much, and less often; then it fails. */
const MOST_ROOM = 8e9;
const MOST_ROOM_SECONDS = 600;
const MOST_ROOM_WAITS = 20;
const MAX_REASON = 500;
const MAX_NOTE = 200;

/**
 * Queues one step: job, status and doorbell in the caller's transaction. At most one step of a song is active.
 * Callers hold the song.
 *
 * @param askedBy id of who asked for it; absent when it follows another step
 */
export async function startStep(tx: Tx, songId: string, step: JobStep, askedBy?: string): Promise<void> {
  const id = newId();
  if (!(await store.insertJob(tx, { id, songId, step, askedBy: askedBy ?? null }))) return;
  await postMessage(tx, subjects.job(step), { job_id: id });
  if (step === "stems") return;
  // While it waits, a step that follows others counts as processing, so that the badge never falls back.
  await updateSong(tx, songId, {
    error_message: "",
    lighting_status: step === "lighting" ? "processing" : "pending",
    ...(step === "download" && { analysis_status: "pending" }),
    ...(step === "analysis" && { analysis_status: "processing" }),
  });
}

/** Ends the active jobs of a song; a worker on one of them learns it with its next heartbeat. Callers hold the song. */
export async function cancelSteps(
  tx: Tx,
  songId: string,
  steps: readonly JobStep[] = [...SONG_STEPS, "stems"],
): Promise<number> {
  return store.cancelJobs(tx, songId, steps);
}

/** Steps by their queue, nearest to light first. */
const STEPS_OF = { songs: SONG_STEPS.toReversed(), stems: ["stems"] } as const;

/**
 * Grants what is nearest to light of all that waits in the stream of a message: a message says that there is a job to do,
 * and which one is done is decided now. So the first song of many is lit while the last is still to be fetched.
 */
export async function claimNext(sql: Sql, request: ClaimRequest): Promise<ClaimReply> {
  const step = await store.stepOfJob(sql, request.job_id);
  if (step === undefined) return claimJob(sql, request);
  const steps = STEPS_OF[step === "stems" ? "stems" : "songs"];
  return (await claimAmong(sql, request.worker, steps)) ?? claimJob(sql, request);
}

/**
 * Grants what is nearest to light of some steps of one queue.
 * @returns undefined when none of them waits
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
    // Another worker was first, or it was given up; either way it waits no more.
  }
}

/** A backup notes files just now. */
const NOT_NOW = { kind: "busy", retry_after_ms: 500 } as const;
/** So long after the end of a pause the last worker goes on. */
const PAUSED = { kind: "busy", retry_after_ms: 3000 } as const;

/** Counts the attempt and grants the lease before any work starts. */
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

/** What a plan is made from, beside the analysis. */
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

/** Keeps a lease and stores progress; a lost lease tells the worker to stop. */
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

/** Applies what a worker reports, by compare-and-set on its lease. A stale worker's result is refused. */
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

/** Song first, job second: the order of everybody who changes either. */
async function lockSongAndJob(tx: Tx, jobId: string): Promise<{ song?: SongRow; job?: JobRow }> {
  const songId = await store.songOfJob(tx, jobId);
  const song = songId === undefined ? undefined : await lockSong(tx, songId);
  const job = song && (await store.lockJob(tx, jobId));
  return { ...(song && { song }), ...(job && { job }) };
}

/** What each finished step changes, and which step follows. */
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

/** As players count: 157.8 s last 2:37. 0 is a song of unknown length, so the shortest has one. */
function wholeSeconds(duration = 0): number {
  return duration > 0 ? Math.max(1, Math.floor(duration)) : 0;
}

/** A plan made on corrections that were replaced meanwhile is out of date: the next one follows, if it is not queued. */
async function planAgainIfCorrected(tx: Tx, songId: string, plannedOn: number): Promise<void> {
  const stored = await findCorrections(tx, songId);
  if ((stored?.revision ?? 0) !== plannedOn) await startStep(tx, songId, "lighting");
}

async function queueAgain(tx: Tx, job: JobRow, attempt: number): Promise<void> {
  await store.requeueJob(tx, job.id, attempt);
  await postMessage(tx, subjects.job(job.step), { job_id: job.id });
}

/** Puts a step aside until there is room, or the site may be asked again; how often it has waited makes the wait longer. */
async function letWait(
  tx: Tx,
  song: SongRow,
  job: JobRow,
  { reason, wait }: Extract<JobOutcome["outcome"], { kind: "waits" }>,
): Promise<void> {
  // It was not its fault: the attempt does not count.
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

/** Ends the waiting of a step, when it waits. Callers hold the song. @returns whether it did */
export async function hurryStep(tx: Tx, songId: string, step: JobStep): Promise<boolean> {
  const job = await store.hurryJob(tx, songId, step);
  if (job) await postMessage(tx, subjects.job(job.step), { job_id: job.id });
  return job !== undefined;
}

/** The end of a job that failed for good: job, song and a record for the operator. */
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
 * Brings back steps that wait, when their time has come and there is room for them.
 * @param freeBytes asked only when a step waits
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
  /** Jobs that no worker will start again: their half-written files can be deleted. */
  readonly givenUp: readonly { readonly song_id: string; readonly step: JobStep }[];
}

/**
 * Brings back what a crash left: jobs whose lease ran out are queued again or given up, and queued
 * jobs are rung for again when the broker holds fewer messages than there are jobs to do or at work.
 *
 * @param messagesWaiting in the broker; undefined while it is away
 * @param unsettled jobs whose outcome waits to be stored
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

/** @returns the job when it was given up */
async function endExpired(sql: Sql, jobId: string): Promise<JobRow | undefined> {
  return transact(sql, async (tx) => {
    const { song, job } = await lockSongAndJob(tx, jobId);
    // Another sweeper, or the worker itself, may have been here first.
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
