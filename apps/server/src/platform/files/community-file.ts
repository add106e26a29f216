import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/**
 * Settings that would mix two communities if they were inherited from the terminal in which the other one was started.
 */
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
 * Loads the settings of a community from the file that `add-community` wrote; they override the environment.
 * @throws Error with the name of the file if it cannot be read
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
