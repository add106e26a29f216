import type { NatsConnection } from "@nats-io/transport-node";
import { PermissionViolationError } from "@nats-io/transport-node";

/**
 * Subjects that a community never publishes: administration of the server, and of the streams of other accounts. Servers
 * below the floor accept some of them from every account (CVE-2025-30215).
 */
export const ADMIN_SUBJECTS = ["$JS.API.ACCOUNT.>", "$JS.API.SERVER.>", "$JS.API.META.>", "$SYS.>"] as const;
/** Request that every account may send unless {@link ADMIN_SUBJECTS} are denied; it changes nothing. */
const HARMLESS_ADMIN_SUBJECT = "$SYS.REQ.USER.INFO";
const ANSWER_MS = 1500;

/** Whether a release of nats-server lacks the fix for CVE-2025-30215, which is in 2.10.27, 2.11.1 and later. */
export function isBelowFloor(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  if (major !== 2) return major < 2;
  if (minor === 10) return patch < 27;
  if (minor === 11) return patch < 1;
  return minor < 10;
}

/** Whether the server denies administration to the user of a connection. */
export async function deniesAdmin(connection: NatsConnection): Promise<boolean> {
  try {
    await connection.request(HARMLESS_ADMIN_SUBJECT, "", { timeout: ANSWER_MS });
    return false;
  } catch (error) {
    return (error as Error).cause instanceof PermissionViolationError;
  }
}

export interface BrokerFacts {
  readonly version: string;
  /** Whether the supervisor runs the broker; then no other installation uses it. */
  readonly isOwn: boolean;
  /** Whether several communities use it. */
  readonly areSeveral: boolean;
  readonly deniesAdmin: boolean;
}

/** Returns what is wrong with a broker's version, and whether it must not be used; undefined if nothing is. */
export function brokerFlaw({ version, isOwn, areSeveral, deniesAdmin: isDenied }: BrokerFacts) {
  if (!isBelowFloor(version) || isOwn || isDenied) return undefined;
  const flaw = `The message broker is nats-server ${version}: any account on it can delete the streams of other accounts (CVE-2025-30215).`;
  const update = "Update it to 2.10.27, 2.11.1 or later.";
  if (!areSeveral) return { isRefused: false, says: `${flaw} ${update}` };
  return {
    isRefused: true,
    says: `${flaw} Followspot does not use it for several communities: songs wait, and news come late. ${update}`,
  };
}
