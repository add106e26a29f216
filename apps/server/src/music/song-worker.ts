import { randomUUID } from "node:crypto";
import {
  STREAMS,
  subjects,
  type ClaimReply,
  type ClaimRequest,
  type GrantedJob,
  type HeartbeatReply,
  type HeartbeatRequest,
  type JobMessage,
  type JobOutcome,
  type StepResult,
} from "@followspot/contract";
import type { JsMsg } from "@nats-io/jetstream";
import { HeldLease } from "./held-lease.ts";
import { WORKER_CONSUMER, type Broker } from "../platform/nats.ts";
import { StepError, WaitError } from "./step-error.ts";

/** Runs one step; throws StepError for a reason a person should read. */
export type RunStep = (
  job: GrantedJob,
  report: { readonly signal: AbortSignal; readonly onProgress: (progress: number, note: string) => void },
) => Promise<StepResult>;

const REQUEST_MS = 5000;
const NEXT_JOB_MS = 2000;
/** A waiting lane ends after NEXT_JOB_MS, a cancelled step well before the rest of this is over. */
const HAND_BACK_MS = 5000;
/** Between two tries to report an outcome: doubled each time, up to the second one. */
const REPORT_AGAIN_MS = 250;
const REPORT_AGAIN_AT_MOST_MS = 2000;
/** Longest wait for the broker to store a report. */
const STORED_MS = 2000;

/**
 * Takes job ids from the SONGS stream, claims each with the API, works under the lease, reports.
 * Holds no database credentials; a lost lease aborts the work.
 */
export class SongWorker {
  readonly id = `worker-${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #broker: Broker;
  readonly #runStep: RunStep;
  readonly #concurrency: number;
  readonly #warn: (message: string) => void;
  readonly #stopping = new AbortController();
  /** The time to hand jobs back is over. */
  readonly #stopped = new AbortController();
  readonly #lanes: Promise<void>[] = [];
  #songsAtWork = 0;

  constructor(broker: Broker, runStep: RunStep, concurrency: number, warn: (message: string) => void) {
    this.#broker = broker;
    this.#runStep = runStep;
    this.#concurrency = concurrency;
    this.#warn = warn;
  }

  start(): void {
    for (let lane = 0; lane < this.#concurrency; lane++) this.#lanes.push(this.#workLane(STREAMS.songs.name));
    this.#lanes.push(this.#workLane(STREAMS.stems.name));
  }

  /** Hands running jobs back and waits until they are, or until it is clear that no broker takes them. */
  async close(): Promise<void> {
    this.#stopping.abort();
    // A lane that waits for a job waits on while the broker is away; the lease gives its song to somebody else.
    await Promise.race([Promise.all(this.#lanes), pause(HAND_BACK_MS)]);
    this.#stopped.abort();
  }

  /** Takes one job after another. The lane for stems only starts one while no song is at work. */
  async #workLane(stream: string): Promise<void> {
    const isSongs = stream === STREAMS.songs.name;
    while (!this.#stopping.signal.aborted) {
      try {
        const consumer = await this.#broker.js.consumers.get(stream, WORKER_CONSUMER);
        while (!this.#stopping.signal.aborted) {
          if (!isSongs && this.#songsAtWork > 0) {
            await pause(500);
            continue;
          }
          const message = await consumer.next({ expires: NEXT_JOB_MS });
          if (!message) continue;
          if (isSongs) this.#songsAtWork++;
          try {
            await this.#handle(message);
          } finally {
            if (isSongs) this.#songsAtWork--;
          }
        }
      } catch (error) {
        this.#warn(`waiting for jobs: ${(error as Error).message}`);
        await pause(1000);
      }
    }
  }

  async #handle(message: JsMsg): Promise<void> {
    const job_id = jobIdOf(message);
    if (job_id === undefined) return message.ack(); // no job: unacknowledged it would come again for ever
    const claim = await this.#ask<ClaimRequest, ClaimReply>(subjects.claim, { job_id, worker: this.id });
    if (claim === undefined) return message.nak(2000); // no API answers: the message waits
    if (claim.kind === "skipped") return message.ack();
    if (claim.kind === "busy") return message.nak(claim.retry_after_ms);
    const doubt = new AbortController();
    const lease = new HeldLease(
      claim.job,
      (request) => {
        message.working();
        return this.#ask<HeartbeatRequest, HeartbeatReply>(subjects.heartbeat, request);
      },
      () => doubt.abort(new Error("the lease is lost")),
    );
    try {
      const outcome = await this.#work(claim.job, lease, doubt.signal);
      if (outcome) await this.#report(claim.job, outcome, lease);
    } finally {
      lease.letGo();
    }
    message.ack();
  }

  /** Works under the lease. Undefined when it was lost: then there is nothing to say. */
  async #work(job: GrantedJob, lease: HeldLease, doubt: AbortSignal): Promise<JobOutcome["outcome"] | undefined> {
    const signal = AbortSignal.any([doubt, this.#stopping.signal]);
    try {
      const onProgress = (share: number, note: string) => lease.tell(share, note);
      return { kind: "done", result: await this.#runStep(job, { signal, onProgress }) };
    } catch (error) {
      if (doubt.aborted) return undefined;
      if (this.#stopping.signal.aborted) return { kind: "released" };
      if (error instanceof WaitError) return { kind: "waits", reason: error.message, wait: error.wait };
      if (error instanceof StepError) return { kind: "failed", reason: error.message, retry: error.retry };
      this.#warn(`${job.step} of ${job.song_id}: ${(error as Error).stack ?? String(error)}`);
      return { kind: "failed", reason: reasonFor(error), retry: false };
    }
  }

  /**
   * Publishes an outcome, again and again while the broker does not take it: the work is done, and a
   * report that comes twice or too late changes nothing. Ends without it only when the API has said
   * that the lease is lost, or when the worker's time to stop is over.
   */
  async #report(job: GrantedJob, outcome: JobOutcome["outcome"], lease: HeldLease): Promise<void> {
    const report: JobOutcome = { job_id: job.job_id, lease_token: job.lease_token, outcome };
    for (let wait = REPORT_AGAIN_MS; ; wait = Math.min(2 * wait, REPORT_AGAIN_AT_MOST_MS)) {
      try {
        const options = { msgID: job.lease_token, timeout: STORED_MS };
        await this.#broker.js.publish(subjects.response(job.step), JSON.stringify(report), options);
        return;
      } catch (error) {
        this.#warn(`${job.step} of ${job.song_id} is ${outcome.kind}, not reported yet: ${(error as Error).message}`);
      }
      if (lease.isLost || this.#stopped.signal.aborted) return;
      await pause(wait);
    }
  }

  async #ask<Request extends object, Reply>(subject: string, request: Request): Promise<Reply | undefined> {
    try {
      const answer = await this.#broker.connection.request(subject, JSON.stringify(request), { timeout: REQUEST_MS });
      return answer.json<Reply>();
    } catch {
      return undefined; // nobody answered; the caller decides what that means
    }
  }
}

function jobIdOf(message: JsMsg): string | undefined {
  try {
    const { job_id } = message.json<Partial<JobMessage>>();
    return typeof job_id === "string" ? job_id : undefined;
  } catch {
    return undefined; // not JSON, or null
  }
}

function reasonFor(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EROFS" || code === "EACCES")
    return "The server may not write to its songs folder. Give it permission to write there, then retry.";
  return "The step failed for a reason we did not foresee; the server's log has it. Retry, or try another copy of the song.";
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
