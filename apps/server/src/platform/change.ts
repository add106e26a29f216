import { topicsOf } from "@followspot/contract";
import type { Caller } from "./caller.ts";
import { asJson, type Sql, type Tx } from "./database.ts";
import type { LockName } from "./locks.ts";
import { envelopeRow, type OutboxRow } from "./outbox.ts";
import { transact } from "./transaction.ts";

/** What happened to one thing: its audit row and its envelope say the same. */
export interface Entry {
  /** A noun of the table LIVE, or one nobody listens to, such as `session`; then give `topics`. */
  readonly noun: string;
  readonly id: string | number;
  /** In the past tense: `noun.verb` names audit action and envelope alike. */
  readonly verb: string;
  /** The thing before and after, without secrets and image bytes; absent where there was or is none. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** What listeners get beside the id; a whole row where the noun has a patch. */
  readonly payload?: object;
  /** Told here in place of the topics of the noun. */
  readonly topics?: readonly string[];
  /** What members do for themselves, such as a vote, is told but not written to the audit log. */
  readonly isMembersOwn?: boolean;
}

/** The answer of a change and what it did. No entry: nothing was changed. */
export interface Done<Answer> {
  readonly answer: Answer;
  readonly entries: readonly Entry[];
}

/** For the last line of a change. */
export const done = <Answer>(answer: Answer, ...entries: readonly Entry[]): Done<Answer> => ({ answer, entries });

/**
 * The one way to change something: rows, audit and envelopes in one transaction, run again when PostgreSQL asks for it.
 * A change cannot forget its audit row: what it returns says what it did.
 */
export async function change<Answer>(
  sql: Sql,
  caller: Caller,
  work: (tx: Tx) => Promise<Done<Answer>>,
  locks: readonly LockName[] = [],
): Promise<Answer> {
  return transact(
    sql,
    async (tx) => {
      const { answer, entries } = await work(tx);
      await writeDown(tx, caller, entries);
      return answer;
    },
    locks,
  );
}

/** The audit rows and envelopes of a change in a transaction that is open already. */
export async function writeDown(tx: Tx, caller: Caller, entries: readonly Entry[]): Promise<void> {
  const audits = entries.filter((entry) => !entry.isMembersOwn).map((entry) => auditRow(tx, caller, entry));
  const messages = entries.flatMap((entry) => envelopeRows(tx, entry));
  // One round trip for both: every change pays for it.
  if (audits.length > 0 && messages.length > 0) {
    await tx`
      with told as (insert into outbox ${tx(messages)})
      insert into audit_log ${tx(audits)}`;
  } else if (audits.length > 0) await tx`insert into audit_log ${tx(audits)}`;
  else if (messages.length > 0) await tx`insert into outbox ${tx(messages)}`;
}

function auditRow(tx: Tx, caller: Caller, { noun, id, verb, before, after }: Entry) {
  return {
    user_id: caller.userId,
    action: `${noun}.${verb}`,
    target: `${noun} ${id}`,
    before: asJson(tx, before ?? null),
    after: asJson(tx, after ?? null),
  };
}

function envelopeRows(tx: Tx, { noun, id, verb, payload, topics }: Entry): OutboxRow[] {
  const told = topics ?? topicsOf(noun, id);
  return told.map((topic) => envelopeRow(tx, topic, `${noun}.${verb}`, { [`${noun}_id`]: id, ...payload }));
}
