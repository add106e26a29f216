/** The query that the driver itself sends first on each new connection to the database. */
const TYPES_OF_ARRAYS = /^\s*select b\.oid, b\.typarray\b/;

/**
 * Lets a process go on when a connection to the database is cut while the driver reads the types of arrays on it. The driver
 * rejects a promise of its own then, which no code can catch; our statements on that connection fail as on any that is cut.
 */
export function outliveLostConnections(): void {
  process.on("unhandledRejection", (reason) => {
    const { query } = (reason ?? {}) as { query?: unknown };
    if (typeof query !== "string" || !TYPES_OF_ARRAYS.test(query)) throw reason;
  });
}
