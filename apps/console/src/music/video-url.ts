const DOMAINS = ["youtube.com", "youtu.be"];

/** Why a text is no link, or undefined when it is one: the server knows which sites are taken, and says so. */
export function videoUrlError(url: string): "Please enter a YouTube URL" | "Invalid YouTube URL" | undefined {
  const text = linkIn(url);
  if (text === "") return "Please enter a YouTube URL";
  return hostOf(text)?.includes(".") ? undefined : "Invalid YouTube URL";
}

/** What a person typed into the field for links. A link to a video on a playlist is a video. */
export type Typed = "nothing" | "words" | "video" | "playlist";

/** Tells words to search for from a link; what looks like a link is one, however wrong. */
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

/** A pasted link without the words around it; other texts stay as they are. */
function linkIn(text: string): string {
  const typed = text.trim();
  return (/\s/.test(typed) && typed.match(/\bhttps?:\/\/[^\s<>"]+/i)?.[0]) || typed;
}

function hostOf(text: string): string | undefined {
  const url = asUrl(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb ? url.hostname.toLowerCase() : undefined;
}

/** People also paste links without the scheme. */
function asUrl(text: string): URL | undefined {
  return URL.parse(/^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`) ?? undefined;
}
