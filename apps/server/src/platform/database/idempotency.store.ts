import type { Db } from "./database.ts";

/** Time for which the answer of a call can be repeated, hours. */
const KEPT_HOURS = 24;

/** One change of a call with an Idempotency-Key. */
export interface StoredStep {
  readonly step: number;
  readonly request: Uint8Array;
  /** Encrypted answer of the change. */
  readonly answer: Uint8Array | null;
  /** Encrypted response of the call, in step 0. */
  readonly response: Uint8Array | null;
}

/** Reads the stored steps of a call, in order. */
export const readSteps = (db: Db, call: string): Promise<readonly StoredStep[]> =>
  db<StoredStep[]>`
    select step, request, answer, response from idempotency_keys where call = ${call} order by step`.execute();

/** Stores a step with its answer. Fails if another server has stored the same step. */
export const insertStep = (db: Db, call: string, { step, request, answer }: Omit<StoredStep, "response">) =>
  db`insert into idempotency_keys (call, step, request, answer) values (${call}, ${step}, ${request}, ${answer})`.execute();

/** Stores the response of a call, whether or not it has stored a step. */
export const storeResponse = (db: Db, call: string, request: Uint8Array, response: Uint8Array) =>
  db`
    insert into idempotency_keys (call, step, request, response) values (${call}, 0, ${request}, ${response})
    on conflict (call, step, community_id) do update set response = excluded.response`.execute();

/** Deletes answers that are older than 24 hours. */
export async function forgetOldAnswers(db: Db): Promise<void> {
  await db`delete from idempotency_keys where created_at < now() - make_interval(hours => ${KEPT_HOURS})`;
}
