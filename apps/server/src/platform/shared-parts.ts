import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic-file.ts";

const FILE = "communities.json";

/** A community that shares the broker: it has streams and subjects of its own, and neither hears nor sees those of others. */
export interface BrokerAccount {
  readonly slug: string;
  readonly password: string;
}

/**
 * What the first community's data folder keeps once other communities share the database and broker that Followspot brings:
 * those have to be found where they were, and the first one signs in with a role of its own.
 */
export interface SharedParts {
  /** Absent where the database is not Followspot's own. */
  readonly database?: { readonly port: number; readonly role: string; readonly password: string };
  /** Absent where the broker is not Followspot's own. */
  readonly broker?: {
    readonly port: number;
    /** Of the first community. */
    readonly password: string;
    readonly others: readonly BrokerAccount[];
  };
}

/** Nothing while the first community is alone. */
export async function readSharedParts(dataDir: string): Promise<SharedParts> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // others are there, and their database would not be found again
    return "{}";
  });
  return JSON.parse(text) as SharedParts; // written below
}

export async function writeSharedParts(dataDir: string, parts: SharedParts): Promise<void> {
  await writeFileAtomic(join(dataDir, FILE), JSON.stringify(parts), String(process.pid), 0o600);
}

/** The line of a broker's configuration that lets a community in. @param user named as its community unless said */
export function accountText({ slug, user = slug, password }: BrokerAccount & { readonly user?: string }): string {
  return `  "${slug}": { jetstream: enabled, users: [{ user: "${user}", password: "${password}" }] }`;
}
