/** Fault of the database as a whole, rather than of one statement. */
export type DatabaseFault = "away" | "full" | "read-only";

/** Error code of a connection for which every writable host is refused (decision 107). */
export const HOST_REFUSED = "HOST_REFUSED";
const DISK_FULL = "53100";
/** Code of a standby, or of a server that is being taken out of service. */
const READ_ONLY = "25006";

/**
 * Codes of the driver and of PostgreSQL (shutting down, crashed, starting up, idle in a transaction) after which a
 * connection is closed.
 */
export const CONNECTION_LOST: ReadonlySet<unknown> = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "25P03",
]);
/** Codes for a connection that could not be opened; 53300 means too many connections. */
const NO_CONNECTION: ReadonlySet<unknown> = new Set([
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "53300",
  HOST_REFUSED,
]);

/** Classifies an error; undefined if the database as a whole is healthy. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  // The socket of a local database is a file that may be missing; other missing files are unrelated.
  if (code === "ENOENT") return syscall === "connect" ? "away" : undefined;
  if (code === DISK_FULL) return "full";
  if (code === READ_ONLY) return "read-only";
  const isAway = CONNECTION_LOST.has(code) || NO_CONNECTION.has(code) || String(code).startsWith("08");
  return isAway ? "away" : undefined;
}

/** Whether the database rejected a statement for lack of memory or another resource of its machine (class 53). */
export function isDatabaseSpent(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^53\d{3}$/.test(code);
}
