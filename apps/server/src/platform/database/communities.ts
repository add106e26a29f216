import type { Db, Sql, Tx } from "./database.ts";

/** The first community of an installation, and often its only one. */
export const FIRST = { id: 1, slug: "first" } as const;
/** Tables of the installation whose rows belong to no community, with the reason. */
export const OF_THE_INSTALLATION: Readonly<Record<string, string>> = {
  migrations: "changes of the tables are made once for all",
  communities: "says who there is; each sees its own row",
};

/** A community that shares the database. */
export interface Community {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  /** Database role of the community; null for the first one while it is alone. */
  readonly role: string | null;
}

/**
 * Returns all communities of an installation.
 * @param db connection of the table owner; a community sees only itself
 */
export async function listCommunities(db: Db): Promise<readonly Community[]> {
  return db<Community[]>`select id, slug, name, role from communities order by id`;
}

/** Whether a connection sees the rows of all communities, because it belongs to the owner or a superuser. */
export async function seesAll(db: Db): Promise<boolean> {
  const [row] = await db<{ active: boolean }[]>`select row_security_active('users') as active`;
  return row?.active === false;
}

/** Rows that every community has from its creation; migrations inserted those of the first one. */
const FIRST_ROWS: readonly string[] = [
  "insert into rig_revision (revision, community_id) values (1, $1)",
  "insert into gold_accounts (id, kind, community_id) values ('mint', 'mint', $1)",
  ...["show_queue", "pa_player", "sign_up", "heartbeat", "first_steps"].map(
    (table) => `insert into ${table} (community_id) values ($1)`,
  ),
];

/**
 * Adds a community with its own role, which can access only the community's rows.
 * @param tx transaction of the table owner, who may create roles
 * @param password hexadecimal
 */
export async function insertCommunity(tx: Tx, { slug, name, role, password }: NewCommunity): Promise<Community> {
  const [row] = await tx<Community[]>`
    insert into communities (id, slug, name, role) select max(id) + 1, ${slug}, ${name}, ${role} from communities
    returning id, slug, name, role`;
  const community = row!; // the first community always exists
  for (const text of FIRST_ROWS) await tx.unsafe(text, [community.id]);
  await createRole(tx, role, password);
  return community;
}

export interface NewCommunity {
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly password: string;
}

/** Creates a database role for the first community, which is no longer alone. */
export async function giveRole(tx: Tx, id: number, { role, password }: Pick<NewCommunity, "role" | "password">) {
  await createRole(tx, role, password);
  await tx`update communities set role = ${role} where id = ${id}`;
}

async function createRole(tx: Tx, role: string, password: string): Promise<void> {
  if (!/^[0-9a-f]+$/.test(password)) throw new RangeError("password: must be hexadecimal");
  await tx.unsafe(
    `create role "${role}" login noinherit nosuperuser nocreatedb nocreaterole nobypassrls password '${password}'`,
  );
  await grantRights(tx, [role]);
}

/** Grants roles read and write access to rows of all existing tables. */
export async function grantRights(tx: Tx, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const names = roles.map((role) => `"${role}"`).join(", ");
  await tx.unsafe(`
    grant usage on schema public to ${names};
    grant select, insert, update, delete on all tables in schema public to ${names};
    grant usage, select on all sequences in schema public to ${names};
    revoke insert, update, delete on ${Object.keys(OF_THE_INSTALLATION).join(", ")} from ${names}`);
}

/**
 * Removes every row of a community, and its role.
 * @param tx transaction of the table owner
 */
export async function deleteCommunity(tx: Tx, { id, role }: Community): Promise<void> {
  for (const table of await tablesOfCommunities(tx)) {
    // Removes append-only rows, too.
    await tx`alter table ${tx(table)} disable trigger user`;
  }
  await deleteRows(tx, id);
  for (const table of await tablesOfCommunities(tx)) await tx`alter table ${tx(table)} enable trigger user`;
  await tx`delete from communities where id = ${id}`;
  if (role === null) return;
  await tx.unsafe(`
    revoke all on all tables in schema public from "${role}";
    revoke all on all sequences in schema public from "${role}";
    revoke all on schema public from "${role}";
    drop role "${role}"`);
}

/** Returns the tables whose rows belong to communities, each after those that it references. */
export async function tablesOfCommunities(db: Db): Promise<readonly string[]> {
  return inOrder(await db.unsafe<ReferringTable[]>(REFERRING_TABLES));
}

/** A table, and the names of those that its rows reference. */
export interface ReferringTable {
  readonly name: string;
  readonly refers_to: readonly string[];
}

export const REFERRING_TABLES = `
  select relname as name, array(
    select distinct parent.relname::text from pg_constraint join pg_class parent on parent.oid = confrelid
    where conrelid = child.oid and contype = 'f' and confrelid <> conrelid) as refers_to
  from pg_class child where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`;

/** Sorts tables of communities, each after those that it references. @throws Error for circular references */
export function inOrder(tables: readonly ReferringTable[]): readonly string[] {
  const waiting = tables.filter(({ name }) => !(name in OF_THE_INSTALLATION));
  const ordered: string[] = [];
  while (waiting.length > 0) {
    const at = waiting.findIndex((row) => row.refers_to.every((parent) => ordered.includes(parent)));
    if (at < 0)
      throw new Error(`Tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(", ")}`);
    ordered.push(waiting.splice(at, 1)[0]!.name); // found just above
  }
  return ordered;
}

/** Removes the rows of one community, referencing tables first. */
async function deleteRows(tx: Tx, id: number): Promise<void> {
  for (const table of (await tablesOfCommunities(tx)).toReversed())
    await tx`delete from ${tx(table)} where community_id = ${id}`;
}

/** @throws Error if several communities share the database and this connection sees all their rows */
export async function requireApart(sql: Sql): Promise<void> {
  if (!(await seesAll(sql))) return;
  const communities = await listCommunities(sql);
  if (communities.length < 2) return;
  throw new NotApartError(communities.length);
}

/** Whether several communities share the database: each of them then has a role. */
export async function areSeveral(db: Db): Promise<boolean> {
  const [row] = await db<
    { several: boolean }[]
  >`select exists (select from communities where role is not null) as several`;
  return row?.several === true;
}

/** Application name of Followspot's database connections (see openDatabase). */
const APPLICATION = "followspot";

/** Whether another process of Followspot reads this database with the rights of the owner, who sees all rows. */
export async function isSeenByOthers(sql: Sql): Promise<boolean> {
  if (await seesAll(sql)) return false;
  const [row] = await sql<{ is_seen: boolean }[]>`
    select exists (
      select from pg_stat_activity join pg_roles on rolname = usename
      where datname = current_database() and application_name = ${APPLICATION}
        and (rolsuper or rolbypassrls or pg_roles.oid = (select relowner from pg_class where oid = 'users'::regclass))
    ) as is_seen`;
  return row?.is_seen === true;
}

/** Several communities share the database, and this one would see the rows of all. */
export class NotApartError extends Error {
  constructor(count: number) {
    super(
      `${count} communities share this database, and this one would sign in as the owner of the tables, who sees all of them. ` +
        `Start Followspot again where it brings the database; elsewhere set DATABASE_URL to the one in communities/${FIRST.slug}.env of the first data folder.`,
    );
  }
}
