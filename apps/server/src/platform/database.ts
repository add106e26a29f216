import postgres from "postgres";
import { addressesOf } from "./database-url.ts";
import { DatabaseHosts } from "./database-hosts.ts";

/** The pool. Inside a transaction use {@link Tx}; stores take either as {@link Db}. */
export type Sql = postgres.Sql;
export type Tx = Omit<postgres.TransactionSql, "savepoint" | "prepare"> & postgres.ISql;
export type Db = postgres.ISql;

const MAX_BACKOFF_SECONDS = 0.5;
/** The application name of our connections at the server. */
const APPLICATION = "followspot";

/**
 * By default PostgreSQL notices after two hours that a host was switched off, and never that a process hangs. All that while it
 * holds the locks of a transaction that was under way there, and no other API tells news or moves the queue. Here it asks a
 * silent connection for a sign of life, and ends it after eleven seconds; a transaction without a statement for a minute ends
 * as well.
 */
const ENDS_OF_CONNECTIONS = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  idle_in_transaction_session_timeout: 60_000,
};

/**
 * The driver forgets to keep the connection for a transaction whose BEGIN is the last statement that its pipeline of 100
 * takes: many requests at once would fail with UNSAFE_TRANSACTION. Its types do not know the option.
 */
const LONG_PIPELINE: object = { max_pipeline: 1_000_000 };

/**
 * @param url of several hosts the one that takes changes is used
 * @param max open connections of this process
 */
export function openDatabase(url: string, max = 10): Sql {
  const addresses = addressesOf(url);
  // A file as the way to a local database is the driver's.
  const hosts = new URL(addresses[0]!).hostname ? new DatabaseHosts(addresses) : undefined;
  // The driver's types do not know the option.
  const socket: object = hosts ? { socket: () => (readTypesOnce(sql), hosts.socket()), ssl: false } : {};
  const sql: Sql = postgres(addresses[0]!, {
    max,
    connection: { application_name: APPLICATION, ...ENDS_OF_CONNECTIONS },
    ...socket,
    connect_timeout: 5,
    idle_timeout: 60,
    ...LONG_PIPELINE,
    // The driver's own would leave a database that is back alone for up to 20 seconds.
    backoff: (tries: number) => Math.min(MAX_BACKOFF_SECONDS, 0.05 * 2 ** tries),
    onnotice: () => {},
    // Columns arrive as they are named in SQL; stores map them to the contract.
    types: { bigint: postgres.BigInt },
  });
  if (hosts) HOSTS.set(sql, hosts);
  return sql;
}

/**
 * The driver reads the types of arrays on each new connection, before anything else. They are the same on all, and a
 * connection that is cut meanwhile is an error that no code can catch: only one connection reads them
 * (`outliveLostConnections` is for that one).
 */
function readTypesOnce({ options }: Sql): void {
  // The driver's types do not know where it keeps them.
  const { shared } = options as unknown as { readonly shared: { readonly typeArrayMap: object } };
  if (Object.keys(shared.typeArrayMap).length > 0) options.fetch_types = false;
}

const HOSTS = new WeakMap<Sql, DatabaseHosts>();

/**
 * A jsonb parameter. A string cast with ::jsonb would be encoded twice by the driver.
 * The cast: the driver's JSONValue leaves out interfaces, which serialise just as well.
 */
export function asJson(db: Db, value: unknown): postgres.Parameter {
  return db.json(value as postgres.JSONValue);
}

/**
 * Closes our connections to a host that says nothing: statements that wait for it fail as they do while a database is away,
 * and new connections are opened to a host that takes changes.
 */
export async function leaveSilentHosts(sql: Sql): Promise<void> {
  await HOSTS.get(sql)?.leaveSilent();
}

/**
 * Whether the database takes no changes now. Where another host does, all our connections to this one are closed: new ones
 * are opened to the other host.
 */
export async function isReadOnly(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ setting: string }[]>`select current_setting('transaction_read_only') as setting`;
  if (row?.setting !== "on") return false;
  if (await HOSTS.get(sql)?.hasPrimary())
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${APPLICATION} and usename = current_user`;
  return true;
}
