/** Limits of a fixture file. The largest of about 2000 known files use a fiftieth of them. */
export const FIXTURE_LIMITS = {
  /** Bytes of the file itself. */
  fileBytes: 4 * 1024 * 1024,
  /** Bytes of the description in a zip file, uncompressed. */
  descriptionBytes: 8 * 1024 * 1024,
  /** Entries of a zip file. All but one are pictures and models, and are ignored. */
  entries: 4000,
  /** Nesting depth of elements, and number of elements. */
  depth: 32,
  elements: 200_000,
  /** Modes of a fixture, channels of a mode, and channels of all modes together. */
  modes: 256,
  channels: 512,
  allChannels: 20_000,
  /** References to geometries, and placements of channels on them, in all modes together. */
  uses: 20_000,
  /** Ranges of values of one channel. */
  ranges: 1024,
  /** Approximate bytes of the stored definition of a fixture. */
  definitionBytes: 4 * 1024 * 1024,
  /** Characters of a name. */
  name: 120,
} as const;

/** Reason why a file cannot be read as a fixture: a sentence for the user. */
export class FixtureFileError extends Error {
  override readonly name = "FixtureFileError";
}

/** @throws FixtureFileError */
export function refuse(why: string): never {
  throw new FixtureFileError(why);
}

/** Cleans a name for display and storage: one line, no control characters, limited length. */
export function cleanName(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return [...line].slice(0, FIXTURE_LIMITS.name).join("").trim();
}

const LABELS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"]);

/**
 * Decodes the text of a file: UTF-8, UTF-16 with a byte order mark, or the encoding in the XML declaration.
 *
 * @throws FixtureFileError if it is in another encoding
 */
export function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes;
  const isWide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  const label = isWide ? (a === 0xff ? "utf-16le" : "utf-16be") : declared(bytes);
  if (!isWide && !LABELS.has(label)) refuse(`The file says it is written in ${cleanName(label)}; save it as UTF-8.`);
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return refuse(`The file is not text in ${label.toUpperCase()}; it may be damaged, or of another kind.`);
  }
}

function declared(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 120));
  return (/^\s*<\?xml[^>]*?encoding=["']([\w.-]{1,40})["']/.exec(head)?.[1] ?? "utf-8").toLowerCase();
}
