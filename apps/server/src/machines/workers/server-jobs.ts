import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import {
  CLAIM_WAIT_MS,
  WORKER_HELLO_MS,
  WORKER_PATHS,
  WORKER_PROTOCOL,
  type DownloaderState,
  type GrantedJob,
  type HeartbeatReply,
  type JobOutcome,
  type JobStep,
  type WorkerClaimReply,
  type WorkerHello,
  type WorkerOutcome,
  type WorkerOutcomeReply,
  type WorkerWelcome,
} from "@followspot/contract";
import type { Jobs, Lane, TakenJob } from "../../songs/processing/jobs.ts";
import { freeBytes } from "../../platform/files/disk.ts";
import { every } from "../../platform/every.ts";
import { ServerRefused } from "../machine-door.ts";
import { VERSION } from "../../platform/process/version.ts";
import type { ServerDoor } from "./server-door.ts";

/** Pause of a worker that is rejected, or has no steps to request, ms. */
const REST_MS = 10_000;
/** Pause before claiming again after a disk-full failure, ms. */
const NO_ROOM_MS = 60_000;
/** Timeout for reporting an outcome, ms, because the server validates the result before it responds. */
const OUTCOME_MS = 60_000;
const ANSWER_MS = 10_000;
const MOST_WARNINGS = 40;
const MOST_REASON = 500;

export interface ServerJobsOptions {
  /** Steps that this machine can run. */
  readonly steps: readonly JobStep[];
  /** Work folder, for the check of free disk space. */
  readonly root: string;
  readonly downloader: () => DownloaderState;
  readonly warn: (message: string) => void;
}

/** Jobs of a server on another machine, requested over HTTP. */
export class ServerJobs implements Jobs {
  readonly #door: ServerDoor;
  readonly #options: ServerJobsOptions;
  /** Steps that the server permits for this worker. */
  #steps: readonly JobStep[] = [];
  #restsUntil = 0;
  #endHellos = () => {};

  constructor(door: ServerDoor, options: ServerJobsOptions) {
    this.#door = door;
    this.#options = options;
  }

  /** Registers this worker at the server, retrying until it responds, and repeats that at an interval. */
  async start(stop: AbortSignal): Promise<WorkerWelcome> {
    const welcome = await this.#door.untilBack(stop, () => this.#hello(true));
    const again = () =>
      this.#hello(false).then(
        () => undefined,
        () => undefined,
      ); // the HTTP client logs the problem
    this.#endHellos = every(WORKER_HELLO_MS, "saying that this worker is here", again, this.#options.warn);
    return welcome;
  }

  close(): void {
    this.#endHellos();
  }

  async next(lane: Lane, stop: AbortSignal): Promise<TakenJob | undefined> {
    const steps = this.#steps.filter((step) => (step === "stems") === (lane === "stems"));
    const restMs = Math.max(steps.length === 0 ? REST_MS : 0, this.#restsUntil - performance.now());
    try {
      if (restMs > 0) return void (await pause(restMs, undefined, { signal: stop }));
      const asked = { timeoutMs: CLAIM_WAIT_MS + ANSWER_MS, signal: stop };
      const reply = await this.#door.untilBack(stop, () =>
        this.#door.ask<WorkerClaimReply>(WORKER_PATHS.claim, { steps }, { ...asked, isReply: hasKind }),
      );
      if (reply.kind === "granted") return this.#taken(reply.job);
      if (reply.kind === "nothing") return undefined;
      this.#options.warn(reply.says);
      return void (await pause(REST_MS, undefined, { signal: stop }));
    } catch (error) {
      if (stop.aborted) return undefined;
      throw error;
    }
  }

  async report(job: GrantedJob, outcome: JobOutcome["outcome"]): Promise<void> {
    const { job_id, lease_token } = job;
    const told = { job_id, lease_token, outcome: await this.#toWire(outcome) };
    try {
      const asked = { timeoutMs: OUTCOME_MS, isReply: hasKind };
      const reply = await this.#door.ask<WorkerOutcomeReply>(WORKER_PATHS.outcome, told, asked);
      if (reply.kind === "refused") this.#options.warn(reply.says);
      if (reply.kind === "stale") this.#options.warn(`${job.step} of ${job.song_id} came too late: it is thrown away`);
    } catch (error) {
      if (!(error instanceof ServerRefused)) throw error;
      this.#options.warn(`${job.step} of ${job.song_id} was not taken: ${error.message}`);
    }
  }

  async #hello(is_start: boolean): Promise<WorkerWelcome> {
    const { steps, downloader } = this.#options;
    const about = { version: VERSION, protocol: WORKER_PROTOCOL, cores: availableParallelism() };
    const downloads = steps.includes("download") && { downloader: downloader() };
    const hello: WorkerHello = { is_start, ...about, steps: [...steps], ...downloads };
    const welcome = await this.#door.ask<WorkerWelcome>(WORKER_PATHS.hello, hello, { isReply: hasSteps });
    if (welcome.says) this.#options.warn(welcome.says);
    this.#steps = welcome.steps;
    return welcome;
  }

  #taken(job: GrantedJob): TakenJob {
    return {
      job,
      renew: (beat) =>
        this.#door
          .ask<HeartbeatReply>(
            WORKER_PATHS.heartbeat,
            { ...beat, note: beat.note.slice(0, MOST_REASON) },
            { isReply: hasKind },
          )
          .catch(() => undefined), // no reply; the lease decides what follows
      done: () => undefined,
    };
  }

  async #toWire(outcome: JobOutcome["outcome"]): Promise<WorkerOutcome> {
    switch (outcome.kind) {
      case "done": {
        const { title, artist, duration, warnings, plan } = outcome.result;
        return {
          kind: "done",
          result: {
            ...{ title, artist, duration, warnings: warnings?.slice(0, MOST_WARNINGS) },
            plan: plan && { in_evening: plan.in_evening },
          },
        };
      }
      case "waits": {
        const reason = outcome.reason.slice(0, MOST_REASON);
        const { wait } = outcome;
        if (wait.kind === "room" && (await freeBytes(this.#options.root)) < wait.bytes) {
          // The server cannot free space on this machine, so another worker gets the song.
          this.#restsUntil = performance.now() + NO_ROOM_MS;
          this.#options.warn(
            "there is no space left on this machine's disk: nothing is taken for a minute. Free some.",
          );
          return { kind: "released" };
        }
        return { kind: "waits", reason, wait };
      }
      case "failed":
        return { ...outcome, reason: outcome.reason.slice(0, MOST_REASON) };
      case "released":
        return outcome;
      default:
        return outcome satisfies never;
    }
  }
}

const hasKind = ({ kind }: { readonly kind?: unknown }): boolean => typeof kind === "string";
const hasSteps = ({ steps }: { readonly steps?: unknown }): boolean => Array.isArray(steps);
