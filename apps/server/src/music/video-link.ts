import { isIP } from "node:net";

/** What a song may come from. */
export type Link =
  | (VideoLink & { readonly kind: "video" })
  /** A page of a site the settings name. */
  | { readonly kind: "page"; readonly url: string }
  /** An audio file somewhere on the open internet. */
  | { readonly kind: "file"; readonly url: string; readonly name: string };

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

/** Ends of paths that promise sound; whether it is sound is seen when it comes. */
const SOUND_FILE = /\.(mp3|m4a|aac|ogg|oga|opus|flac|wav|aiff?|webm)$/i;
/** An address that is kept. */
const MOST_LETTERS = 2000;
/** Says where a person found a link, not what it leads to. */
const TRACKING = /^(utm_.*|si|fbclid|igsh|ref|from)$/;

/**
 * Reads a link to a song: a video, a page of one of the sites, or an audio file. Hosts are compared whole, label by label.
 * @param sites those the settings name
 * @returns undefined for anything else
 */
export function parseLink(text: string, sites: readonly string[]): Link | undefined {
  const video = parseVideoLink(text);
  if (video) return { kind: "video", ...video };
  const url = readUrl(text);
  if (!url || !isOpenAddress(url) || isVideoHost(url.hostname) || url.href.length > MOST_LETTERS) return undefined;
  url.hash = "";
  if (isOfSites(url.hostname, sites)) {
    for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
    return { kind: "page", url: url.href.replace(/\/$/, "") };
  }
  const name = fileName(url);
  return SOUND_FILE.test(name) ? { kind: "file", url: url.href, name } : undefined;
}

/** "" for what is no video. */
export const ytidOf = (link: Link): string => (link.kind === "video" ? link.ytid : "");

/** Why a text is no link to a song, and what would make it one. */
export function refuseLink(text: string): string {
  const url = readUrl(text);
  if (!url || !isOpenAddress(url) || isVideoHost(url.hostname)) return "Invalid YouTube URL";
  return `Invalid YouTube URL. FOLLOWSPOT_LINK_SITES does not name ${url.hostname}, so of this site only links to audio files are taken. Upload the file instead, or have the site added to the setting.`;
}

/** https on its own port, to a name and not to an address. */
export function isOpenAddress({ protocol, hostname, port, username, password }: URL): boolean {
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[") && /[^.]\.[^.]+$/.test(hostname);
  return protocol === "https:" && port === "" && isName && !username && !password;
}

export const isOfSites = (hostname: string, sites: readonly string[]): boolean =>
  sites.some((site) => hostname === site || hostname.endsWith(`.${site}`));

export const isVideoHost = (hostname: string): boolean => hostname === SHORT_HOST || LONG_HOSTS.has(hostname);

/** The last part of its path, as a person would write it. */
function fileName({ pathname }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // not UTF-8
  }
}

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
  if (!url || !isVideoHost(url.hostname)) return undefined;
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
