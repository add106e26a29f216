import { ulid } from "ulid";
import { subjects } from "@followspot/contract";
import { asJson, type Db } from "./database.ts";

/**
 * Writes a message beside the change that caused it. The relay publishes it once the
 * transaction has committed; the row's id is the message id, so a second publish is dropped.
 */
export async function postMessage(db: Db, subject: string, body: object, id = ulid()): Promise<string> {
  await db`insert into outbox (id, subject, body) values (${id}, ${subject}, ${asJson(db, body)})`;
  return id;
}

/** Tells everybody who listens on `topic`. `type` is `noun.verb_past`. */
export async function postEvent(db: Db, topic: string, type: string, payload: object): Promise<string> {
  const id = ulid();
  const envelope = { id, topic, type, ts: new Date().toISOString(), payload };
  return postMessage(db, subjects.event(topic), envelope, id);
}
