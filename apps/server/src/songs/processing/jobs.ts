import type { GrantedJob, JobOutcome } from "@followspot/contract";
import type { Beat } from "./held-lease.ts";

/** Work that a worker runs in parallel: song steps, and stems, which wait until no song step is running. */
export type Lane = "songs" | "stems";

/** A granted job that has not ended. */
export interface TakenJob {
  readonly job: GrantedJob;
  /** Renews the lease. */
  readonly renew: Beat;
  /** Acknowledges the job: its outcome was reported or its lease is lost. */
  readonly done: () => void;
}

/** Source of a worker's jobs and destination of their outcomes. */
export interface Jobs {
  /** Claims the next job of a lane under a lease; undefined if none arrived for a while. */
  next(lane: Lane, stop: AbortSignal): Promise<TakenJob | undefined>;
  /** Stores an outcome; rejects if that fails. A duplicate or late outcome changes nothing. */
  report(job: GrantedJob, outcome: JobOutcome["outcome"]): Promise<void>;
}
