import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { checkBackup } from "../operations/backup/check-backup.ts";
import { folderOf, listBackups, removeHalf, removeOld } from "../operations/backup/kept-backups.ts";
import { noteFailed, noteTaken } from "../operations/backup/last-backup.ts";
import { restoreBackup, type Restored } from "../operations/backup/restore-backup.ts";
import { countWords, sizeWords } from "../operations/backup/room.ts";
import { openBackupConnection, takeBackup, type TakenBackup } from "../operations/backup/take-backup.ts";
import { readRunningFile, type RunningFile } from "../platform/files/running-file.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { stoppable } from "./stoppable.ts";
import { storeOf } from "./store-of.ts";
import { ownerOfTables, whereItRuns } from "./where-it-runs.ts";

export interface BackupVerb {
  readonly folder: string;
  /** Verifies the backup in the folder. */
  readonly check: boolean;
  /** The folder holds many backups, of which the newest `keep` remain. */
  readonly into: boolean;
  readonly keep: number;
}

type Say = (line: string) => void;

/** Time limit for restarted processes to respond, ms. */
const TAKEN_UP_MS = 40_000;

/** Runs `backup …`. @returns the exit code */
export async function backupVerb({ folder, check, into, keep }: BackupVerb, say: Say): Promise<number> {
  const place = await whereItRuns();
  const { database, secret } = place;
  const dataDir = settingsOrExit().FOLLOWSPOT_DATA_DIR;
  return stoppable(async (signal) => {
    if (check) {
      const report = (line: string) => void process.stdout.write(`${line}\n`);
      return (await checkBackup((await ownerOfTables()) ?? database, { source: folder, report, signal })) === 0 ? 0 : 2;
    }
    try {
      const connection = await openBackupConnection(database, { signal, dataDir });
      try {
        if (into) await removeHalf(folder);
        const earlier = into ? (await listBackups(folder)).find((backup) => backup.isWhole)?.folder : undefined;
        const target = into ? join(folder, folderOf(new Date())) : folder;
        const taken = await takeBackup(connection, {
          dataDir,
          store: storeOf(place, dataDir),
          ...{ target, earlier },
          key: secret,
          say,
          signal,
        });
        if (into) await removeOld(folder, keep);
        await noteTaken(dataDir, taken);
        describe(taken, say);
        return 0;
      } finally {
        await connection.close();
      }
    } catch (error) {
      // An abort is intended and no failure.
      if (!signal.aborted) await noteFailed(dataDir, (error as Error).message).catch(() => {}); // the same disk may be full
      throw error;
    }
  });
}

function describe({ folder, bytes }: TakenBackup, say: Say): void {
  say(`The backup is whole: ${folder}, ${sizeWords(bytes)}.`);
  say("It holds the key that signs codes, links and tokens: keep it where only you can read it.");
}

/** Runs `restore FOLDER`. @returns the exit code */
export async function restoreVerb(source: string, say: Say): Promise<number> {
  const place = await whereItRuns();
  const dataDir = settingsOrExit().FOLLOWSPOT_DATA_DIR;
  return stoppable(async (signal) => {
    const connection = await openBackupConnection(place.database, { signal, dataDir });
    try {
      const restored = await restoreBackup(connection, {
        dataDir,
        store: storeOf(place, dataDir),
        source,
        say,
        signal,
        owner: await ownerOfTables(),
      });
      await connection.close();
      await explain(restored, place, dataDir, say);
      return 0;
    } finally {
      await connection.close();
    }
  });
}

/** Prints what was restored and what remains to do. */
async function explain(
  { takenAt, rows, files, key, restoredAt }: Restored,
  place: RunningFile,
  dataDir: string,
  say: Say,
) {
  say(`Restored: ${countWords(rows, "row")} and ${countWords(files, "file")}, as they were on ${takenAt}.`);
  say("Songs that were in work go on. What played then stands still.");
  if (key === undefined)
    say("This backup of an older release holds no key: print attendee codes anew, make new links and sign in again.");
  const running = await untilTakenUp(dataDir, restoredAt, say);
  if (!running) say("Stop Followspot and start it again, so that it works with what was restored.");
  else say("Followspot has started its parts again and works with it.");
  const used = running?.secret ?? place.secret;
  if (key === undefined || used === key) {
    if (key !== undefined) say("Printed codes, links and tokens of the backup open the same doors here.");
    return;
  }
  say(
    `FOLLOWSPOT_SECRET is set here to another key than the backup's, so its printed codes, links and tokens are refused. ` +
      `Set FOLLOWSPOT_SECRET to the value of "tokens" in ${join(dataDir, "secrets.json")} and start Followspot again.`,
  );
}

/** Waits until the supervisor has restarted its processes; undefined if none is running. */
async function untilTakenUp(dataDir: string, restoredAt: string, say: Say): Promise<RunningFile | undefined> {
  if (!(await readRunningFile(dataDir))) return undefined;
  say("waiting until Followspot has started its parts again");
  for (const end = Date.now() + TAKEN_UP_MS; Date.now() < end; await pause(200)) {
    const running = await readRunningFile(dataDir);
    if (running?.restored_at === restoredAt) return running;
  }
  return undefined;
}
