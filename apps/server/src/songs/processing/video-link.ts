import { isIP } from "node:net";

/** Source of a song. */
export type Link =
  | (VideoLink & { readonly kind: "video" })
  /** A page of a site named in the settings. */
  | { readonly kind: "page"; readonly url: string }
  /** An audio file on the public internet. */
  | { readonly kind: "file"; readonly url: string; readonly name: string };

/** A video of the video site. Only the ID of the given link is used. */
export interface VideoLink {
  /** Eleven characters of [A-Za-z0-9_-]. */
  readonly ytid: string;
  /** Canonical link, built from the ID. */
  readonly url: string;
}

const LONG_HOSTS = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
]);
const SHORT_HOST = "youtu.be";
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;
/** Path prefixes of the long hosts that are followed by the ID. */
const ID_PATHS = new Set(["shorts", "live", "embed", "v", "e"]);
/** Pages that only redirect to another link → the parameters that contain it. */
const WRAPPERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["www.youtube.com/attribution_link", ["u"]],
  ["consent.youtube.com/m", ["continue"]],
  ["www.google.com/url", ["q", "url"]],
]);
/** Sites that provide no audio file, not even to the downloader. */
const STREAMING = ["spotify.com", "spotify.link", "music.apple.com", "tidal.com", "deezer.com", "music.amazon.com"];
/** File-sharing sites, whose links open a page instead of the file. */
const FILE_SHARING = [
  "drive.google.com",
  "docs.google.com",
  "dropbox.com",
  "1drv.ms",
  "sharepoint.com",
  "wetransfer.com",
  "we.tl",
];

/** File extensions that suggest audio; the content is checked after the download. */
const SOUND_FILE = /\.(mp3|m4a|aac|ogg|oga|opus|flac|wav|aiff?|webm)$/i;
/** Longest stored address, in characters. */
const MOST_LETTERS = 2000;
/** Parameters for tracking, which do not affect the target of a link. */
const TRACKING = /^(utm_.*|si|fbclid|igsh|ref|from)$/;

/**
 * Parses a link to a song: a video, a page of one of the sites, or an audio file. Hosts are compared label by label.
 * @param sites those named in the settings
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

/** Returns the video ID; "" for other links. */
export const ytidOf = (link: Link): string => (link.kind === "video" ? link.ytid : "");

/** Explains why a text is not a link to a song, and what works instead. */
export function refuseLink(text: string): string {
  const url = readUrl(text);
  if (!url)
    return hasPortOrUser(text)
      ? "Invalid YouTube URL. Links with a port, user name or password are not followed. Give a link without, or upload the file."
      : "Invalid YouTube URL";
  const { hostname } = url;
  if (isVideoHost(hostname))
    return "Invalid YouTube URL. This link names no video. Open the video, and copy the link of its page.";
  if (isOfSites(hostname, STREAMING))
    return `Invalid YouTube URL. Songs of ${hostname} cannot be downloaded. Give a link of YouTube, or upload the file.`;
  if (isOfSites(hostname, FILE_SHARING))
    return `Invalid YouTube URL. Links of ${hostname} open a page, not the file. Download the file there, and upload it here.`;
  if (!isOpenAddress({ protocol: "https:", hostname, port: url.port, username: "", password: "" }))
    return "Invalid YouTube URL. Files are fetched from the open internet only. Upload the file instead.";
  if (url.protocol === "http:")
    return "Invalid YouTube URL. Files are fetched over https only. Try the link with https, or upload the file.";
  return `Invalid YouTube URL. FOLLOWSPOT_LINK_SITES does not name ${url.hostname}, so of this site only links to audio files are taken. Upload the file instead, or have the site added to the setting.`;
}

/** Whether an address is https on the default port, with a host name instead of an IP address. */
export function isOpenAddress({
  protocol,
  hostname,
  port,
  username,
  password,
}: Pick<URL, "protocol" | "hostname" | "port" | "username" | "password">): boolean {
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[") && /[^.]\.[^.]+$/.test(hostname);
  return protocol === "https:" && port === "" && isName && !username && !password;
}

export const isOfSites = (hostname: string, sites: readonly string[]): boolean =>
  sites.some((site) => hostname === site || hostname.endsWith(`.${site}`));

export const isVideoHost = (hostname: string): boolean => hostname === SHORT_HOST || LONG_HOSTS.has(hostname);

/** Returns the last part of the path, decoded. */
function fileName({ pathname }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // not UTF-8
  }
}

/**
 * Parses a link to one video. The host is compared as a whole, because a substring match would accept hostile links.
 * @returns undefined for anything that is not clearly a video link
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

/** IDs of playlists: PL…, OLAK5uy_…, UU…, RD… and others. WL and LL are private lists. */
const PLAYLIST_ID = /^(?!WL$|LL$)[A-Za-z0-9_-]{2,80}$/;

/**
 * Parses a link to a playlist, or to a video in one.
 * @returns the playlist's ID; undefined for anything that is not clearly one
 */
export function parsePlaylistLink(text: string): string | undefined {
  const url = readUrl(text);
  if (!url || !isVideoHost(url.hostname)) return undefined;
  const id = url.searchParams.get("list") ?? "";
  return PLAYLIST_ID.test(id) ? id : undefined;
}

export const playlistUrl = (id: string) => `https://www.youtube.com/playlist?list=${id}`;

function hasPortOrUser(text: string): boolean {
  const url = URL.parse(linkIn(text.trim()));
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.port}` !== "";
}

/** Parses a pasted web address without a user name, password or port; returns the target of a wrapper link. */
function readUrl(text: string): URL | undefined {
  const url = URL.parse(linkIn(text.trim()));
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  if (url.username || url.password || url.port) return undefined;
  return unwrapped(url) ?? url;
}

/**
 * Finds the link in a text: the text itself, with https in front if it has no scheme, or the only link between words.
 */
function linkIn(text: string): string {
  const whole = text.replace(/(?:%20|\s)+$/, "");
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/\S+$/i.test(whole)) return `https://${whole}`;
  if (/^\S*$/.test(whole)) return whole;
  const links = new Set(whole.match(/\bhttps?:\/\/[^\s<>"]+/gi)?.map((each) => each.replace(/[).,;:!?'\]»…]+$/, "")));
  return links.size === 1 ? [...links][0]! : ""; // the set has exactly one element
}

function unwrapped(url: URL): URL | undefined {
  const names = WRAPPERS.get(`${url.hostname}${url.pathname}`) ?? [];
  const inner = names.map((name) => url.searchParams.get(name)).find((value) => value !== null);
  const link = inner === undefined || inner === null ? null : URL.parse(inner, "https://www.youtube.com");
  return link && LONG_HOSTS.has(link.hostname) ? link : undefined;
}

function idOf(url: URL, parts: readonly string[]): string | null | undefined {
  if (url.hostname === SHORT_HOST) return parts.length === 1 ? parts[0] : undefined;
  if (!LONG_HOSTS.has(url.hostname)) return undefined;
  if (parts.length === 1 && parts[0] === "watch") return url.searchParams.get("v");
  if (parts.length === 2 && ID_PATHS.has(parts[0] ?? "")) return parts[1];
  return undefined;
}
