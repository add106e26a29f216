import { LIVE } from "@followspot/contract";
import type { Db } from "../platform/database.ts";
import type { Fragment, ListDefinition } from "../platform/lists.ts";

export interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly user_id: string;
  readonly user_name: string | null;
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Kinds of things whose changes can be looked at alone. */
const NOUNS = [...Object.keys(LIVE), "session", "message_queue", "worker"];

/** The kind of thing, as the index has it. */
const noun = (db: Db) => db`split_part(a.action, '.', 1)`;

/** The log, newest first. Names of people and venues are looked up, never kept. */
export const AUDIT_LIST: ListDefinition = {
  columns: (db) => db`
    a.id, a.at, a.user_id, coalesce(u.name, v.name) as user_name, a.action, a.target, a.before, a.after`,
  from: (db) => db`audit_log a left join users u on u.id = a.user_id left join venues v on v.id = a.user_id`,
  id: (db) => db`a.id`,
  idType: "bigint",
  orders: { at: "id" },
  ownOrder: "at desc",
  filters: Object.fromEntries(NOUNS.map((name) => [name, (db: Db) => db`${noun(db)} = ${name}`])),
  // Parted by a line break: what a person searches for lies in one of the two, and each has an index.
  searched: (db) => db`lower(a.action || ' ' || a.target || chr(10) || coalesce(u.name, ''))`,
  narrowed: (db, pattern) => db`
    (lower(a.action || ' ' || a.target) like ${pattern}
      or a.user_id = any(array(select id from users where searched like ${pattern} and lower(name) like ${pattern})))`,
};

/** Only entries of one thing, by one person, or of one action; empty texts narrow nothing. */
export function entriesOf(
  db: Db,
  { target, userId, action }: { readonly target: string; readonly userId: string; readonly action: string },
): Fragment {
  return db`${target === "" ? db`true` : db`a.target = ${target}`}
    and ${userId === "" ? db`true` : db`a.user_id = ${userId}`}
    and ${action === "" ? db`true` : db`${noun(db)} = split_part(${action}, '.', 1) and a.action = ${action}`}`;
}

/** Where things have their names. Only these nouns are looked up; what has no name is called by its id alone. */
const NAMED: Readonly<Record<string, (db: Db, ids: readonly string[]) => Fragment>> = {
  user: (db, ids) => db`select id, name from users where id = any(${ids as string[]})`,
  event: (db, ids) => db`select id, title as name from events where id = any(${ids as string[]})`,
  talk: (db, ids) => db`select id, title as name from talks where id = any(${ids as string[]})`,
  playlist: (db, ids) => db`select id, name from playlists where id = any(${ids as string[]})`,
  song: (db, ids) => db`select id, title as name from songs where id = any(${ids as string[]})`,
  light: (db, ids) => db`select id::text, label as name from lights where id::text = any(${ids as string[]})`,
  gold_transaction: (db, ids) => db`
    select t.id, concat_ws(' → ', giver.name, getter.name) as name from gold_transactions t
    left join users giver on giver.id = t.from_account left join users getter on getter.id = t.to_account
    where t.id = any(${ids as string[]})`,
  worker: (db, ids) => db`select id, name from workers where id = any(${ids as string[]})`,
  light_group: (db, ids) => db`select id, name from light_groups where id = any(${ids as string[]})`,
  // One without a label is called by where it sends.
  output: (db, ids) => db`
    select id, coalesce(nullif(label, ''), host) as name from outputs where id = any(${ids as string[]})`,
  thread: (db, ids) => db`select id, title as name from chat_threads where id = any(${ids as string[]})`,
  // A sign-in is called by who signed in, and with what.
  session: (db, ids) => db`
    select s.id, concat_ws(' · ', u.name, nullif(s.client, '')) as name from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids as string[]})`,
  check_in: (db, ids) => comersOf(db, "check_in", ids),
  registration: (db, ids) => comersOf(db, "registration", ids),
  stage_screen: screensOf,
  stage_link: screensOf,
};

/** Who came, or is to come, and to what: also once it was undone, by what the log keeps of it. */
function comersOf(db: Db, noun: string, ids: readonly string[]): Fragment {
  return db`
    select distinct on (a.target) split_part(a.target, ' ', 2) as id, concat_ws(' · ', u.name, e.title) as name
    from audit_log a
    join users u on u.id = coalesce(a.after, a.before) ->> 'user_id'
    left join events e on e.id = coalesce(a.after, a.before) ->> 'event_id'
    where a.target = any(${ids.map((id) => `${noun} ${id}`)})
    order by a.target, a.id`;
}

/** A stage screen has the id of its event, and is called as that is; the one without an event has no name. */
function screensOf(db: Db, ids: readonly string[]): Fragment {
  return NAMED["event"]!(db, ids);
}

/** What things are called now that have a name, by kind and id as targets of entries are. */
export async function namesOf(db: Db, targets: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const byNoun = Map.groupBy(new Set(targets), (target) => target.split(" ", 1)[0] ?? "");
  const names = new Map<string, string>();
  const lookUps = [...byNoun].map(async ([name, ofNoun]) => {
    const find = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (!find) return;
    const ids = ofNoun.map((target) => target.slice(name.length + 1));
    const rows = await db<{ id: string; name: string }[]>`${find(db, ids)}`;
    for (const row of rows) if (row.name !== "") names.set(`${name} ${row.id}`, row.name);
  });
  await Promise.all(lookUps);
  return names;
}
