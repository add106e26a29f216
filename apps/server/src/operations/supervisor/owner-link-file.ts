import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";

const FILE = "owner-link.txt";

/**
 * Stores the owner link in the data folder, readable by the user of the server alone, and removes an older one.
 * @param link undefined if there is an owner, or if the link is printed
 * @returns path of the file; undefined without a link
 */
export async function keepOwnerLinkFile(dataDir: string, link: string | undefined): Promise<string | undefined> {
  const path = join(dataDir, FILE);
  if (link === undefined) {
    await rm(path, { force: true });
    return undefined;
  }
  await writeFileAtomic(path, `${link}\n`, String(process.pid), 0o600);
  return path;
}
