import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundVideo, FoundVideos, VideosRequest } from "@followspot/contract";
import { StepError } from "../step-error.ts";
import { isVideoId, playlistUrl } from "../video-link.ts";
import { onSite, type VideoSiteSettings } from "../video-site.ts";
import type { Program } from "./downloader.ts";
import { runDownloader } from "./run-downloader.ts";
import { oneLine } from "./site-faults.ts";

/** Fields we read from yt-dlp's flat list; none of them is trusted. */
interface FlatList {
  readonly title?: unknown;
  readonly entries?: unknown;
}

/** Most characters of a list; 200 entries have about 400 KB. */
const MAX_TEXT = 8_000_000;
/** Safety limit, ms; normally the abort signal ends a list. */
const BACKSTOP_MS = 60_000;
const MAX_SECONDS = 24 * 3600;

/**
 * Searches the video site or lists one of its playlists, in one or two flat requests; no video page is opened.
 * @throws StepError with the site's message
 */
export async function listVideos(
  program: Program,
  request: VideosRequest,
  { testSite, access }: Pick<VideoSiteSettings, "testSite" | "access">,
  signal: AbortSignal,
): Promise<FoundVideos> {
  const folder = await mkdtemp(join(tmpdir(), "followspot-videos-"));
  // One more item than needed shows whether there are more. Search words follow a fixed prefix, so they are never
  // parsed as an option or address.
  const ask =
    request.kind === "search"
      ? { target: `ytsearch${request.limit}:${request.words}`, items: request.limit }
      : { target: onSite(playlistUrl(request.id), testSite), items: request.limit + 1 };
  const options = ["--flat-playlist", "--yes-playlist", "--dump-single-json", "--no-warnings"];
  options.push("--playlist-items", `1:${ask.items}`, "--socket-timeout", "10", "--retries", "1");
  try {
    const run = { folder, signal, access, silenceMs: BACKSTOP_MS, totalMs: BACKSTOP_MS, keep: MAX_TEXT };
    const { text } = await runDownloader(program, options, ask.target, run);
    return read(text, request.limit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read(text: string, limit: number): FoundVideos {
  const list = parse(text);
  if (!Array.isArray(list.entries))
    throw new StepError("The video site's answer could not be read. Try again, or paste the links of the videos.");
  const entries = list.entries as readonly unknown[]; // each entry is validated below
  const known = new Set<string>();
  const videos = entries.slice(0, limit).flatMap((entry): FoundVideo[] => {
    const video = toVideo(entry);
    if (!video || known.has(video.ytid)) return [];
    known.add(video.ytid);
    return [video];
  });
  const is_cut = entries.length > limit;
  return { title: oneLine(list.title), videos, left_out: Math.min(limit, entries.length) - videos.length, is_cut };
}

function parse(text: string): FlatList {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/**
 * Converts an entry; undefined for one that cannot be downloaded. Private and deleted videos have neither length nor
 * uploader; live ones have no end.
 */
function toVideo(entry: unknown): FoundVideo | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { id, title, duration, channel, uploader, live_status } = entry as Record<string, unknown>;
  if (typeof id !== "string" || !isVideoId(id)) return undefined;
  const name = oneLine(title);
  const seconds = typeof duration === "number" && duration > 0 && duration <= MAX_SECONDS ? Math.floor(duration) : 0;
  if (live_status === "is_live" || live_status === "is_upcoming") return undefined;
  if (seconds === 0 && /^\[(private|deleted) video\]$/i.test(name)) return undefined;
  return { ytid: id, title: name, artist: oneLine(channel) || oneLine(uploader), duration: seconds };
}
