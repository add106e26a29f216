import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { askProgram } from "../audio/ask-program.ts";
import { findOnPath, plainEnvironment, type ProgramReport } from "../platform/programs.ts";
import { StepError } from "./song-worker.ts";

export interface Video {
  /** The sound as the site has it. */
  readonly path: string;
  readonly title: string;
  readonly artist: string;
  /** Address of the cover as the site says it, "" when unknown; not to be trusted. */
  readonly coverAddress: string;
}

export interface VideoSiteSettings {
  /** Path of yt-dlp; undefined looks on PATH. */
  readonly ytdlp: string | undefined;
  /** Oldest version accepted, YYYY.MM.DD. */
  readonly floor: string;
  readonly ffmpeg: string | undefined;
  /** For tests: origin on loopback that stands in for the video site. */
  readonly testSite: string | undefined;
  /** Longest silence and longest download, ms; shorter in tests. */
  readonly limits?: { readonly silenceMs: number; readonly totalMs: number };
}

interface Report {
  readonly signal: AbortSignal;
  /** 0..1 */
  readonly onProgress: (share: number) => void;
}

const MAX_SECONDS = 3 * 3600;
const MAX_FILESIZE = "700M";
/** No byte of progress for so long means that it hangs. */
const LIMITS = { silenceMs: 120_000, totalMs: 15 * 60_000 };
const VERSION_MS = 30_000;
const MAX_METADATA_BYTES = 4 * 1024 * 1024;
const MAX_OUTPUT_CHARS = 64 * 1024;

/**
 * Downloads the sound of one video with yt-dlp into a private empty folder (RELIABILITY §0.7):
 * no shell, no configuration, no playlist, bounded length, size and time, its own process group,
 * an environment without secrets, the link behind `--`.
 */
export async function downloadVideo(
  url: string,
  workFolder: string,
  settings: VideoSiteSettings,
  report: Report,
): Promise<Video> {
  const ytdlp = await findDownloader(settings);
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, "download-"));
  const target = settings.testSite ? url.replace("https://www.youtube.com", new URL(settings.testSite).origin) : url;
  const args = [
    "--ignore-config",
    "--no-playlist",
    "--no-exec",
    "--no-cache-dir",
    "--no-part",
    "--no-continue",
    "--no-mtime",
    "--newline",
    "--progress",
    "--match-filter",
    `!is_live & duration<?${MAX_SECONDS}`,
    "--max-filesize",
    MAX_FILESIZE,
    "--socket-timeout",
    "20",
    "--retries",
    "3",
    "--write-info-json",
    "-f",
    "bestaudio[ext=m4a]/bestaudio/best",
    ...(settings.ffmpeg ? ["--ffmpeg-location", settings.ffmpeg] : []),
    "-o",
    "sound.%(ext)s",
    "--",
    target,
  ];
  try {
    const output = await runDownloader(ytdlp, args, folder, { ...report, ...(settings.limits ?? LIMITS) });
    return await collect(folder, output);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Where the downloader is. @throws StepError that tells people why links cannot be downloaded */
async function findDownloader(settings: VideoSiteSettings): Promise<string> {
  const { works, path, why } = await tryDownloader(settings);
  if (!works) throw new StepError(why);
  return path;
}

/** Ask yt-dlp for its version; `why` is for people whose link could not be downloaded. */
export async function tryDownloader({
  ytdlp,
  floor,
}: Pick<VideoSiteSettings, "ytdlp" | "floor">): Promise<ProgramReport> {
  const path = ytdlp ?? (await findOnPath("yt-dlp")) ?? "";
  const report = (why: string, version = "") => ({ name: "yt-dlp", path, version, works: why === "", why });
  if (!path)
    return report(
      "yt-dlp is not installed on the server, so links cannot be downloaded. Install yt-dlp, or upload the file instead.",
    );
  const asked = await askProgram(path, ["--ignore-config", "--version"], VERSION_MS);
  if ("fault" in asked)
    return report(
      `yt-dlp cannot be run on the server: ${asked.fault}. Repair it or correct FOLLOWSPOT_YTDLP, or upload the file instead.`,
    );
  const version = asked.text.trim().slice(0, 20);
  if (version.slice(0, 10) >= floor) return report("", version);
  return report(
    `yt-dlp ${version} is older than ${floor}, which is known to be unsafe or broken. Update yt-dlp, or lower FOLLOWSPOT_YTDLP_FLOOR.`,
    version,
  );
}

function runDownloader(
  ytdlp: string,
  args: readonly string[],
  folder: string,
  { signal, onProgress, silenceMs, totalMs }: Report & typeof LIMITS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(ytdlp, args, {
      cwd: folder,
      env: plainEnvironment(folder),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let stopReason: Error | undefined;
    const stop = (reason: Error) => {
      stopReason ??= reason;
      killGroup(child);
    };
    const onAbort = () => stop(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    const hard = setTimeout(
      () => stop(new StepError("The download took longer than 15 minutes and was stopped. Retry it later.", true)),
      totalMs,
    );
    let silence: NodeJS.Timeout | undefined;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(
        () => stop(new StepError("The video site stopped sending. Retry the download later.", true)),
        silenceMs,
      );
    };
    listen();
    const read = (chunk: Buffer) => {
      listen();
      const text = chunk.toString();
      output = (output + text).slice(-MAX_OUTPUT_CHARS);
      const percent = /(\d+(?:\.\d+)?)%/.exec(text)?.[1];
      if (percent) onProgress(Math.min(1, Number(percent) / 100));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
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
        else if (code === 0) resolve(output);
        else reject(explain(output));
      }),
    );
  });
}

/** Finds the one sound file and reads the cleaned metadata beside it. */
async function collect(folder: string, output: string): Promise<Video> {
  const names = await readdir(folder);
  const sound = names.find((name) => name.startsWith("sound.") && !name.endsWith(".json") && !name.endsWith(".part"));
  if (!sound) {
    if (/does not pass filter/.test(output))
      throw new StepError("This is a live stream or longer than three hours. Choose a finished, shorter video.");
    if (/larger than max-filesize/.test(output))
      throw new StepError("The sound of this video is larger than 700 MB. Choose a shorter one.");
    throw new StepError("The video site gave no sound for this link. Check that the video plays, then retry.");
  }
  const path = join(folder, sound);
  if ((await stat(path)).size === 0)
    throw new StepError("The video site sent an empty file. Retry the download later.", true);
  const metadata = await readMetadata(folder, names);
  return {
    path,
    title: oneLine(metadata.track ?? metadata.title),
    artist: oneLine(metadata.artist ?? metadata.uploader),
    coverAddress: typeof metadata.thumbnail === "string" ? metadata.thumbnail.slice(0, 2000) : "",
  };
}

async function readMetadata(folder: string, names: readonly string[]): Promise<Record<string, unknown>> {
  const name = names.find((each) => each.endsWith(".info.json"));
  if (!name) return {};
  const path = join(folder, name);
  // A song without its metadata is still a song: a file that cannot be read is left alone.
  if ((await stat(path)).size > MAX_METADATA_BYTES) return {};
  try {
    const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** One line of text without control characters, at most 300 long. */
export function oneLine(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 300);
}

/** The site's own words, shortened and without paths of this server. */
function explain(output: string): StepError {
  const line = output.split("\n").findLast((each) => each.startsWith("ERROR:")) ?? "";
  const words = line.replace(/^ERROR:\s*(\[[^\]]*\]\s*)?([\w-]{11}:\s*)?/, "").replaceAll(/(?:\/[\w.-]+){2,}/g, "…");
  const isTemporary = /timed out|temporarily|HTTP Error (429|5\d\d)|Connection|resolve|Unable to download/i.test(words);
  return new StepError(
    oneLine(words) || "yt-dlp failed without saying why. Retry the download, or upload the file.",
    isTemporary,
  );
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  } catch {
    // the whole group is gone
  }
}
