/** What the driver asks first on each new line to the database, by itself. */
const TYPES_OF_ARRAYS = /^\s*select b\.oid, b\.typarray\b/;

/**
 * Lets a process go on when a line to the database is cut while the driver reads the types of arrays there. The driver rejects a
 * promise of its own then, which no code can catch; what was asked on that line fails as on any that is cut.
 */
export function outliveLostConnections(): void {
  process.on("unhandledRejection", (reason) => {
    const { query } = (reason ?? {}) as { query?: unknown };
    if (typeof query !== "string" || !TYPES_OF_ARRAYS.test(query)) throw reason;
  });
}
