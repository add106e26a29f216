import { STREAMS } from "@followspot/contract";
import type { DismissFailuresRequest } from "@followspot/contract/queues";
import type { Broker } from "../../platform/broker/nats.ts";
import { failuresOf } from "./failure-groups.ts";
import type { Failure } from "./failure-log.ts";

/** Messages deleted in parallel. */
const AT_ONCE = 200;

/** Returns the failures named in a request, by number or by cause. @param failures oldest first */
export function namedFailures(
  failures: readonly Failure[],
  { sequences, causes, query }: Pick<DismissFailuresRequest, "sequences" | "causes" | "query">,
): readonly Failure[] {
  const numbers = new Set(sequences.map(Number));
  for (const { key, upTo } of causes)
    for (const { sequence } of failuresOf(failures, key, query)) if (sequence <= upTo) numbers.add(sequence);
  return failures.filter(({ sequence }) => numbers.has(sequence));
}

/**
 * Deletes failures from the stream.
 * @returns number of deleted messages, without those that another caller deleted first
 */
export async function dismissFailures({ jsm }: Broker, failures: readonly Failure[]): Promise<number> {
  let dismissed = 0;
  for (let at = 0; at < failures.length; at += AT_ONCE) {
    const some = failures.slice(at, at + AT_ONCE);
    // The broker rejects the deletion of a deleted message.
    const done = await Promise.all(
      some.map(({ sequence }) => jsm.streams.deleteMessage(STREAMS.failures.name, sequence, false).catch(() => false)),
    );
    dismissed += done.filter(Boolean).length;
  }
  return dismissed;
}
