/** Fault of the database as a whole, rather than of one statement. */
export type DatabaseFault = "away" | "refused" | "full" | "read-only";

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

/** Invalid database name, and codes of the driver for a server that it cannot authenticate with. */
const REFUSED: ReadonlySet<unknown> = new Set(["3D000", "AUTH_TYPE_NOT_IMPLEMENTED", "SASL_SIGNATURE_MISMATCH"]);

/** Errors that ended a connection, whatever their codes. */
const connectionErrors = new WeakSet<object>();

/** Notes an error that ended a connection, so that {@link databaseFault} does not attribute it to a statement. */
export function noteConnectionError(error: unknown): void {
  if (error instanceof Error) connectionErrors.add(error);
}

/** Classifies an error; undefined if the database as a whole is healthy. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  // The socket of a local database is a file that may be missing; other missing files are unrelated.
  if (code === "ENOENT") return syscall === "connect" ? "away" : undefined;
  if (code === DISK_FULL) return "full";
  if (code === READ_ONLY) return "read-only";
  if (REFUSED.has(code) || String(code).startsWith("28")) return "refused";
  if (CONNECTION_LOST.has(code) || NO_CONNECTION.has(code) || String(code).startsWith("08")) return "away";
  if (!connectionErrors.has(error as object)) return undefined;
  // Errors of the network have a system call. The others come from the database, or from TLS.
  return syscall === undefined ? "refused" : "away";
}

/** Whether the database rejected a statement for lack of memory or another resource of its machine (class 53). */
export function isDatabaseSpent(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^53\d{3}$/.test(code);
}
