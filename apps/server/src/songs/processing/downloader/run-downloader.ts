import { spawn, type ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import { asHelper, lendFolder, takeFolderBack } from "../../../platform/process/helper-account.ts";
import { plainEnvironment } from "../../../platform/process/programs.ts";
import { StepError } from "../step-error.ts";
import type { Program } from "./downloader.ts";
import {
  DIRECT,
  lendCookies,
  proxyEnvironment,
  readCookies,
  secretsOf,
  type LinkAccess,
  type LinkSecrets,
} from "./link-access.ts";
import { explainFault } from "./site-faults.ts";
import { knowsRuntimes } from "./version.ts";

export interface RunLimits {
  /** Private folder: working folder, home and temporary files. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Cookies and proxy; a direct connection if absent. */
  readonly access?: LinkAccess | undefined;
  /** Longest time without output before the program counts as hung, ms. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** Most characters of stdout that are retained, counted from the end. */
  readonly keep: number;
  /** Receives output as it is printed. */
  readonly onText?: (text: string) => void;
}

interface Printed {
  /** End of stdout. */
  readonly text: string;
  /** End of stdout and stderr, interleaved as they were printed. */
  readonly all: string;
}

const MAX_WORDS = 64 * 1024;

/**
 * Runs yt-dlp (RELIABILITY §0.7): no shell, no configuration files, no secrets in the environment except the proxy, its
 * own process group, bounded in time. The target follows `--`. A version that needs a JavaScript runtime gets our own
 * Node and no other. Cookies are passed as a private copy.
 *
 * @throws StepError with a sentence for users; OutgrownError if a newer version may work
 */
export async function runDownloader(
  program: Program,
  options: readonly string[],
  target: string,
  limits: RunLimits,
): Promise<Printed> {
  const { folder, access = DIRECT } = limits;
  const cookies = await readCookies(access);
  const lent = cookies === undefined ? undefined : await lendCookies(cookies, folder);
  const runtimes = knowsRuntimes(program.version)
    ? ["--no-js-runtimes", "--js-runtimes", `node:${process.execPath}`]
    : [];
  const jar = lent === undefined ? [] : ["--cookies", lent];
  const args = ["--ignore-config", "--no-exec", "--no-cache-dir", ...runtimes, ...jar, ...options, "--", target];
  try {
    return await run(program.path, args, { ...limits, access, secrets: secretsOf(access, cookies) });
  } finally {
    if (lent !== undefined) await rm(lent, { force: true });
  }
}

interface RunInFull extends RunLimits {
  readonly access: LinkAccess;
  readonly secrets: LinkSecrets;
}

function run(path: string, args: readonly string[], limits: RunInFull): Promise<Printed> {
  const { folder, access, secrets, signal, silenceMs, totalMs, keep, onText } = limits;
  lendFolder(folder);
  const start = asHelper(path, args, { reads: [folder] });
  const ended = new Promise<Printed>((resolve, reject) => {
    const child = spawn(start.command, start.args, {
      ...start.rights,
      cwd: folder,
      env: { ...plainEnvironment(folder), ...proxyEnvironment(access) },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    let all = "";
    let stopReason: Error | undefined;
    const stop = (reason: Error) => {
      stopReason ??= reason;
      killGroup(child);
    };
    const onAbort = () => stop(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    const tooLong = `The download took longer than ${duration(totalMs)} and was stopped. Retry it later.`;
    const hard = setTimeout(() => stop(new StepError(tooLong, true)), totalMs);
    let silence: NodeJS.Timeout | undefined;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(
        () => stop(new StepError("The site stopped sending. Retry the download later.", true)),
        silenceMs,
      );
    };
    listen();
    const read = (chunk: string) => {
      listen();
      all = (all + chunk).slice(-MAX_WORDS);
      onText?.(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-keep);
      read(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", read);
    const finish = (settle: () => void) => {
      clearTimeout(hard);
      clearTimeout(silence);
      signal.removeEventListener("abort", onAbort);
      killGroup(child); // its child processes must not outlive it
      settle();
    };
    child.on("error", (error) =>
      finish(() => reject(new StepError(`yt-dlp cannot be run: ${error.message.slice(0, 100)}`))),
    );
    child.on("close", (code) =>
      finish(() => {
        if (stopReason) reject(stopReason);
        else if (code === 0) resolve({ text, all });
        else reject(explainFault(all, access, secrets));
      }),
    );
  });
  return ended.finally(() => takeFolderBack(folder));
}

const duration = (ms: number) =>
  ms >= 2 * 3600_000
    ? `${Math.round(ms / 3600_000)} hours`
    : ms >= 60_000
      ? `${Math.round(ms / 60_000)} minutes`
      : `${Math.round(ms / 1000)} seconds`;

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  } catch {
    // the whole process group has ended
  }
}
