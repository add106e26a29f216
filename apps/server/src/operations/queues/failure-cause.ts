/**
 * Returns a reason without its variable parts: links, times, IDs, paths and numbers. Two failures have the same cause
 * if their queue and this text are equal.
 */
export function causeOf(reason: string): string {
  const bare = WHAT_DIFFERS.reduce((text, [what, name]) => text.replace(what, name), reason);
  return bare.replace(/\s+/g, " ").trim();
}

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?`;

/** The order matters: a link contains paths, a time contains numbers. */
const WHAT_DIFFERS: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, "‹link›"],
  [new RegExp(String.raw`\b${DAY}(?:[T ]${CLOCK}(?:Z|[+-]\d\d:?\d\d)?)?`, "g"), "‹time›"],
  [new RegExp(String.raw`\b${CLOCK}\b(?: ?[AP]M\b)?`, "g"), "‹time›"],
  // A video as named by yt-dlp, whose ID may be eleven plain letters.
  [/(\[[\w:+-]+\] )[\w-]{6,}(?=:)/g, "$1‹id›"],
  [/\b[a-z]:\\[^\s"'<>|:]+/gi, "‹path›"],
  [/(?<![\w/])(?:~|\.{1,2})?(?:\/[\w.@+=%-]+){2,}\/?/g, "‹path›"],
  // UUIDs, ULIDs, hashes and names that contain a digit.
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{8,}\b/gi, "‹id›"],
  [/\d+(?:[.,]\d+)*/g, "‹n›"],
];
