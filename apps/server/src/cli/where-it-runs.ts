import { readRunningFile, type RunningFile } from "../platform/running-file.ts";
import { settingsOrExit } from "../platform/settings.ts";

/** What the environment names, or what runs on the data folder. @throws Error that says how to start it */
export async function whereItRuns(): Promise<RunningFile> {
  const { DATABASE_URL, FOLLOWSPOT_SECRET, FOLLOWSPOT_DATA_DIR, PORT } = settingsOrExit();
  if (DATABASE_URL && FOLLOWSPOT_SECRET)
    return { database: DATABASE_URL, secret: FOLLOWSPOT_SECRET, api: `http://127.0.0.1:${PORT}` };
  const running = await readRunningFile(FOLLOWSPOT_DATA_DIR);
  if (running) return running;
  throw new Error(
    `Followspot does not run on ${FOLLOWSPOT_DATA_DIR}. Start it with npm start, or set DATABASE_URL and FOLLOWSPOT_SECRET.`,
  );
}
