import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Caller } from "./caller.ts";
import type { Db } from "./database.ts";
import { notFound, overtaken } from "./errors.ts";
import { dateOf } from "./timestamps.ts";

/** A thing that two people may edit at once. */
interface EditedThing {
  /** As entries of the audit log name it. */
  readonly noun: string;
  readonly id: string | number;
  readonly updated_at: Date;
  /** What a sentence calls it: "person". */
  readonly word: string;
}

/**
 * For two editors of one thing: refuses the change of the one who has not seen the other's, and says who was first.
 * @throws aborted when the thing was changed or deleted since the caller read it
 */
export async function requireUnchanged(
  db: Db,
  caller: Caller,
  thing: EditedThing,
  seen: Timestamp | undefined,
): Promise<void> {
  if (!seen || dateOf(seen, "if_updated_at").getTime() === thing.updated_at.getTime()) return;
  throw wasFirst(caller, thing, await lastEntry(db, thing));
}

/** Why there is no such thing; says to a person who had read it who deleted it meanwhile. */
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
  // Who works here is not told to guests.
  return overtaken(`${(caller.roles.length > 0 && last?.name) || "Another person"} ${what}`);
}
