/** A video of the video site: nothing of the given link survives but the id. */
export interface VideoLink {
  /** Eleven characters of [A-Za-z0-9_-]. */
  readonly ytid: string;
  /** Rebuilt, canonical. */
  readonly url: string;
}

const LONG_HOSTS = new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"]);
const SHORT_HOST = "youtu.be";
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;
/** Paths of the long hosts whose next part is the id. */
const ID_PATHS = new Set(["shorts", "live", "embed", "v"]);

/**
 * Reads a link to one video. The host is compared whole: "contains the domain" lets hostile links by.
 * @returns undefined for anything that is not plainly a video link
 */
export function parseVideoLink(text: string): VideoLink | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return undefined;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  if (url.username || url.password || url.port) return undefined;
  const parts = url.pathname.split("/").filter(Boolean);
  const ytid = idOf(url, parts);
  if (!ytid || !VIDEO_ID.test(ytid)) return undefined;
  return { ytid, url: videoUrl(ytid) };
}

export const videoUrl = (ytid: string) => `https://www.youtube.com/watch?v=${ytid}`;

export const isVideoId = (text: string) => VIDEO_ID.test(text);

function idOf(url: URL, parts: readonly string[]): string | null | undefined {
  if (url.hostname === SHORT_HOST) return parts.length === 1 ? parts[0] : undefined;
  if (!LONG_HOSTS.has(url.hostname)) return undefined;
  if (parts.length === 1 && parts[0] === "watch") return url.searchParams.get("v");
  if (parts.length === 2 && ID_PATHS.has(parts[0] ?? "")) return parts[1];
  return undefined;
}
