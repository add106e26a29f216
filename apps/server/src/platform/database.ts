import postgres from "postgres";

/** The pool. Inside a transaction use {@link Tx}; stores take either as {@link Db}. */
export type Sql = postgres.Sql;
export type Tx = Omit<postgres.TransactionSql, "savepoint" | "prepare"> & postgres.ISql;
export type Db = postgres.ISql;

const MAX_BACKOFF_SECONDS = 0.5;

/**
 * The driver forgets to keep the line for a transaction whose beginning is the last that its pipeline of 100 takes: a crowd that
 * asks at once would meet UNSAFE_TRANSACTION. Its types do not know the option.
 */
const LONG_PIPELINE: object = { max_pipeline: 1_000_000 };

/** @param max open connections of this process */
export function openDatabase(url: string, max = 10): Sql {
  return postgres(url, {
    max,
    connect_timeout: 5,
    idle_timeout: 60,
    ...LONG_PIPELINE,
    // The driver's own would leave a database that is back alone for up to 20 seconds.
    backoff: (tries: number) => Math.min(MAX_BACKOFF_SECONDS, 0.05 * 2 ** tries),
    onnotice: () => {},
    // Columns arrive as they are named in SQL; stores map them to the contract.
    types: { bigint: postgres.BigInt },
  });
}

/**
 * A jsonb parameter. A string cast with ::jsonb would be encoded twice by the driver.
 * The cast: the driver's JSONValue leaves out interfaces, which serialise just as well.
 */
export function asJson(db: Db, value: unknown): postgres.Parameter {
  return db.json(value as postgres.JSONValue);
}
