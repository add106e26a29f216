import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { listBackups } from "../backup/kept-backups.ts";
import { noteFailed } from "../backup/last-backup.ts";
import { every } from "../../platform/every.ts";
import type { Running } from "./keep-running.ts";
import { stopChild } from "./processes.ts";

const LOOK_MS = 5000;
/** Delay after a failed backup, ms. */
const AGAIN_MS = 15 * 60_000;
const STOP_MS = 5000;

export interface BackupSettings {
  readonly FOLLOWSPOT_DATA_DIR: string;
  readonly FOLLOWSPOT_BACKUP_DIR: string;
  /** Backup interval, hours. */
  readonly FOLLOWSPOT_BACKUP_EVERY: number;
  readonly FOLLOWSPOT_BACKUP_KEEP: number;
}

interface Ports {
  /** Address of the command line `admin`, which takes a backup. */
  readonly admin: URL;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** Takes a backup whenever the newest in its folder is too old, in a separate process, one at a time. */
export function keepBackups(settings: BackupSettings, { admin, say, warn }: Ports): Running {
  const place = resolve(settings.FOLLOWSPOT_BACKUP_DIR);
  let child: ChildProcess | undefined;
  let isStopping = false;
  let notBefore = 0;
  const look = async () => {
    if (isStopping || performance.now() < notBefore) return;
    try {
      if (!(await isDue(place, settings.FOLLOWSPOT_BACKUP_EVERY))) return;
      await take();
      say(`A backup was taken into ${place}.`);
    } catch (error) {
      if (isStopping) return;
      const { message } = error as Error;
      notBefore = performance.now() + AGAIN_MS;
      warn(`The backup failed: ${message} It is tried again in ${AGAIN_MS / 60_000} minutes.`);
      await noteFailed(settings.FOLLOWSPOT_DATA_DIR, message);
    }
  };
  const take = () => {
    const verb = [fileURLToPath(admin), "backup", "--into", place];
    const started = spawn(process.execPath, [...verb, "--keep", String(settings.FOLLOWSPOT_BACKUP_KEEP)], {
      env: { ...process.env, FOLLOWSPOT_DATA_DIR: settings.FOLLOWSPOT_DATA_DIR },
      detached: true, // Ctrl-C reaches it through this process
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    let lastWords = "";
    started.stderr.on("data", (chunk: Buffer) => (lastWords = chunk.toString().trim().split("\n").at(-1) ?? ""));
    return new Promise<void>((taken, failed) =>
      started.once("close", (code, signal) =>
        code === 0 ? taken() : failed(new Error(signal ? `It was ended by ${signal}.` : lastWords)),
      ),
    );
  };
  const endLooks = every(LOOK_MS, "the look at the backups", look, warn);
  return {
    name: "the backup",
    stop: async () => {
      isStopping = true;
      endLooks();
      if (child) await stopChild(child, "SIGTERM", STOP_MS);
    },
  };
}

/** Whether a backup is due. One dated in the future is ignored: the clock was wrong then or is now. */
async function isDue(place: string, hours: number): Promise<boolean> {
  const ages = (await listBackups(place))
    .filter(({ isWhole }) => isWhole)
    .map(({ begunAt }) => Date.now() - begunAt.getTime());
  const youngest = ages.find((age) => age >= 0);
  return youngest === undefined || youngest >= hours * 3_600_000;
}
