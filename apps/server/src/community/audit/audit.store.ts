import { LIVE } from "@followspot/contract";
import type { Db } from "../../platform/database/database.ts";
import type { Fragment, ListDefinition } from "../../platform/database/lists.ts";

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

/** Kinds of things by which the log can be filtered. */
const NOUNS = [...Object.keys(LIVE), "session", "message_queue", "worker"];

/** Kind of the changed thing, in the expression of the index. */
const noun = (db: Db) => db`split_part(a.action, '.', 1)`;

/** Audit log, newest first. Names of users and venues are joined, never stored. */
export const AUDIT_LIST: ListDefinition = {
  columns: (db) => db`
    a.id, a.at, a.user_id, coalesce(u.name, v.name) as user_name, a.action, a.target, a.before, a.after`,
  from: (db) => db`audit_log a left join users u on u.id = a.user_id left join venues v on v.id = a.user_id`,
  id: (db) => db`a.id`,
  idType: "bigint",
  orders: { at: "id" },
  ownOrder: "at desc",
  filters: Object.fromEntries(NOUNS.map((name) => [name, (db: Db) => db`${noun(db)} = ${name}`])),
  // Separated by a line break: a search text matches either side, and each side has an index.
  searched: (db) => db`lower(a.action || ' ' || a.target || chr(10) || coalesce(u.name, ''))`,
  narrowed: (db, pattern) => db`
    (lower(a.action || ' ' || a.target) like ${pattern}
      or a.user_id = any(array(select id from users where searched like ${pattern} and lower(name) like ${pattern})))`,
};

/** Condition for entries of one thing, by one user, or of one action; empty values do not filter. */
export function entriesOf(
  db: Db,
  { target, userId, action }: { readonly target: string; readonly userId: string; readonly action: string },
): Fragment {
  return db`${target === "" ? db`true` : db`a.target = ${target}`}
    and ${userId === "" ? db`true` : db`a.user_id = ${userId}`}
    and ${action === "" ? db`true` : db`${noun(db)} = split_part(${action}, '.', 1) and a.action = ${action}`}`;
}

/** Queries for the names of things by noun. Other things are shown by ID only. */
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
  // An output without a label is named by its host.
  output: (db, ids) => db`
    select id, coalesce(nullif(label, ''), host) as name from outputs where id = any(${ids as string[]})`,
  thread: (db, ids) => db`select id, title as name from chat_threads where id = any(${ids as string[]})`,
  // A session is named by its user and client.
  session: (db, ids) => db`
    select s.id, concat_ws(' · ', u.name, nullif(s.client, '')) as name from sessions s join users u on u.id = s.user_id
    where s.id = any(${ids as string[]})`,
  check_in: (db, ids) => comersOf(db, "check_in", ids),
  registration: (db, ids) => comersOf(db, "registration", ids),
  stage_screen: screensOf,
  stage_link: screensOf,
};

/** Names of check-ins and registrations: user and event, also for deleted ones, from the data in the log. */
function comersOf(db: Db, noun: string, ids: readonly string[]): Fragment {
  return db`
    select distinct on (a.target) split_part(a.target, ' ', 2) as id, concat_ws(' · ', u.name, e.title) as name
    from audit_log a
    join users u on u.id = coalesce(a.after, a.before) ->> 'user_id'
    left join events e on e.id = coalesce(a.after, a.before) ->> 'event_id'
    where a.target = any(${ids.map((id) => `${noun} ${id}`)})
    order by a.target, a.id`;
}

/** Names of stage screens: a screen has the ID and the name of its event; the default screen has no name. */
function screensOf(db: Db, ids: readonly string[]): Fragment {
  return NAMED["event"]!(db, ids);
}

/** Returns the current names of things by target, such as `event 01J…`; things without a name are left out. */
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
