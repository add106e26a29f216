import { z } from "zod";
import { boundedList } from "./bounded-list.ts";
import { SONG_STEPS, type GrantedJob, type JobStep } from "./jobs.ts";
import type { DownloaderState } from "./videos.ts";

/**
 * What workers on other machines say to the server over HTTP. Raised when a worker of before would be understood wrongly,
 * or would leave files that are read otherwise: it is given no jobs then.
 */
export const WORKER_PROTOCOL = 1;

export const WORKER_PATHS = {
  hello: "/api/worker/hello",
  claim: "/api/worker/claim",
  heartbeat: "/api/worker/heartbeat",
  outcome: "/api/worker/outcome",
  /** Files of the song of a job; one of them stands behind it by its name. */
  files: "/api/worker/jobs/:id/files",
} as const;

export const WORKER_HEADERS = {
  /** Tells two processes with one token apart: made up at each start. */
  instance: "x-followspot-worker",
  /** Lease token of the job whose files are read or written. */
  lease: "x-followspot-lease",
  /** SHA-256 of a whole file, in hex. */
  sha256: "x-followspot-sha256",
} as const;

/** A worker says that it is there at least so often. */
export const WORKER_HELLO_MS = 10_000;
/** Longest time a claim waits for a job. */
export const CLAIM_WAIT_MS = 20_000;

export const JOB_STEPS = [...SONG_STEPS, "stems"] as const satisfies readonly JobStep[];

const stepSchema = z.enum(JOB_STEPS);
const line = z.string().max(300);

export const workerHelloSchema = z.object({
  /** The first one of a process: from now on no other process has its token. */
  is_start: z.boolean(),
  /** "1.4.0" */
  version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]{0,40}$/),
  protocol: z.number().int().min(0).max(1e6),
  /** Of its machine. */
  cores: z.number().int().min(1).max(4096),
  /** What it can do. */
  steps: boundedList(stepSchema, 4),
  downloader: z
    .object({
      version: z.string().max(60),
      source: z.enum(["setting", "path", "fetched", "none"]),
      problem: z.string().max(500),
      fetching: z.number().min(0).max(100).nullable(),
    })
    .optional() satisfies z.ZodType<DownloaderState | undefined>,
});
export type WorkerHello = z.infer<typeof workerHelloSchema>;

export interface WorkerWelcome {
  /** What the server's people call this worker. */
  readonly name: string;
  /** Version of the server. */
  readonly version: string;
  /** Steps it may ask for. */
  readonly steps: readonly JobStep[];
  /** Why these are not all it can do; "" where they are. */
  readonly says: string;
  /** Hosts whose links are taken beside the video site's. */
  readonly link_sites: readonly string[];
}

/** Steps of one queue: stems never stand beside others. */
export const workerClaimSchema = z.object({ steps: boundedList(stepSchema, 3).refine((steps) => steps.length > 0) });

export type WorkerClaimReply =
  | { readonly kind: "granted"; readonly job: GrantedJob }
  | { readonly kind: "nothing" }
  /** It is given no job until something changes; `says` why. */
  | { readonly kind: "refused"; readonly says: string };

export const workerHeartbeatSchema = z.object({
  job_id: z.string().max(64),
  lease_token: z.string().max(64),
  progress: z.number(),
  note: z.string().max(2000),
});

const resultSchema = z.object({
  title: line.optional(),
  artist: line.optional(),
  duration: z.number().optional(),
  warnings: boundedList(line, 40).optional(),
  plan: z.object({ in_evening: z.boolean() }).optional(),
});

/** What a worker may say of a finished step; the rest is read from the files it left. */
export type WorkerResult = z.infer<typeof resultSchema>;

export const workerOutcomeSchema = z.object({
  job_id: z.string().max(64),
  lease_token: z.string().max(64),
  outcome: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("done"), result: resultSchema }),
    z.object({ kind: z.literal("released") }),
    z.object({
      kind: z.literal("waits"),
      reason: z.string().max(2000),
      wait: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("room"), bytes: z.number().min(0).max(1e12) }),
        z.object({ kind: z.literal("site") }),
      ]),
    }),
    z.object({ kind: z.literal("failed"), reason: z.string().max(2000), retry: z.boolean() }),
  ]),
});
export type WorkerOutcome = z.infer<typeof workerOutcomeSchema>["outcome"];

export type WorkerOutcomeReply =
  | { readonly kind: "applied" }
  /** The lease is lost: nothing was changed. */
  | { readonly kind: "stale" }
  /** What it left cannot be used; `says` why. */
  | { readonly kind: "refused"; readonly says: string };

export interface WorkerFiles {
  readonly files: readonly { readonly name: string; readonly size: number }[];
}
