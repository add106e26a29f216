import { writeFile } from "node:fs/promises";
import type { GrantedJob, JobOutcome, LightingPlan, SongAnalysis, StepResult } from "@followspot/contract";
import { song } from "../../../../packages/analysis/src/testing/analysed-song.ts";
import { importLink } from "../songs/library/import-song.ts";
import { readPlan } from "../songs/library/plan-revisions.ts";
import { createStepRunner } from "../songs/processing/run-step.ts";
import { planName, type SongFiles } from "../songs/catalog/song-files.ts";
import type { RunStep } from "../songs/processing/song-worker.ts";
import { songFolders } from "../songs/processing/workplace.ts";
import { claimJob, settleJob } from "../songs/processing/song-jobs.ts";
import type { Caller } from "../platform/caller.ts";
import type { Sql } from "../platform/database/database.ts";

/** Returns the analysis of a minute of 4/4 at `bpm` in A minor, a single drop section. */
export function analysisAt(songId: string, bpm: number): SongAnalysis {
  return {
    ...song((i) => (i * 60) / bpm, bpm),
    song_id: songId,
    structure: { sections: [{ start: 0, end: 60, label: "drop", energy: 0.9, intensity: 0.9, confidence: 0.5 }] },
    drop_predictions: [],
  };
}

/** Moves songs through the pipeline step by step, as a worker would; plans are real. */
export class SongsByHand {
  readonly #sql: Sql;
  readonly #files: SongFiles;
  readonly #caller: Caller;
  /** Shared by all steps, so that its thread stays warm. */
  readonly #runStep: RunStep;
  #videos = 0;

  constructor(sql: Sql, files: SongFiles, caller: Caller) {
    this.#sql = sql;
    this.#files = files;
    this.#caller = caller;
    const places = songFolders(files);
    const warn = () => undefined;
    this.#runStep = createStepRunner({ places, ffmpeg: undefined, stems: false, videoSite: {} as never, warn });
  }

  /** Creates a song with an analysis whose plan is pending. @returns its ID */
  async analysed(bpm = 70): Promise<string> {
    const link = `https://youtu.be/${String(++this.#videos).padStart(11, "c")}`;
    const { id } = (await importLink(this.#sql, this.#caller, link)).song;
    await this.#files.makeFolder(id);
    await this.report(await this.claimNext(id), { kind: "done", result: { duration: 60 } });
    await this.analyse(id, bpm);
    return id;
  }

  async analyse(songId: string, bpm: number): Promise<void> {
    const analysis = analysisAt(songId, bpm);
    await writeFile(this.#files.path(songId, "hybrid.json"), JSON.stringify(analysis));
    const result = { duration: 60, tempo: bpm, key: analysis.key };
    await this.report(await this.claimNext(songId), { kind: "done", result });
  }

  /** Runs the pending planning job. */
  async plan(songId: string): Promise<LightingPlan> {
    const job = await this.claimNext(songId);
    await this.report(job, { kind: "done", result: await this.runStep(job) });
    return (await readPlan(this.#sql, this.#files, songId)) as LightingPlan; // just written by the planner
  }

  /**
   * Completes the pending lighting job with a given plan, using the seed of the song's settings, because planning is
   * slow.
   */
  async pretendPlan(songId: string, plan: LightingPlan): Promise<void> {
    const job = await this.claimNext(songId);
    const { number, wishes } = job.plan!; // a lighting job
    const made = { ...plan, seed: wishes.seed || plan.seed };
    await writeFile(this.#files.path(songId, planName(number)), JSON.stringify(made));
    const result = {
      palette: plan.palette,
      plan: { seed: made.seed, scheme: plan.scheme ?? "", remark: "pretended", in_evening: false },
    };
    await this.report(job, { kind: "done", result });
  }

  activeJobs(songId: string) {
    return this.#sql<{ id: string; step: string }[]>`
      select id, step from song_jobs where song_id = ${songId} and state in ('queued', 'running')`;
  }

  async claimNext(songId: string): Promise<GrantedJob> {
    const [job] = await this.activeJobs(songId);
    const reply = await claimJob(this.#sql, { job_id: job!.id, worker: "w" });
    if (reply.kind !== "granted") throw new Error(`not granted: ${JSON.stringify(reply)}`);
    return reply.job;
  }

  report(job: GrantedJob, outcome: JobOutcome["outcome"]): Promise<"applied" | "stale"> {
    return settleJob(this.#sql, { job_id: job.job_id, lease_token: job.lease_token, outcome });
  }

  runStep(job: GrantedJob): Promise<StepResult> {
    return this.#runStep(job, { signal: new AbortController().signal, onProgress: () => undefined });
  }
}
