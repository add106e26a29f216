import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Caller } from "./caller.ts";
import type { Db } from "./database.ts";
import { overtaken } from "./errors.ts";
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
  const { noun, id, word } = thing;
  const [last] = await db<{ user_id: string; name: string | null; is_deletion: boolean }[]>`
    select log.user_id, person.name, log.action = ${`${noun}.deleted`} as is_deletion
    from audit_log log left join users person on person.id = log.user_id
    where log.target = ${`${noun} ${id}`} order by log.id desc limit 1`;
  const what = `${last?.is_deletion ? "deleted" : "changed"} this ${word} meanwhile`;
  if (last?.user_id === caller.userId) throw overtaken(`You ${what}, in another window`);
  // Who works here is not told to guests.
  throw overtaken(`${(caller.roles.length > 0 && last?.name) || "Another person"} ${what}`);
}
