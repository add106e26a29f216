/** What is wrong with the whole database, and not with one statement. */
export type DatabaseFault = "away" | "full";

const DISK_FULL = "53100";

const AWAY = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  // Shutting down, crashed, starting up, too many connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);

/** Undefined when the database itself is well, whatever else failed. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  // The socket of a local database is a file that may be missing; other missing files are not the database's.
  if (code === "ENOENT") return syscall === "connect" ? "away" : undefined;
  if (code === DISK_FULL) return "full";
  return typeof code === "string" && (AWAY.has(code) || code.startsWith("08")) ? "away" : undefined;
}

/** Whether the database has refused a statement for want of memory or another limit of its machine (class 53). */
export function isDatabaseSpent(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^53\d{3}$/.test(code);
}
