import type { Parameter } from "postgres";
import { ulid } from "ulid";
import { subjects, topicsOf } from "@followspot/contract";
import { asJson, type Db, type Sql } from "./database.ts";

/** A message beside the change that caused it. The relay publishes it once the transaction has committed. */
export interface OutboxRow {
  /** The message id as well, so that a second publish is dropped. */
  readonly id: string;
  readonly subject: string;
  readonly body: Parameter;
}

/** Changes that come this close together wake the relays once. */
const RING_MS = 10;
const ringing = new WeakSet<Sql>();

/**
 * Wakes the relays of all replicas, once a transaction that may have written messages has committed. Not from within
 * it: PostgreSQL lets transactions that notify commit only one after the other. A relay that misses the ring looks
 * by itself within a second.
 */
export function ringOutbox(sql: Sql): void {
  if (ringing.has(sql)) return;
  ringing.add(sql);
  setTimeout(() => {
    ringing.delete(sql);
    sql.notify("outbox", "").catch(() => {}); // the database is away: so is the message
  }, RING_MS).unref();
}

/** Writes a message for the broker. */
export async function postMessage(db: Db, subject: string, body: object): Promise<void> {
  await db`insert into outbox (id, subject, body) values (${ulid()}, ${subject}, ${asJson(db, body)})`;
}

/**
 * Tells everybody who listens to a noun what happened without a person's doing, such as a step of the song line.
 *
 * @param noun of the table LIVE
 * @param verb in the past tense
 */
export async function tell(db: Db, noun: string, id: string | number, verb: string, payload: object): Promise<void> {
  const rows = topicsOf(noun, id).map((topic) =>
    envelopeRow(db, topic, `${noun}.${verb}`, { [`${noun}_id`]: id, ...payload }),
  );
  await db`insert into outbox ${db(rows)}`;
}

/** Tells everybody who listens to one topic; `type` is `noun.verb_past`. */
export async function postEnvelope(db: Db, topic: string, type: string, payload: object): Promise<void> {
  await db`insert into outbox ${db(envelopeRow(db, topic, type, payload))}`;
}

/** One envelope as a row of the outbox. */
export function envelopeRow(db: Db, topic: string, type: string, payload: object): OutboxRow {
  const id = ulid();
  const envelope = { id, topic, type, ts: new Date().toISOString(), payload };
  return { id, subject: subjects.event(topic), body: asJson(db, envelope) };
}
