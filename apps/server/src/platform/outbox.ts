import { newId } from "./ids.ts";
import { subjects, topicsOf } from "@followspot/contract";
import type { Db, Sql } from "./database.ts";

/** A message beside the change that caused it. The relay publishes it once the transaction has committed. */
export interface Message {
  /** The message id as well, so that a second publish is dropped. */
  readonly id: string;
  readonly subject: string;
  /** JSON. */
  readonly body: string;
}

/** Relays are woken at most this often: the first of many changes at once, those that follow together. */
const RING_MS = 30;
const rungAt = new WeakMap<Sql, number>();
const ringing = new WeakSet<Sql>();

/**
 * Wakes the relays of all replicas, once a transaction that may have written messages has committed. Not from within
 * it: PostgreSQL lets transactions that notify commit only one after the other. A relay that misses the ring looks
 * by itself within a second.
 */
export function ringOutbox(sql: Sql): void {
  if (ringing.has(sql)) return;
  ringing.add(sql);
  const waitMs = Math.max(0, (rungAt.get(sql) ?? -Infinity) + RING_MS - performance.now());
  setTimeout(() => {
    ringing.delete(sql);
    rungAt.set(sql, performance.now());
    sql`select pg_notify(${channel(sql)}, '')`.catch(() => {}); // the database is away: so is the message
  }, waitMs).unref();
}

/** Whom a ring wakes: relays of the same community. */
const channel = (db: Db) => db`'outbox' || coalesce('_' || nullif(current_community(), 1), '')`;

/** The channel on which relays of this community are woken. */
export async function outboxChannel(sql: Sql): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select ${channel(sql)} as name`;
  return row!.name; // one row without a table
}

/** Writes a message for the broker. */
export async function postMessage(db: Db, subject: string, body: object): Promise<void> {
  await insertMessages(db, [{ id: newId(), subject, body: JSON.stringify(body) }]);
}

/**
 * Tells everybody who listens to a noun what happened without a person's doing, such as a step of the song pipeline.
 *
 * @param noun of the table LIVE
 * @param verb in the past tense
 */
export async function tell(db: Db, noun: string, id: string | number, verb: string, payload: object): Promise<void> {
  await postEnvelope(db, topicsOf(noun, id), `${noun}.${verb}`, { [`${noun}_id`]: id, ...payload });
}

/** Tells everybody who listens to one of these topics; `type` is `noun.verb_past`. */
export async function postEnvelope(db: Db, topics: readonly string[], type: string, payload: object): Promise<void> {
  await insertMessages(db, [envelope(topics, type, payload)]);
}

/** One message that is an envelope on each of these topics, however many they are. */
export function envelope(topics: readonly string[], type: string, payload: object): Message {
  const id = newId();
  const body = JSON.stringify({ id, topics, type, ts: new Date().toISOString(), payload });
  return { id, subject: subjects.event(type), body };
}

/** The statement that writes messages; also a part of a larger one. */
export function insertMessages(db: Db, messages: readonly Message[]) {
  return db`
    insert into outbox (id, subject, body)
    select id, subject, body
    from unnest(
      ${messages.map(({ id }) => id)}::text[],
      ${messages.map(({ subject }) => subject)}::text[],
      ${messages.map(({ body }) => body)}::text[]
    ) as message (id, subject, body)`;
}
