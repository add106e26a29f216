import { migrationFiles } from "../../platform/database/migrate.ts";
import { VERSION } from "../../platform/process/version.ts";

/** Returns the last database migration of this release, such as "074-venues". */
export async function ownMigration(): Promise<string> {
  return (await migrationFiles()).at(-1)!.replace(/\.sql$/, ""); // a release has migrations
}

/**
 * Explains why a venue server and its office are incompatible; "" if they are compatible. Rows are copied only between
 * equal schemas.
 */
export function whyNoFit(box: { readonly version: string; readonly migration: string }, own: string): string {
  if (box.migration === own) return "";
  const both = `The box has Followspot ${box.version} (${box.migration}) and the office ${VERSION} (${own})`;
  const older = box.migration < own ? "box" : "office";
  return `${both}. Update the ${older}: until then the box keeps what it has.`;
}
