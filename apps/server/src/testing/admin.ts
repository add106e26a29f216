import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../platform/settings.ts";

/** Running `admin` command. */
export interface AdminVerb {
  readonly child: ChildProcess;
  /** Returns its stderr output so far. */
  said(): string;
  /** Resolves with its exit code and output. */
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly said: string }>;
}

/** Installation that a command works on: database, data folder and the secret that signs codes and tokens. */
export interface AdminPlace {
  readonly url: string;
  readonly dataDir: string;
  readonly key: string;
}

/** Starts `npm run admin -- …` in its own process. */
export function startAdmin(place: AdminPlace, ...args: readonly string[]): AdminVerb {
  const env = {
    ...process.env,
    DATABASE_URL: place.url,
    FOLLOWSPOT_SECRET: place.key,
    FOLLOWSPOT_DATA_DIR: place.dataDir,
  };
  const child = spawn(process.execPath, [join(ROOT, "apps/server/dist/admin.js"), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<{ code: number | null; out: string; said: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, out, said })),
  );
  return { child, said: () => said, ended };
}

export const runAdmin = (place: AdminPlace, ...args: readonly string[]) => startAdmin(place, ...args).ended;
