/**
 * A reason without what differs between two failures of one cause: links, times, ids, paths and numbers. Two failures
 * have the same cause when their queue and this text are the same.
 */
export function causeOf(reason: string): string {
  const bare = WHAT_DIFFERS.reduce((text, [what, name]) => text.replace(what, name), reason);
  return bare.replace(/\s+/g, " ").trim();
}

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?`;

/** In this order: a link holds paths, a time holds numbers. */
const WHAT_DIFFERS: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, "‹link›"],
  [new RegExp(String.raw`\b${DAY}(?:[T ]${CLOCK}(?:Z|[+-]\d\d:?\d\d)?)?`, "g"), "‹time›"],
  [new RegExp(String.raw`\b${CLOCK}\b(?: ?[AP]M\b)?`, "g"), "‹time›"],
  // As yt-dlp names a video: its id may be eleven plain letters.
  [/(\[[\w:+-]+\] )[\w-]{6,}(?=:)/g, "$1‹id›"],
  [/\b[a-z]:\\[^\s"'<>|:]+/gi, "‹path›"],
  [/(?<![\w/])(?:~|\.{1,2})?(?:\/[\w.@+=%-]+){2,}\/?/g, "‹path›"],
  // UUIDs, ULIDs, hashes and names with a digit in them.
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,}\b/gi, "‹id›"],
  [/\d+(?:[.,]\d+)*/g, "‹n›"],
];
