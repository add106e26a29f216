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
} from "@followspot/contract";
import type { Consumer, JsMsg } from "@nats-io/jetstream";
import { WORKER_CONSUMER, type Broker } from "../../platform/broker/nats.ts";
import type { Jobs, Lane, TakenJob } from "./jobs.ts";

const REQUEST_MS = 5000;
const NEXT_JOB_MS = 2000;
/** Longest wait for the broker to acknowledge a report, ms. */
const STORED_MS = 2000;

/**
 * Jobs from the server on this machine: job IDs from JetStream, claims and lease renewals by NATS request, outcomes on
 * RESPONSE_QUEUE.
 */
export class BrokerJobs implements Jobs {
  readonly #broker: Broker;
  readonly #worker: string;
  readonly #consumers = new Map<Lane, Consumer>();

  /** @param worker ID recorded with the jobs this worker is granted */
  constructor(broker: Broker, worker: string) {
    this.#broker = broker;
    this.#worker = worker;
  }

  async next(lane: Lane): Promise<TakenJob | undefined> {
    try {
      const consumer = this.#consumers.get(lane) ?? (await this.#openConsumer(lane));
      const message = await consumer.next({ expires: NEXT_JOB_MS });
      return message ? await this.#claim(message) : undefined;
    } catch (error) {
      // A restarted broker has a new consumer.
      this.#consumers.delete(lane);
      throw error;
    }
  }

  async report(job: GrantedJob, outcome: JobOutcome["outcome"]): Promise<void> {
    const report: JobOutcome = { job_id: job.job_id, lease_token: job.lease_token, outcome };
    const options = { msgID: job.lease_token, timeout: STORED_MS };
    await this.#broker.js.publish(subjects.response(job.step), JSON.stringify(report), options);
  }

  async #openConsumer(lane: Lane): Promise<Consumer> {
    const consumer = await this.#broker.js.consumers.get(STREAMS[lane].name, WORKER_CONSUMER);
    this.#consumers.set(lane, consumer);
    return consumer;
  }

  async #claim(message: JsMsg): Promise<TakenJob | undefined> {
    const job_id = jobIdOf(message);
    if (job_id === undefined) return void message.ack(); // no job: an unacknowledged message would be redelivered forever
    const claim = await this.#ask<ClaimRequest, ClaimReply>(subjects.claim, { job_id, worker: this.#worker });
    if (claim === undefined) return void message.nak(2000); // no API responds: the message is redelivered later
    if (claim.kind === "skipped") return void message.ack();
    if (claim.kind === "busy") return void message.nak(claim.retry_after_ms);
    return {
      job: claim.job,
      renew: async (request) => {
        message.working();
        return this.#ask<HeartbeatRequest, HeartbeatReply>(subjects.heartbeat, request);
      },
      done: () => message.ack(),
    };
  }

  async #ask<Request extends object, Reply>(subject: string, request: Request): Promise<Reply | undefined> {
    try {
      const answer = await this.#broker.connection.request(subject, JSON.stringify(request), { timeout: REQUEST_MS });
      return answer.json<Reply>();
    } catch {
      return undefined; // no reply; the caller decides how to react
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
