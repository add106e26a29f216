import type { NextMsgRequest, SeqMsgRequest, StoredMsg } from "@nats-io/jetstream";
import type { Broker } from "../../platform/broker/nats.ts";
import { readMessage, type ReadMessage } from "./stream-messages.ts";

/** Start of a page in its stream. */
export type PageFrom =
  | { readonly case: "before"; readonly value: number }
  | { readonly case: "after"; readonly value: number }
  | { readonly case: "until"; readonly value: Date };

export interface PageQuery {
  readonly stream: string;
  /** Subject filter of NATS. */
  readonly subject: string;
  /** Undefined for the newest messages. */
  readonly from: PageFrom | undefined;
  readonly size: number;
}

export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly ReadMessage[];
  /** Sequence number before which there are older messages; 0 if there are none. */
  readonly olderBefore: number;
  /** Sequence number after which there are newer messages; 0 if there are none. */
  readonly newerAfter: number;
  readonly first: number;
  readonly last: number;
}

/** Widest range of sequence numbers in one backward step, which limits unneeded reads. */
const WIDEST = 1024;

/** Returns the next message of a subject at or after a sequence number. */
type Next = (from: number, subject?: string) => Promise<StoredMsg | null>;

/**
 * Reads a page of a stream, message by message, because a consumer per page would remain in the broker. Messages can be
 * read forward only, so backward reading uses ranges that grow while little is found.
 */
export async function readMessages({ jsm }: Broker, { stream, subject, from, size }: PageQuery): Promise<MessagePage> {
  const { state } = await jsm.streams.info(stream);
  const { first_seq: first, last_seq: last } = state;
  const next: Next = async (seq, filter = subject) => {
    const query: SeqMsgRequest & NextMsgRequest = { seq: Math.max(1, seq), next_by_subj: filter };
    return state.messages === 0 || seq > last ? null : jsm.streams.getMessage(stream, query);
  };
  const found =
    from?.case === "after"
      ? await oldestAfter(next, from.value, size)
      : await newestBefore(next, first, await endOf(next, state, from), size);
  return { ...found, first, last };
}

/** Returns the sequence number before which a page ends. */
async function endOf(
  next: Next,
  { first_seq, last_seq }: { readonly first_seq: number; readonly last_seq: number },
  from: Exclude<PageFrom, { case: "after" }> | undefined,
): Promise<number> {
  if (from === undefined) return last_seq + 1;
  if (from.case === "before") return Math.min(from.value, last_seq + 1);
  // Binary search: sequence numbers rise with time.
  let [low, high] = [first_seq, last_seq + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const message = await next(middle, ">");
    if (message && message.time <= from.value) low = message.seq + 1;
    else high = middle;
  }
  return low;
}

async function newestBefore(next: Next, first: number, end: number, size: number) {
  const found: StoredMsg[] = [];
  let width = 2 * size;
  for (let until = end; found.length <= size && until > first; width = Math.min(2 * width, WIDEST)) {
    const start = Math.max(first, until - width);
    found.push(...(await between(next, start, until)).toReversed());
    until = start;
  }
  const page = found.slice(0, size);
  const newer = await next(end);
  return {
    messages: page.map(readMessage),
    olderBefore: found.length > size ? (page.at(-1)?.seq ?? 0) : 0,
    newerAfter: newer ? end - 1 : 0,
  };
}

async function oldestAfter(next: Next, after: number, size: number) {
  const found: StoredMsg[] = [];
  for (let message = await next(after + 1); message && found.length <= size; message = await next(message.seq + 1))
    found.push(message);
  const page = found.slice(0, size);
  const older = await next(1);
  const oldest = page[0]?.seq ?? after + 1;
  return {
    messages: page.toReversed().map(readMessage),
    olderBefore: older && older.seq < oldest ? oldest : 0,
    newerAfter: found.length > size ? (page.at(-1)?.seq ?? 0) : 0,
  };
}

/** Returns messages from `start` up to but excluding `end`, oldest first. */
async function between(next: Next, start: number, end: number): Promise<readonly StoredMsg[]> {
  const found: StoredMsg[] = [];
  for (let message = await next(start); message && message.seq < end; message = await next(message.seq + 1))
    found.push(message);
  return found;
}
