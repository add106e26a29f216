import { newId } from "./ids.ts";
import { subjects, topicsOf } from "@followspot/contract";
import type { Db, Sql } from "./database.ts";

/** A message stored with the change that caused it. The relay publishes it after the transaction has committed. */
export interface Message {
  /** Also the NATS message ID, so that duplicates are dropped. */
  readonly id: string;
  readonly subject: string;
  /** JSON. */
  readonly body: string;
}

/** Shortest interval between notifications of relays, ms; the first of many concurrent changes notifies immediately. */
const RING_MS = 30;
const rungAt = new WeakMap<Sql, number>();
const ringing = new WeakSet<Sql>();

/**
 * Notifies the relays of all replicas after the commit of a transaction that may have written messages. Not inside the
 * transaction: PostgreSQL serializes the commits of transactions that notify. A relay that misses a notification polls
 * within a second.
 */
export function ringOutbox(sql: Sql): void {
  if (ringing.has(sql)) return;
  ringing.add(sql);
  const waitMs = Math.max(0, (rungAt.get(sql) ?? -Infinity) + RING_MS - performance.now());
  setTimeout(() => {
    ringing.delete(sql);
    rungAt.set(sql, performance.now());
    sql`select pg_notify(${channel(sql)}, '')`.catch(() => {}); // while the database is unavailable, there is no message either
  }, waitMs).unref();
}

/** Returns the SQL for the notification channel of this community. */
const channel = (db: Db) => db`'outbox' || coalesce('_' || nullif(current_community(), 1), '')`;

/** Returns the channel on which relays of this community are notified. */
export async function outboxChannel(sql: Sql): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select ${channel(sql)} as name`;
  return row!.name; // one row without a table
}

/** Writes a message for the broker. */
export async function postMessage(db: Db, subject: string, body: object): Promise<void> {
  await insertMessages(db, [{ id: newId(), subject, body: JSON.stringify(body) }]);
}

/**
 * Publishes an event to all subscribers of a noun that no user caused, such as a step of the song pipeline.
 *
 * @param noun of the table LIVE
 * @param verb in the past tense
 */
export async function tell(db: Db, noun: string, id: string | number, verb: string, payload: object): Promise<void> {
  await postEnvelope(db, topicsOf(noun, id), `${noun}.${verb}`, { [`${noun}_id`]: id, ...payload });
}

/** Publishes an event to all subscribers of the topics; `type` is `noun.verb_past`. */
export async function postEnvelope(db: Db, topics: readonly string[], type: string, payload: object): Promise<void> {
  await insertMessages(db, [envelope(topics, type, payload)]);
}

/** Builds one message that is delivered on all of these topics. */
export function envelope(topics: readonly string[], type: string, payload: object): Message {
  const id = newId();
  const body = JSON.stringify({ id, topics, type, ts: new Date().toISOString(), payload });
  return { id, subject: subjects.event(type), body };
}

/** Returns the statement that inserts messages; it can be part of a larger one. */
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
