import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isPart, keepParts, takeParts, type Attempt } from "./download-parts.ts";
import type { Downloader, Program } from "./downloader/downloader.ts";
import type { LinkAccess } from "./downloader/link-access.ts";
import { runDownloader } from "./downloader/run-downloader.ts";
import { oneLine, OutgrownError } from "./downloader/site-faults.ts";
import type { PublicSite } from "./public-fetch.ts";
import { StepError } from "./step-error.ts";

export interface Video {
  /** Path of the audio file as the site provides it. */
  readonly path: string;
  readonly title: string;
  readonly artist: string;
  /** Address of the cover from the site, "" if unknown; not trusted. */
  readonly coverAddress: string;
}

export interface VideoSiteSettings {
  readonly downloader: Downloader;
  readonly ffmpeg: string | undefined;
  /** For tests: origin on loopback that replaces the video site. */
  readonly testSite: string | undefined;
  /** Cookies and proxy; a direct connection if absent. */
  readonly access?: LinkAccess;
  /** Hosts whose pages are downloaded in addition to the site's videos; none if absent. */
  readonly sites?: readonly string[];
  /** Name resolution; the system's if absent. */
  readonly lookUp?: PublicSite["lookUp"];
  /** Longest silence and longest download, ms; shorter in tests. */
  readonly limits?: { readonly silenceMs: number; readonly totalMs: number };
}

interface Report {
  readonly signal: AbortSignal;
  /** Receives 0..1; fetching the downloader precedes the download. */
  readonly onProgress: (share: number, what: "fetching" | "downloading") => void;
}

const MAX_SECONDS = 3 * 3600;
const MAX_FILESIZE = "700M";
/** Limits of a download, ms. It may be slow while data arrives: three hours of audio at 200 kbit/s. */
const LIMITS = { silenceMs: 180_000, totalMs: 12 * 3600_000 };
const MAX_METADATA_BYTES = 4 * 1024 * 1024;
const MAX_TEXT = 64 * 1024;

/**
 * Downloads the audio of one video with yt-dlp into a private folder: no playlist, with limits on length, size and
 * time. Resumes the partial download of an earlier attempt. If the site no longer supports the installed version, the
 * newest one is tried once.
 * @throws StepError with a reason for the user
 */
export async function downloadVideo(
  url: string,
  attempt: Attempt,
  settings: VideoSiteSettings,
  { signal, onProgress }: Report,
): Promise<Video> {
  const onFetch = (share: number) => onProgress(share, "fetching");
  const { downloader } = settings;
  const folder = await takeParts(attempt);
  const download = (by: Program) => downloadWith(by, url, folder, settings, { signal, onProgress });
  try {
    return await downloader.use({ signal, onFetch }, async (program) => {
      try {
        return await download(program);
      } catch (error) {
        const newer =
          error instanceof OutgrownError ? await downloader.newerThan(program.version, { signal, onFetch }) : undefined;
        if (!newer) throw error;
        return await download(newer);
      }
    });
  } catch (error) {
    await keepParts(attempt, folder, error);
    throw error;
  }
}

async function downloadWith(
  program: Program,
  url: string,
  folder: string,
  { testSite, access, ffmpeg, limits = LIMITS }: VideoSiteSettings,
  { signal, onProgress }: Report,
): Promise<Video> {
  const options = [
    "--no-playlist",
    // Only the first song of an album.
    ...["--playlist-items", "1"],
    "--part",
    "--continue",
    "--no-mtime",
    "--newline",
    "--progress",
    ...["--match-filter", `!is_live & duration<?${MAX_SECONDS}`],
    ...["--max-filesize", MAX_FILESIZE],
    ...["--socket-timeout", "20"],
    ...["--retries", "3"],
    "--write-info-json",
    ...["-f", "bestaudio[ext=m4a]/bestaudio/best"],
    ...(ffmpeg ? ["--ffmpeg-location", ffmpeg] : []),
    // Each format has its own file, so that a partial file is never continued with bytes of another format.
    ...["-o", "sound.%(format_id)s.%(ext)s"],
  ];
  const onText = (text: string) => {
    const percent = /(\d+(?:\.\d+)?)%/.exec(text)?.[1];
    if (percent) onProgress(Math.min(1, Number(percent) / 100), "downloading");
  };
  const run = { folder, signal, access, ...limits, keep: MAX_TEXT, onText };
  const { all } = await runDownloader(program, options, onSite(url, testSite), run);
  return collect(folder, all);
}

/** Returns an address on the video site, or on its replacement in tests. */
export function onSite(url: string, testSite: string | undefined): string {
  return testSite ? url.replace("https://www.youtube.com", new URL(testSite).origin) : url;
}

/** Finds the audio file and reads the cleaned metadata beside it. */
async function collect(folder: string, output: string): Promise<Video> {
  const names = await readdir(folder);
  const sound = names.find((name) => name.startsWith("sound.") && !name.endsWith(".json") && !isPart(name));
  if (!sound) {
    if (/does not pass filter/.test(output))
      throw new StepError("This is a live stream or longer than three hours. Choose a finished, shorter one.");
    if (/larger than max-filesize/.test(output))
      throw new StepError("This sound is larger than 700 MB. Choose a shorter one.");
    throw new StepError("The site gave no sound for this link. Check that it plays in a browser, then retry.");
  }
  const path = join(folder, sound);
  if ((await stat(path)).size === 0)
    throw new StepError("The site sent an empty file. Retry the download later.", true);
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
  // Metadata is optional, so an unreadable file is ignored.
  if ((await stat(path)).size > MAX_METADATA_BYTES) return {};
  try {
    const parsed: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
