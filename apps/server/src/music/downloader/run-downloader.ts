import { spawn, type ChildProcess } from "node:child_process";
import { asHelper, lendFolder, takeFolderBack } from "../../platform/helper-account.ts";
import { plainEnvironment } from "../../platform/programs.ts";
import { StepError } from "../step-error.ts";
import type { Program } from "./downloader.ts";
import { knowsRuntimes } from "./version.ts";

export interface RunLimits {
  /** Private folder: working folder, home and scratch. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** No byte of progress for so long means that it hangs. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** Most characters of stdout that are kept, counted from the end. */
  readonly keep: number;
  /** What it prints, as it comes. */
  readonly onText?: (text: string) => void;
}

interface Printed {
  /** The end of stdout. */
  readonly text: string;
  /** The end of stdout and stderr as they came. */
  readonly all: string;
}

/** The site's player changed and this version does not understand it: a newer one may. */
export class OutgrownError extends StepError {}

const MAX_WORDS = 64 * 1024;

/**
 * Runs yt-dlp (RELIABILITY §0.7): no shell, no configuration, an environment without secrets, its own
 * process group, bounded in time; what it is asked for stands behind `--`. A version that needs a
 * JavaScript runtime gets our own Node and no other.
 *
 * @throws StepError with the site's words, OutgrownError where a newer version may do better
 */
export async function runDownloader(
  program: Program,
  options: readonly string[],
  target: string,
  limits: RunLimits,
): Promise<Printed> {
  const runtimes = knowsRuntimes(program.version)
    ? ["--no-js-runtimes", "--js-runtimes", `node:${process.execPath}`]
    : [];
  const args = ["--ignore-config", "--no-exec", "--no-cache-dir", ...runtimes, ...options, "--", target];
  const { folder, signal, silenceMs, totalMs, keep, onText } = limits;
  lendFolder(folder);
  const start = asHelper(program.path, args, { reads: [folder] });
  const ended = new Promise<Printed>((resolve, reject) => {
    const child = spawn(start.command, start.args, {
      ...start.rights,
      cwd: folder,
      env: plainEnvironment(folder),
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
        () => stop(new StepError("The video site stopped sending. Retry the download later.", true)),
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
      killGroup(child); // what it started must not outlive it
      settle();
    };
    child.on("error", (error) =>
      finish(() => reject(new StepError(`yt-dlp cannot be run: ${error.message.slice(0, 100)}`))),
    );
    child.on("close", (code) =>
      finish(() => {
        if (stopReason) reject(stopReason);
        else if (code === 0) resolve({ text, all });
        else reject(explain(all));
      }),
    );
  });
  return ended.finally(() => takeFolderBack(folder));
}

/** One line of text without control characters, at most 300 long. */
export function oneLine(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 300);
}

/** What yt-dlp says when the site has changed under it, as opposed to a video that is not to be had. */
const OUTGROWN =
  /unable to extract|failed to extract|nsig|signature|challenge|player response|requested format is not available|HTTP Error 403|only images are available|confirm you are on the latest version/i;

/** The site's own words, shortened and without paths of this server. */
function explain(output: string): StepError {
  const line = output.split("\n").findLast((each) => each.startsWith("ERROR:")) ?? "";
  const words = line.replace(/^ERROR:\s*(\[[^\]]*\]\s*)?([\w-]{11}:\s*)?/, "").replaceAll(/(?:\/[\w.-]+){2,}/g, "…");
  if (OUTGROWN.test(words)) return new OutgrownError(oneLine(words));
  const isTemporary = /timed out|temporarily|HTTP Error (429|5\d\d)|Connection|resolve|Unable to download/i.test(words);
  return new StepError(
    oneLine(words) || "yt-dlp failed without saying why. Retry the download, or upload the file.",
    isTemporary,
  );
}

const duration = (ms: number) =>
  ms >= 60_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 1000)} seconds`;

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  } catch {
    // the whole group is gone
  }
}
