import { STREAMS, SONG_STEPS, type SongStep } from "@followspot/contract";
import type { Broker } from "../../platform/broker/nats.ts";
import { causeOf } from "./failure-cause.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { readMessage } from "./stream-messages.ts";

/** A parsed message of FAILURES. */
export interface Failure {
  readonly sequence: number;
  readonly subject: string;
  readonly at: Date;
  /** Payload without secrets. */
  readonly data: unknown;
  readonly reason: string;
  /** Queue and cause, which are equal for failures in one group. */
  readonly group: string;
  /** Lower-case text for searches. */
  readonly searched: string;
  /** Song and step for a retry; undefined if the failure names no song or no step that can be retried. */
  readonly target: { readonly songId: string; readonly step: SongStep } | undefined;
}

/** Messages requested in parallel. */
const AT_ONCE = 200;

/**
 * Cache of the failures in the broker, at most ten thousand. Each is read and parsed once, however often they are
 * searched and grouped.
 */
export class FailureLog {
  #failures: Failure[] = [];
  #next = 1;
  #stream = "";
  #reading: Promise<unknown> = Promise.resolve();

  /** Returns the failures, oldest first. @throws if the broker does not respond */
  async read(broker: Broker): Promise<readonly Failure[]> {
    const read = this.#reading.then(() => this.#catchUp(broker));
    this.#reading = read.catch(() => undefined); // the caller receives the error
    await read;
    return this.#failures;
  }

  async #catchUp({ jsm }: Broker): Promise<void> {
    const { name } = STREAMS.failures;
    const { state, created } = await jsm.streams.info(name, { deleted_details: true });
    const dismissed = new Set(state.deleted);
    if (created !== this.#stream || this.#next > state.last_seq + 1) {
      this.#failures = [];
      this.#next = 1;
      this.#stream = created;
    }
    this.#failures = this.#failures.filter(({ sequence }) => sequence >= state.first_seq && !dismissed.has(sequence));
    for (let from = Math.max(this.#next, state.first_seq); from <= state.last_seq; from += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, state.last_seq - from + 1) }, (_, i) => from + i);
      const messages = await Promise.all(numbers.map((seq) => jsm.streams.getMessage(name, { seq })));
      for (const message of messages) if (message) this.#failures.push(toFailure(readMessage(message)));
      this.#next = from + numbers.length;
    }
  }
}

function toFailure({ sequence, subject, at, json, text }: ReturnType<typeof readMessage>): Failure {
  const data = hideSecrets(subject, json ?? text ?? "");
  const reason = reasonOf(data);
  return {
    sequence,
    subject,
    at,
    data,
    reason,
    group: `${subject} ${causeOf(reason)}`,
    searched: `${subject}\n${reason}\n${JSON.stringify(data)}`.toLowerCase(),
    target: failedTarget(subject, data),
  };
}

/** Returns the reason in a failure; its whole payload if it has none. */
function reasonOf(data: unknown): string {
  if (typeof data === "string") return data;
  if (isRecord(data) && typeof data.reason === "string" && data.reason !== "") return data.reason;
  return JSON.stringify(data);
}

/** Returns the song and step of a failure; undefined if it cannot be retried. */
export function failedTarget(subject: string, data: unknown): Failure["target"] {
  if (!isRecord(data) || typeof data.song_id !== "string" || data.song_id === "") return undefined;
  const named = data.step ?? subject.split(".").at(-1);
  const step = SONG_STEPS.find((candidate) => candidate === named);
  return step && { songId: data.song_id, step };
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === "object" && data !== null && !Array.isArray(data);
