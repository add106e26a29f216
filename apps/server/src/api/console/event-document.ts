import type { PublicEventJson } from "@followspot/contract/guest";

const MOST_DESCRIPTION = 300;

/**
 * Returns the document of an event with its title, description and Open Graph tags, which messengers and search engines
 * read, and with the event as JSON for its script.
 *
 * @param event undefined unless everybody may see it: the document is then the same for every address
 * @param address of the page, without the path below which a proxy serves it; undefined if it is unknown
 */
export function eventDocument(
  document: string,
  { event, community, address }: { event: PublicEventJson | undefined; community: string; address: string | undefined },
): string {
  const title = event ? `${event.title} · ${community}` : `Invitation · ${community}`;
  const description = event ? describe(event) : `You are invited to an event of ${community}.`;
  const image = event?.coverUrl && address !== undefined ? `${address}${event.coverUrl}` : undefined;
  const tags: readonly (readonly [string, string | undefined])[] = [
    ["og:type", "website"],
    ["og:site_name", community],
    ["og:title", event?.title ?? "You are invited"],
    ["og:description", description],
    ["og:url", event && address !== undefined ? `${address}/e/${event.id}` : undefined],
    ["og:image", image],
  ];
  const head = [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    ...(event ? [] : [`<meta name="robots" content="noindex, nofollow">`]),
    `<meta name="twitter:card" content="${image ? "summary_large_image" : "summary"}">`,
    ...tags.flatMap(([name, value]) => (value ? [`<meta property="${name}" content="${escaped(value)}">`] : [])),
    ...(event ? [`<script type="application/json" id="event">${jsonText(event)}</script>`] : []),
  ];
  return document.replace("</head>", () => `${head.join("")}</head>`);
}

function describe({ startsAt = "", timeZone = "", location = "", address = "", state }: PublicEventJson): string {
  const zone = timeZone || "UTC";
  const time = new Date(startsAt).toLocaleString("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: zone });
  const parts = [state === "canceled" && "Canceled", `${time} (${zone.replaceAll("_", " ")})`, location, address];
  const text = parts.filter(Boolean).join(" · ");
  return [...text].slice(0, MOST_DESCRIPTION).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

/** JSON that cannot end the element. */
const jsonText = (event: PublicEventJson): string => JSON.stringify(event).replaceAll("<", "\\u003c");
