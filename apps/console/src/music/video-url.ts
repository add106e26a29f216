const DOMAINS = ["youtube.com", "youtu.be"];

/**
 * Returns why a text is no link, or undefined if it is one. The server knows the supported sites and reports others.
 */
export function videoUrlError(url: string): "Please enter a YouTube URL" | "Invalid YouTube URL" | undefined {
  const text = linkIn(url);
  if (text === "") return "Please enter a YouTube URL";
  return hostOf(text)?.includes(".") ? undefined : "Invalid YouTube URL";
}

/** Kind of text in the field for links. A link to a video on a playlist is a video. */
export type Typed = "nothing" | "words" | "video" | "playlist";

/** Classifies a text as search words or a link; whatever looks like a link is one, even if it is invalid. */
export function readTyped(text: string): Typed {
  const typed = linkIn(text);
  if (typed === "") return "nothing";
  if (!/^[a-z][a-z\d+.-]*:\S/i.test(typed) && !/^\S+\.\S+$/.test(typed)) return "words";
  return isPlaylistAlone(typed) ? "playlist" : "video";
}

/** Whether a link names a playlist, alone or beside a video. */
export function namesPlaylist(text: string): boolean {
  const link = linkIn(text);
  const host = hostOf(link);
  const isOfSite = host !== undefined && DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return isOfSite && Boolean(asUrl(link)?.searchParams.get("list"));
}

function isPlaylistAlone(text: string): boolean {
  return namesPlaylist(text) && asUrl(text)?.pathname.replace(/\/$/, "") === "/playlist";
}

/** Extracts a pasted link from the words around it; other texts are unchanged. */
function linkIn(text: string): string {
  const typed = text.trim();
  return (/\s/.test(typed) && typed.match(/\bhttps?:\/\/[^\s<>"]+/i)?.[0]) || typed;
}

function hostOf(text: string): string | undefined {
  const url = asUrl(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb ? url.hostname.toLowerCase() : undefined;
}

/** Users also paste links without a scheme. */
function asUrl(text: string): URL | undefined {
  return URL.parse(/^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`) ?? undefined;
}
