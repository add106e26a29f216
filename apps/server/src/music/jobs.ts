import type { GrantedJob, JobOutcome } from "@followspot/contract";
import type { Beat } from "./held-lease.ts";

/** What a worker does beside each other: steps of songs, and stems, which wait until no song is at work. */
export type Lane = "songs" | "stems";

/** A job that was granted, until it is done with. */
export interface TakenJob {
  readonly job: GrantedJob;
  /** Renews its lease. */
  readonly renew: Beat;
  /** Nothing more is to be said of it: it was reported, or is lost. */
  readonly done: () => void;
}

/** Where a worker gets its jobs, and tells what became of them. */
export interface Jobs {
  /** The next job of a lane under its lease; undefined when none came for a while. */
  next(lane: Lane, stop: AbortSignal): Promise<TakenJob | undefined>;
  /** Stores an outcome; rejects while that cannot be done. One that comes twice or too late changes nothing. */
  report(job: GrantedJob, outcome: JobOutcome["outcome"]): Promise<void>;
}
