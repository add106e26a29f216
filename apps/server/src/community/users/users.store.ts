import { newId } from "../../platform/database/ids.ts";
import type { Role } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Fragment, ListDefinition } from "../../platform/database/lists.ts";
import { spellingsOf, type HomeCountry } from "./phone-numbers.ts";

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly purpose: string;
  readonly bio: string;
  /** Email or phone of a person who joined by link, normalized; empty for none. Never used to sign in. */
  readonly unconfirmed_address: string;
  readonly photo_id: string | null;
  readonly photo_updated_at: Date | null;
  readonly verified_at: Date | null;
  readonly phone_verified_at: Date | null;
  readonly roles: Role[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly last_seen_at: Date | null;
}

export interface UserChange {
  readonly name?: string;
  readonly username?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly purpose?: string;
  readonly bio?: string;
  readonly roles?: readonly Role[];
  readonly is_script?: boolean;
  readonly unconfirmed_address?: string;
  readonly photo_id?: string;
  readonly photo_updated_at?: Date;
}

/** Users, newest first, with the columns of lists and profiles. */
export const USER_LIST: ListDefinition = {
  columns: (db) => db`
    users.id, users.name, users.username, users.email, users.phone, users.purpose, users.bio, users.photo_id,
    users.photo_updated_at, users.verified_at, users.phone_verified_at, users.roles, users.created_at,
    users.updated_at, users.deleted_at, users.last_seen_at, users.unconfirmed_address`,
  from: (db) => db`users`,
  id: (db) => db`users.id`,
  idType: "text",
  orders: {
    created_at: "id",
    name: { by: (db) => db`lower(users.name)`, type: "text" },
    // Letters sort after digits, so users without a phone come last.
    phone: { by: (db) => db`coalesce(nullif(users.phone_digits, ''), 'none')`, type: "text" },
    status: {
      by: (db) => db`case when users.deleted_at is not null then 2 when users.verified_at is null then 1 else 0 end`,
      type: "integer",
    },
  },
  ownOrder: "created_at desc",
  filters: {
    active: (db) => db`deleted_at is null`,
    verified: (db) => db`deleted_at is null and verified_at is not null`,
    pending: (db) => db`deleted_at is null and verified_at is null`,
    deleted: (db) => db`deleted_at is not null`,
    admin: (db) => db`deleted_at is null and roles @> array['Admin']`,
    director: (db) => db`deleted_at is null and roles @> array['Director']`,
    ai: (db) => db`deleted_at is null and roles @> array['AI']`,
    online: (db) => db`deleted_at is null and last_seen_at > now() - make_interval(secs => ${ONLINE_SECONDS})`,
  },
  searched: (db) => db`users.searched`,
};

/**
 * Condition for users with a role, deleted ones included. @param role "Member" for users without a role, empty for all
 */
export function peopleOf(db: Db, role: string): Fragment {
  if (role === "") return db`true`;
  // The index on roles leaves out users without one; the planner uses it only if the query excludes them as well.
  return role === "Member" ? db`users.roles = '{}'` : db`(users.roles <> '{}' and users.roles @> array[${role}])`;
}

/** Users seen within this time count as online, s. `last_seen_at` is updated at most once a minute. */
export const ONLINE_SECONDS = 120;

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await db<UserRow[]>`select * from users where id = ${id}`;
  return row;
}

/** Locks a user until the transaction ends. */
export async function lockUser(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await db<UserRow[]>`select * from users where id = ${id} for update`;
  return row;
}

/** Returns the users with an email or with any spelling of a phone number. @param target from `loginTarget` */
function usersWith(db: Db, target: string, country: HomeCountry): Fragment {
  if (target.includes("@")) return db`(select * from users where lower(nullif(email, '')) = ${target}) as users`;
  // The index leaves out users without a phone. OFFSET 0 keeps one index scan per spelling.
  return db`unnest(${[...spellingsOf(target, country)]}::text[]) as spelling (digits) cross join lateral (
    select * from users where phone_digits = spelling.digits and phone_digits <> '' offset 0) as users`;
}

/** Returns the active user with an email or a phone number; undefined if several users share the number. */
export async function findUserByTarget(db: Db, target: string, country?: HomeCountry): Promise<UserRow | undefined> {
  const rows = await db<UserRow[]>`
    select users.* from ${usersWith(db, target, country)} where deleted_at is null limit 2`;
  return rows.length === 1 ? rows[0] : undefined;
}

/** Returns the users with this email or phone, those who are not deleted first. */
export async function findPeopleByTarget(db: Db, target: string, country?: HomeCountry): Promise<readonly UserRow[]> {
  return db<UserRow[]>`
    select users.* from ${usersWith(db, target, country)} order by deleted_at is not null, id limit 2`;
}

/** Whether a user has this email or phone. Deleted users count because they may be restored. */
export async function isTargetTaken(db: Db, target: string, country?: HomeCountry): Promise<boolean> {
  const rows = await db`select 1 from ${usersWith(db, target, country)} limit 1`;
  return rows.length > 0;
}

export async function insertUser(db: Db, user: UserChange & { readonly name: string }): Promise<UserRow> {
  const [row] = await db<UserRow[]>`insert into users ${db({ id: newId(), ...user })} returning *`;
  return row!; // an insert returns its row
}

export async function updateUser(db: Db, id: string, change: UserChange): Promise<UserRow> {
  const photo = change.photo_id === undefined ? db`` : db`, photo_updated_at = now()`;
  const [row] = await db<UserRow[]>`
    update users set ${db({ ...change, updated_at: new Date() })} ${photo} where id = ${id} returning *`;
  return row!; // callers hold the row
}

/**
 * Returns the number of a user's changes of their own profile within the last hour, and the seconds until the first of
 * them is an hour old.
 */
export async function ownChangesOfHour(db: Db, id: string): Promise<{ changes: number; seconds_left: number }> {
  const [row] = await db<{ changes: number; seconds_left: number }[]>`
    select count(*)::int as changes,
      coalesce(ceil(extract(epoch from min(at) + interval '1 hour' - clock_timestamp())), 0)::int as seconds_left
    from audit_log
    where target = ${`user ${id}`} and user_id = ${id} and action = 'user.updated' and at > now() - interval '1 hour'`;
  return row!; // a count always returns a row
}

/** Marks the address that a code was sent to as verified. */
export async function markVerified(db: Db, id: string, target: string): Promise<UserRow> {
  const byPhone = !target.includes("@");
  const [row] = await db<UserRow[]>`
    update users set verified_at = coalesce(verified_at, now()),
      phone_verified_at = case when ${byPhone} then coalesce(phone_verified_at, now()) else phone_verified_at end
    where id = ${id} returning *`;
  return row!; // callers hold the row
}

export async function setDeleted(db: Db, id: string, deleted: boolean): Promise<UserRow> {
  const [row] = await db<UserRow[]>`
    update users set deleted_at = case when ${deleted} then now() end, updated_at = now() where id = ${id} returning *`;
  return row!; // callers hold the row
}

/**
 * Deletes a user with their photo, and what the audit log holds about their name, addresses and sign-ins. Other audit
 * rows name users by ID only.
 */
export async function removeUser(db: Db, user: UserRow): Promise<void> {
  await db`delete from users where id = ${user.id}`;
  await removeTraces(db, user);
}

/** Name of an account whose user deleted it. */
export const ERASED_NAME = "Deleted user";

/**
 * Deletes a user together with their name, addresses, profile and photo, also from the audit log and the list of sign-ins. Rows
 * of other tables keep the ID. Not reversible.
 */
export async function eraseUser(db: Db, user: UserRow): Promise<UserRow> {
  const [row] = await db<UserRow[]>`
    update users set name = ${ERASED_NAME}, username = '', email = '', phone = '', unconfirmed_address = '', purpose = '', bio = '', roles = '{}',
      photo_id = null, photo_updated_at = null, verified_at = null, phone_verified_at = null, last_seen_at = null,
      deleted_at = now(), updated_at = now()
    where id = ${user.id} returning *`;
  await db`update sessions set note = '', client = '' where user_id = ${user.id}`;
  await removeTraces(db, user);
  return row!; // callers hold the row
}

/** Deletes the photo of a user and what the audit log holds about their name, addresses and sign-ins. */
async function removeTraces(db: Db, user: UserRow): Promise<void> {
  if (user.photo_id) await db`delete from images where id = ${user.photo_id}`;
  await db`
    update audit_log set before = null, after = null
    where target = ${`user ${user.id}`} or (user_id = ${user.id} and split_part(action, '.', 1) = 'session')`;
}

/** Whether another active Admin exists. @param exceptId user about to lose the role */
export async function hasOtherAdmin(db: Db, exceptId: string): Promise<boolean> {
  const rows = await db`
    select 1 from users where 'Admin' = any(roles) and not is_script and deleted_at is null and id <> ${exceptId} limit 1`;
  return rows.length > 0;
}

/** Returns active users by similarity of purpose and bio, closest first; empty if both texts of the user are empty. */
export async function findSimilarUsers(
  db: Db,
  user: UserRow,
  limit: number,
): Promise<readonly (UserRow & { similarity: number })[]> {
  const about = `${user.purpose} ${user.bio}`;
  if (about.trim() === "") return [];
  return db<(UserRow & { similarity: number })[]>`
    select *, similarity(purpose || ' ' || bio, ${about})::float8 as similarity from users
    where id <> ${user.id} and deleted_at is null and purpose || bio <> ''
    order by (purpose || ' ' || bio) <-> ${about} limit ${limit}`;
}

/** Whether another user has this email. Deleted users count because they may be restored. */
export async function isEmailTaken(db: Db, email: string, exceptId: string): Promise<boolean> {
  const rows =
    await db`select 1 from users where lower(nullif(email, '')) = lower(${email}) and id <> ${exceptId} limit 1`;
  return rows.length > 0;
}
