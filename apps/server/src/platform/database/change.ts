import { isDeepStrictEqual } from "node:util";
import { topicsOf } from "@followspot/contract";
import type { Caller } from "../caller.ts";
import type { Sql, Tx } from "./database.ts";
import { nextKeyedStep } from "./idempotency.ts";
import type { LockName } from "./locks.ts";
import { envelope, insertMessages, type Message } from "./outbox.ts";
import { transactWith } from "./transaction.ts";

/** A change of one entity, from which both its audit row and its envelope are built. */
export interface Entry {
  /** A noun of the table LIVE, or one without subscribers, such as `session`; then set `topics`. */
  readonly noun: string;
  readonly id: string | number;
  /** Past tense: `noun.verb` names both audit action and envelope. */
  readonly verb: string;
  /**
   * The entity before and after, without secrets and image bytes; undefined if it did not exist. For two rows, the
   * audit log stores only the differences.
   */
  readonly before?: unknown;
  readonly after?: unknown;
  /** Payload for subscribers in addition to the ID; a whole row if the noun has a patch. */
  readonly payload?: object;
  /** Topics to publish on instead of the topics of the noun. */
  readonly topics?: readonly string[];
  /** Whether a member acted for themselves, for example by voting: published, but not written to the audit log. */
  readonly isMembersOwn?: boolean;
}

/** Response of a change and its entries. Without entries nothing was changed. */
export interface Done<Answer> {
  readonly answer: Answer;
  readonly entries: readonly Entry[];
}

/** Builds the result of a change. */
export const done = <Answer>(answer: Answer, ...entries: readonly Entry[]): Done<Answer> => ({ answer, entries });

/**
 * The one way to change something: rows, audit and envelopes in one transaction, run again when PostgreSQL asks for it.
 * A change cannot forget its audit row: what it returns says what it did. In a call with an Idempotency-Key its answer is
 * stored as well, and returned instead of another change when the call is repeated.
 */
export async function change<Answer>(
  sql: Sql,
  caller: Caller,
  work: (tx: Tx) => Promise<Done<Answer>>,
  locks: readonly LockName[] = [],
): Promise<Answer> {
  const step = nextKeyedStep<Answer>();
  if (step?.isStored) return step.answer;
  const changeOnce = async (tx: Tx) => {
    const { answer, entries } = await work(tx);
    const written = writeDown(tx, caller, entries);
    return { answer, last: step ? Promise.all([written, step.store(tx, answer)]) : written };
  };
  const answer = await transactWith(sql, changeOnce, locks);
  step?.onCommit();
  return answer;
}

/**
 * The audit rows and envelopes of a change, as the last statement of its transaction. Everything that can go wrong
 * before the statement is sent is thrown at once: the commit may follow without waiting.
 */
export function writeDown(tx: Tx, caller: Caller, entries: readonly Entry[]): Promise<unknown> {
  const audits = entries.filter((entry) => !entry.isMembersOwn);
  const messages = entries.flatMap(envelopeOf);
  if (audits.length + messages.length === 0) return Promise.resolve();
  const told = insertMessages(tx, messages);
  const kept = audits.map(({ before, after }) => whatDiffers(before, after));
  if (audits.length === 0) return told.execute();
  // One round trip for both statements, because every change pays for it.
  return tx`
    with told as (${told})
    insert into audit_log (user_id, action, target, before, after)
    select ${caller.userId}, action, target, before::jsonb, after::jsonb
    from unnest(
      ${audits.map(({ noun, verb }) => `${noun}.${verb}`)}::text[],
      ${audits.map(({ noun, id }) => `${noun} ${id}`)}::text[],
      ${kept.map(([before]) => JSON.stringify(before ?? null))}::text[],
      ${kept.map(([, after]) => JSON.stringify(after ?? null))}::text[]
    ) as entry (action, target, before, after)`.execute();
}

/** Columns that are derived from the rest of the row, or differ after every change. */
const DERIVED = new Set(["searched", "phone_digits", "updated_at"]);

/**
 * Returns two rows without their common values, or one row without derived and empty values; any other value unchanged.
 */
function whatDiffers(before: unknown, after: unknown): readonly [unknown, unknown] {
  if (!isRow(before) && !isRow(after)) return [before, after];
  const isKept = (name: string, value: unknown) => {
    if (DERIVED.has(name)) return false;
    return isRow(before) && isRow(after) ? !isDeepStrictEqual(before[name], after[name]) : !isEmpty(value);
  };
  const keep = (row: unknown) =>
    isRow(row) ? Object.fromEntries(Object.entries(row).filter(([name, value]) => isKept(name, value))) : row;
  return [keep(before), keep(after)];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function envelopeOf({ noun, id, verb, payload, topics = topicsOf(noun, id) }: Entry): Message | readonly [] {
  if (topics.length === 0) return [];
  return envelope(topics, `${noun}.${verb}`, { [`${noun}_id`]: id, ...payload });
}
