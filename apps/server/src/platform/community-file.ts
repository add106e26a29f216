import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Settings that would mix two communities, if one took them over from the terminal in which the other was started. */
const OF_ANOTHER = [
  "DATABASE_URL",
  "NATS_URL",
  "FOLLOWSPOT_SECRET",
  "FOLLOWSPOT_BLOBS",
  "FOLLOWSPOT_BACKUP_DIR",
  "FOLLOWSPOT_DATABASE_OWNER",
  "FOLLOWSPOT_DATA_DIR",
];

/**
 * Takes the settings of a community from the file that `add-community` wrote; they count before those of the environment.
 * @throws Error that names the file when it cannot be read
 */
export function takeCommunityFile(file: string): void {
  let settings: NodeJS.Dict<string>;
  try {
    settings = parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`The settings of the community cannot be read: ${(error as Error).message}`, { cause: error });
  }
  for (const name of OF_ANOTHER) delete process.env[name];
  Object.assign(process.env, settings);
}
