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
  const url = readUrl(text);
  if (!url) return undefined;
  const parts = url.pathname.split("/").filter(Boolean);
  const ytid = idOf(url, parts);
  if (!ytid || !VIDEO_ID.test(ytid)) return undefined;
  return { ytid, url: videoUrl(ytid) };
}

export const videoUrl = (ytid: string) => `https://www.youtube.com/watch?v=${ytid}`;

export const isVideoId = (text: string) => VIDEO_ID.test(text);

/** Ids of playlists: PL…, OLAK5uy_…, UU…, RD… and others. WL and LL are lists only their owner sees. */
const PLAYLIST_ID = /^(?!WL$|LL$)[A-Za-z0-9_-]{2,80}$/;

/**
 * Reads a link to a playlist, or to a video on one.
 * @returns the playlist's id; undefined for anything that is not plainly one
 */
export function parsePlaylistLink(text: string): string | undefined {
  const url = readUrl(text);
  if (!url || (url.hostname !== SHORT_HOST && !LONG_HOSTS.has(url.hostname))) return undefined;
  const id = url.searchParams.get("list") ?? "";
  return PLAYLIST_ID.test(id) ? id : undefined;
}

export const playlistUrl = (id: string) => `https://www.youtube.com/playlist?list=${id}`;

/** A web address without a name, password or port in it. */
function readUrl(text: string): URL | undefined {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return url.username || url.password || url.port ? undefined : url;
}

function idOf(url: URL, parts: readonly string[]): string | null | undefined {
  if (url.hostname === SHORT_HOST) return parts.length === 1 ? parts[0] : undefined;
  if (!LONG_HOSTS.has(url.hostname)) return undefined;
  if (parts.length === 1 && parts[0] === "watch") return url.searchParams.get("v");
  if (parts.length === 2 && ID_PATHS.has(parts[0] ?? "")) return parts[1];
  return undefined;
}
