import postgres from "postgres";
import { addressesOf } from "./database-url.ts";
import { DatabaseHosts } from "./database-hosts.ts";

/** Connection pool. Inside a transaction use {@link Tx}; stores accept either as {@link Db}. */
export type Sql = postgres.Sql;
export type Tx = Omit<postgres.TransactionSql, "savepoint" | "prepare"> & postgres.ISql;
export type Db = postgres.ISql;

const MAX_BACKOFF_SECONDS = 0.5;
/** Application name of our connections at the server. */
const APPLICATION = "followspot";

/**
 * By default, PostgreSQL detects a host without power after two hours, and a hung process never. Until then, it holds
 * the locks of that host's open transaction, and no other API can publish events or move the queue. These settings
 * probe a silent connection and end it after eleven seconds. They also end a transaction without a statement for a
 * minute.
 */
const ENDS_OF_CONNECTIONS = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  idle_in_transaction_session_timeout: 60_000,
};

/**
 * Works around a fault of the driver: it loses the connection of a transaction whose BEGIN is the last statement that
 * fits its pipeline of 100. Many concurrent requests would fail with UNSAFE_TRANSACTION. The driver's types omit the
 * option.
 */
const LONG_PIPELINE: object = { max_pipeline: 1_000_000 };

/**
 * @param url if it has several hosts, the writable one on the newest timeline is used
 * @param max open connections of this process
 * @param dataDir folder that stores the newest timeline; without it, only hosts that answer now are compared
 */
export function openDatabase(url: string, max = 10, dataDir?: string): Sql {
  const addresses = addressesOf(url);
  // The driver itself handles a local database at a socket file.
  const hosts = new URL(addresses[0]!).hostname ? new DatabaseHosts(addresses, dataDir) : undefined;
  // The driver's types omit the option.
  const socket: object = hosts ? { socket: () => (readTypesOnce(sql), hosts.socket()), ssl: false } : {};
  const sql: Sql = postgres(addresses[0]!, {
    max,
    connection: { application_name: APPLICATION, ...ENDS_OF_CONNECTIONS },
    ...socket,
    connect_timeout: 5,
    idle_timeout: 60,
    ...LONG_PIPELINE,
    // The driver's default would wait up to 20 seconds after the database returns.
    backoff: (tries: number) => Math.min(MAX_BACKOFF_SECONDS, 0.05 * 2 ** tries),
    onnotice: () => {},
    // Columns keep their SQL names; stores map them to the contract.
    types: { bigint: postgres.BigInt },
  });
  if (hosts) HOSTS.set(sql, hosts);
  return sql;
}

/**
 * Reads the types of arrays on one connection only. The driver reads them first on each new connection, although they
 * are equal on all. A connection that is cut during this query causes an error that no code can catch
 * (`outliveLostConnections` handles the remaining one).
 */
function readTypesOnce({ options }: Sql): void {
  // The driver's types omit this field.
  const { shared } = options as unknown as { readonly shared: { readonly typeArrayMap: object } };
  if (Object.keys(shared.typeArrayMap).length > 0) options.fetch_types = false;
}

const HOSTS = new WeakMap<Sql, DatabaseHosts>();

/**
 * Builds a jsonb parameter. The driver would encode a string cast with ::jsonb twice. The type cast is needed because
 * the driver's JSONValue excludes interfaces, which serialize equally well.
 */
export function asJson(db: Db, value: unknown): postgres.Parameter {
  return db.json(value as postgres.JSONValue);
}

/** Returns the hosts of a connection pool; undefined for a database at a socket file. */
export const hostsOf = (sql: Sql): DatabaseHosts | undefined => HOSTS.get(sql);

/**
 * Whether the database is read-only now. If another host accepts writes, all our connections to this one are closed, so
 * that new ones go to the other host.
 */
export async function isReadOnly(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ setting: string }[]>`select current_setting('transaction_read_only') as setting`;
  if (row?.setting !== "on") return false;
  if (hostsOf(sql)?.areSeveral) await hostsOf(sql)?.compare();
  return true;
}
