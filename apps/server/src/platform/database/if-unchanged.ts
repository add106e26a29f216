import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Caller } from "../caller.ts";
import type { Db } from "./database.ts";
import { notFound, overtaken } from "../errors.ts";
import { dateOf } from "./timestamps.ts";

/** An entity that two users may edit at the same time. */
interface EditedThing {
  /** Noun in the audit log. */
  readonly noun: string;
  readonly id: string | number;
  readonly updated_at: Date;
  /** Word for messages: "person". */
  readonly word: string;
}

/**
 * Prevents lost updates: rejects a change by a user who has not seen the latest version, and names its editor.
 * @throws aborted if the entity was changed or deleted since the caller read it
 */
export async function requireUnchanged(
  db: Db,
  caller: Caller,
  thing: EditedThing,
  seen: Timestamp | undefined,
): Promise<void> {
  if (!seen || dateOf(seen, "ifUpdatedAt").getTime() === thing.updated_at.getTime()) return;
  throw wasFirst(caller, thing, await lastEntry(db, thing));
}

/** Returns the error for a missing entity; names the user who deleted it to a caller who had read it. */
export async function whyGone(
  db: Db,
  caller: Caller,
  thing: Omit<EditedThing, "updated_at">,
  seen: Timestamp | undefined,
): Promise<Error> {
  const last = seen && (await lastEntry(db, thing));
  if (last?.is_deletion) return wasFirst(caller, thing, last);
  return notFound(thing.word.charAt(0).toUpperCase() + thing.word.slice(1), thing.id);
}

interface LastEntry {
  readonly user_id: string;
  readonly name: string | null;
  readonly is_deletion: boolean;
}

async function lastEntry(db: Db, { noun, id }: Pick<EditedThing, "noun" | "id">): Promise<LastEntry | undefined> {
  const [last] = await db<LastEntry[]>`
    select log.user_id, person.name, log.action = ${`${noun}.deleted`} as is_deletion
    from audit_log log left join users person on person.id = log.user_id
    where log.target = ${`${noun} ${id}`} order by log.id desc limit 1`;
  return last;
}

function wasFirst(caller: Caller, { word }: Pick<EditedThing, "word">, last: LastEntry | undefined): Error {
  const what = `${last?.is_deletion ? "deleted" : "changed"} this ${word} meanwhile`;
  if (last?.user_id === caller.userId) return overtaken(`You ${what}, in another window`);
  // Names of staff are not revealed to guests.
  return overtaken(`${(caller.roles.length > 0 && last?.name) || "Another person"} ${what}`);
}
