import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { ADMIN_SUBJECTS } from "./broker-floor.ts";

const FILE = "communities.json";

/** Broker account of a community, with streams and subjects that are isolated from those of others. */
export interface BrokerAccount {
  readonly slug: string;
  readonly password: string;
}

/**
 * Access data in the first community's data folder, once other communities share the database and broker that
 * Followspot runs. Their ports must stay fixed, and the first community uses its own role.
 */
export interface SharedParts {
  /** Undefined if Followspot does not run the database. */
  readonly database?: { readonly port: number; readonly role: string; readonly password: string };
  /** Undefined if Followspot does not run the broker. */
  readonly broker?: {
    readonly port: number;
    /** Password of the first community. */
    readonly password: string;
    readonly others: readonly BrokerAccount[];
  };
}

/** Reads the shared access data; empty while the first community is alone. */
export async function readSharedParts(dataDir: string): Promise<SharedParts> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // an unreadable file contains them, and the database would not be found again
    return "{}";
  });
  return JSON.parse(text) as SharedParts; // written below
}

export async function writeSharedParts(dataDir: string, parts: SharedParts): Promise<void> {
  await writeFileAtomic(join(dataDir, FILE), JSON.stringify(parts), String(process.pid), 0o600);
}

/**
 * Returns the configuration line of a broker account, whose user may not administrate the server and other accounts.
 * @param user defaults to the community's slug
 */
export function accountText({ slug, user = slug, password }: BrokerAccount & { readonly user?: string }): string {
  const permissions = `permissions: { publish: { deny: ${JSON.stringify(ADMIN_SUBJECTS)} } }`;
  return `  "${slug}": { jetstream: enabled, users: [{ user: "${user}", password: "${password}", ${permissions} }] }`;
}
