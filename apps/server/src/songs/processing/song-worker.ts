import type { GrantedJob, JobOutcome, StepResult } from "@followspot/contract";
import { HeldLease } from "./held-lease.ts";
import type { Jobs, Lane, TakenJob } from "./jobs.ts";
import { runAttributed, StepCrash } from "./step-crash.ts";
import { StepError, WaitError } from "./step-error.ts";

/**
 * Runs one step.
 * @throws StepError with a reason for the user
 */
export type RunStep = (
  job: GrantedJob,
  report: { readonly signal: AbortSignal; readonly onProgress: (progress: number, note: string) => void },
) => Promise<StepResult>;

/**
 * Longest wait for jobs to be released at shutdown, ms. An idle lane ends immediately or within two seconds, a canceled
 * step well before the rest.
 */
const HAND_BACK_MS = 5000;
/** First interval between attempts to report an outcome, ms; doubled each time up to the second value. */
const REPORT_AGAIN_MS = 250;
const REPORT_AGAIN_AT_MOST_MS = 2000;

/**
 * Claims jobs one after another, runs them under their leases and reports the outcomes. Has no database credentials; a
 * lost lease aborts the work.
 */
export class SongWorker {
  readonly #jobs: Jobs;
  readonly #runStep: RunStep;
  readonly #concurrency: number;
  readonly #warn: (message: string) => void;
  readonly #stopping = new AbortController();
  /** Aborted when the time for releasing jobs is over. */
  readonly #stopped = new AbortController();
  readonly #lanes: Promise<void>[] = [];
  #songsAtWork = 0;

  constructor(jobs: Jobs, runStep: RunStep, concurrency: number, warn: (message: string) => void) {
    this.#jobs = jobs;
    this.#runStep = runStep;
    this.#concurrency = concurrency;
    this.#warn = warn;
  }

  start(): void {
    for (let lane = 0; lane < this.#concurrency; lane++) this.#lanes.push(this.#workLane("songs"));
    this.#lanes.push(this.#workLane("stems"));
  }

  /** Releases running jobs, and waits until they are released or the broker clearly does not accept them. */
  async close(): Promise<void> {
    this.#stopping.abort();
    // A lane that waits for a job keeps waiting while the broker is unavailable; an expired lease gives its song to
    // another worker.
    await Promise.race([Promise.all(this.#lanes), pause(HAND_BACK_MS)]);
    this.#stopped.abort();
  }

  /** Runs one job after another. The lane for stems starts one only while no song step is running. */
  async #workLane(lane: Lane): Promise<void> {
    const isSongs = lane === "songs";
    while (!this.#stopping.signal.aborted) {
      try {
        if (!isSongs && this.#songsAtWork > 0) {
          await pause(500);
          continue;
        }
        const taken = await this.#jobs.next(lane, this.#stopping.signal);
        if (!taken) continue;
        if (isSongs) this.#songsAtWork++;
        try {
          await this.#handle(taken);
        } finally {
          if (isSongs) this.#songsAtWork--;
        }
      } catch (error) {
        this.#warn(`waiting for jobs: ${(error as Error).message}`);
        await pause(1000);
      }
    }
  }

  async #handle({ job, renew, done }: TakenJob): Promise<void> {
    const doubt = new AbortController();
    const lease = new HeldLease(job, renew, () => doubt.abort(new Error("the lease is lost")));
    try {
      const outcome = await this.#work(job, lease, doubt.signal);
      if (outcome) await this.#report(job, outcome, lease);
    } finally {
      lease.letGo();
    }
    done();
  }

  /** Runs a job under its lease. Undefined if the lease was lost, because then no outcome is reported. */
  async #work(job: GrantedJob, lease: HeldLease, doubt: AbortSignal): Promise<JobOutcome["outcome"] | undefined> {
    const signal = AbortSignal.any([doubt, this.#stopping.signal]);
    try {
      const onProgress = (share: number, note: string) => lease.tell(share, note);
      return { kind: "done", result: await runAttributed(() => this.#runStep(job, { signal, onProgress })) };
    } catch (error) {
      if (doubt.aborted) return undefined;
      // A crashed step also stops the worker; only the other jobs are released.
      if (this.#stopping.signal.aborted && !(error instanceof StepCrash)) return { kind: "released" };
      if (error instanceof WaitError) return { kind: "waits", reason: error.message, wait: error.wait };
      if (error instanceof StepError) return { kind: "failed", reason: error.message, retry: error.retry };
      this.#warn(`${job.step} of ${job.song_id}: ${(error as Error).stack ?? String(error)}`);
      return { kind: "failed", reason: reasonFor(error), retry: false };
    }
  }

  /**
   * Reports an outcome and retries until the API accepts it: the work is done, and a duplicate or late report changes
   * nothing. Stops early only if the API reported the lease as lost, or when the worker's shutdown time is over.
   */
  async #report(job: GrantedJob, outcome: JobOutcome["outcome"], lease: HeldLease): Promise<void> {
    for (let wait = REPORT_AGAIN_MS; ; wait = Math.min(2 * wait, REPORT_AGAIN_AT_MOST_MS)) {
      try {
        return await this.#jobs.report(job, outcome);
      } catch (error) {
        this.#warn(`${job.step} of ${job.song_id} is ${outcome.kind}, not reported yet: ${(error as Error).message}`);
      }
      if (lease.isLost || this.#stopped.signal.aborted) return;
      await pause(wait);
    }
  }
}

function reasonFor(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EROFS" || code === "EACCES")
    return "The server may not write to its songs folder. Give it permission to write there, then retry.";
  return "The step failed for a reason we did not foresee; the server's log has it. Retry, or try another copy of the song.";
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
