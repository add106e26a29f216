/** Query that the driver sends first on each new database connection. */
const TYPES_OF_ARRAYS = /^\s*select b\.oid, b\.typarray\b/;

/**
 * Keeps a process running when a connection is cut while the driver reads the types of arrays. The driver then rejects
 * an internal promise that no code can catch; our statements on that connection fail normally.
 */
export function outliveLostConnections(): void {
  process.on("unhandledRejection", (reason) => {
    const { query } = (reason ?? {}) as { query?: unknown };
    if (typeof query !== "string" || !TYPES_OF_ARRAYS.test(query)) throw reason;
  });
}
