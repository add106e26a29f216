import { STREAMS, subjects, type ClaimRequest, type HeartbeatRequest, type JobOutcome } from "@followspot/contract";
import type { ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import type { Msg, Subscription } from "@nats-io/nats-core";
import type { Sql } from "../../platform/database/database.ts";
import { freeBytes } from "../../platform/files/disk.ts";
import { every } from "../../platform/every.ts";
import {
  consume,
  countWaiting,
  removeDone,
  RESPONSES_CONSUMER,
  WORKER_CONSUMER,
  type Broker,
} from "../../platform/broker/nats.ts";
import { attemptMark, type SongFiles } from "../catalog/song-files.ts";
import { claimNext, keepLease, settleJob, sweepJobs, wakeSteps } from "./song-jobs.ts";
import { purgeSongs } from "../catalog/songs.store.ts";

const SWEEP_MS = 1000;
/** Delay of the first sweep, ms, so that workers that waited for this process can renew their leases. */
const FIRST_SWEEP_MS = 3000;
/** Interval between cleanups of messages left in the broker for ended jobs, ms. */
const CLEAR_MS = 20_000;
/** NATS queue group of all APIs, so that each worker request is answered once. */
const QUEUE = "api";

/**
 * Longest time that a job with an unstored outcome is excluded from the sweep, ms; the outcome may be impossible to
 * store.
 */
const GUARD_MS = 60_000;
const STORE_AGAIN_MS = 2000;
const FORGET_MS = 600_000;
/** Time within which a deleted song can be restored, minutes. */
const KEPT_MINUTES = 10;

export interface SongPipelineOptions {
  /** Duration for which a job with an unstored outcome is excluded from the sweep, ms; shorter in tests. */
  readonly guardMs?: number;
  /** Called with each applied outcome. */
  readonly onSettled?: (report: JobOutcome) => void;
}

/** Server side of the song pipeline: grants claims, renews leases, applies outcomes, and recovers from crashes. */
export class SongPipeline {
  readonly #sql: Sql;
  readonly #broker: Broker;
  readonly #files: SongFiles;
  readonly #warn: (message: string) => void;
  readonly #guardMs: number;
  readonly #onSettled: (report: JobOutcome) => void;
  readonly #subscriptions: Subscription[] = [];
  #outcomes: ConsumerMessages | undefined;
  /** Jobs, by ID, whose outcome could not be stored yet: their work is done, whatever the state of their lease. */
  readonly #unsettled = new Map<string, { readonly token: string; readonly untilMs: number }>();
  #endSweeps = () => {};
  #closed = false;

  constructor(
    sql: Sql,
    broker: Broker,
    files: SongFiles,
    warn: (message: string) => void,
    { guardMs = GUARD_MS, onSettled = () => {} }: SongPipelineOptions = {},
  ) {
    this.#sql = sql;
    this.#broker = broker;
    this.#files = files;
    this.#warn = warn;
    this.#guardMs = guardMs;
    this.#onSettled = onSettled;
  }

  start(): void {
    const answer = <Request>(subject: string, respond: (request: Request) => Promise<object>) => {
      const callback = (error: Error | null, message: Msg) => {
        if (error) return;
        // Without a reply the worker asks again; a wrong reply would make it drop the job.
        respond(message.json<Request>()).then(
          (reply) => message.respond(JSON.stringify(reply)),
          (cause: Error) => this.#warn(`${subject}: ${cause.message}`),
        );
      };
      this.#subscriptions.push(this.#broker.connection.subscribe(subject, { queue: QUEUE, callback }));
    };
    answer<ClaimRequest>(subjects.claim, (request) => claimNext(this.#sql, request));
    answer<HeartbeatRequest>(subjects.heartbeat, (request) => keepLease(this.#sql, request));
    void this.#applyOutcomes();
    const first = setTimeout(() => {
      const endSweep = every(SWEEP_MS, "the sweep of the song pipeline", () => this.#sweep(), this.#warn);
      const endClear = every(CLEAR_MS, "clearing the broker", () => removeDone(this.#broker), this.#warn);
      this.#endSweeps = () => (endSweep(), endClear());
    }, FIRST_SWEEP_MS);
    this.#endSweeps = () => clearTimeout(first);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#endSweeps();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await this.#outcomes?.close();
  }

  async #applyOutcomes(): Promise<void> {
    while (!this.#closed) {
      try {
        const consumer = await this.#broker.js.consumers.get(STREAMS.responses.name, RESPONSES_CONSUMER);
        this.#outcomes = await consume(consumer, 20);
        for await (const message of this.#outcomes) {
          await this.#apply(message);
        }
      } catch (error) {
        if (this.#closed) return;
        this.#warn(`waiting for the response queue: ${(error as Error).message}`);
      }
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  async #apply(message: JsMsg): Promise<void> {
    const report = readOutcome(message);
    if (!report) {
      this.#warn(
        `an outcome on ${message.subject} cannot be read and is dropped; its job runs again when its lease ends`,
      );
      return message.term();
    }
    try {
      if ((await settleJob(this.#sql, report)) === "applied") this.#onSettled(report);
      this.#unsettled.delete(report.job_id);
      // Waits for the broker's confirmation; after a lost connection the message would otherwise stay in the stream.
      await message.ackAck();
    } catch (error) {
      if (this.#unsettled.get(report.job_id)?.token !== report.lease_token) {
        this.#unsettled.set(report.job_id, {
          token: report.lease_token,
          untilMs: performance.now() + this.#guardMs,
        });
      }
      this.#warn(`an outcome could not be stored yet: ${(error as Error).message}`);
      message.nak(STORE_AGAIN_MS);
    }
  }

  /** Returns the jobs that the sweep must skip now. */
  #guarded(): ReadonlySet<string> {
    const now = performance.now();
    for (const [id, { untilMs }] of this.#unsettled) {
      // If another API has stored the outcome, no message reports that here.
      if (untilMs + FORGET_MS < now) this.#unsettled.delete(id);
    }
    return new Set([...this.#unsettled].filter(([, { untilMs }]) => untilMs > now).map(([id]) => id));
  }

  async #sweep(): Promise<void> {
    await wakeSteps(this.#sql, () => freeBytes(this.#files.disk));
    const waiting = await Promise.all(
      [STREAMS.songs.name, STREAMS.stems.name].map((stream) => countWaiting(this.#broker, stream, WORKER_CONSUMER)),
    ).then(
      (counts) => counts.reduce((sum, count) => sum + count, 0),
      () => undefined, // without the broker only leases are swept
    );
    const { givenUp } = await sweepJobs(this.#sql, waiting, this.#guarded());
    for (const { song_id, step } of givenUp) await this.#files.removeTemporary(song_id, attemptMark(step));
    for (const id of await purgeSongs(this.#sql, KEPT_MINUTES)) await this.#files.remove(id);
  }
}

function readOutcome(message: JsMsg): JobOutcome | undefined {
  try {
    const report = message.json<JobOutcome>();
    return typeof report.job_id === "string" && typeof report.outcome?.kind === "string" ? report : undefined;
  } catch {
    return undefined; // not JSON
  }
}
