const DOMAINS = ["youtube.com", "youtu.be"];

/** Why a link cannot be added, or undefined when it can. */
export function videoUrlError(url: string): "Please enter a YouTube URL" | "Invalid YouTube URL" | undefined {
  const text = url.trim();
  if (text === "") return "Please enter a YouTube URL";
  const host = hostOf(text);
  const known = host !== undefined && DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return known ? undefined : "Invalid YouTube URL";
}

/** People also paste links without the scheme. */
function hostOf(text: string): string | undefined {
  const url = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? hostname.toLowerCase() : undefined;
}
