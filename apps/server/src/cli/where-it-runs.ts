import { isDatabaseUrl } from "../platform/database/database-url.ts";
import { consoleAddresses, ownAddress } from "../platform/http/own-address.ts";
import { readRunningFile, type RunningFile } from "../platform/files/running-file.ts";
import { settingsOrExit } from "../platform/settings.ts";

/** What the environment names, or what runs on the data folder. @throws Error that says how to start it */
export async function whereItRuns(): Promise<RunningFile> {
  const settings = settingsOrExit();
  const { DATABASE_URL, FOLLOWSPOT_SECRET, FOLLOWSPOT_DATA_DIR, FOLLOWSPOT_BLOBS } = settings;
  if (DATABASE_URL && FOLLOWSPOT_SECRET)
    return {
      database: DATABASE_URL,
      secret: FOLLOWSPOT_SECRET,
      api: ownAddress(settings),
      address: consoleAddresses(settings)[0],
      blobs: FOLLOWSPOT_BLOBS?.text,
    };
  const running = await readRunningFile(FOLLOWSPOT_DATA_DIR);
  if (running) return running;
  throw new Error(
    `Followspot does not run on ${FOLLOWSPOT_DATA_DIR}. Start it with npm start, or set DATABASE_URL and FOLLOWSPOT_SECRET.`,
  );
}

/** How the owner of the tables signs in, where that is known here: communities among others do not own them. */
export async function ownerOfTables(): Promise<string | undefined> {
  const { FOLLOWSPOT_DATABASE_OWNER: owner, FOLLOWSPOT_DATA_DIR } = settingsOrExit();
  if (owner !== undefined && isDatabaseUrl(owner)) return owner;
  return (await readRunningFile(owner ?? FOLLOWSPOT_DATA_DIR))?.owner;
}
