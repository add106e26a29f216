import { migrationFiles } from "../platform/migrate.ts";
import { VERSION } from "../platform/version.ts";

/** Last change of the database that this release makes: "074-venues". */
export async function ownMigration(): Promise<string> {
  return (await migrationFiles()).at(-1)!.replace(/\.sql$/, ""); // a release has changes
}

/** Why a box and its office do not fit; "" where they do. Rows are copied only between the same tables. */
export function whyNoFit(box: { readonly version: string; readonly migration: string }, own: string): string {
  if (box.migration === own) return "";
  const both = `The box has Followspot ${box.version} (${box.migration}) and the office ${VERSION} (${own})`;
  const older = box.migration < own ? "box" : "office";
  return `${both}. Update the ${older}: until then the box keeps what it has.`;
}
