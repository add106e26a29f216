/** What a file of a fixture may be at most. The largest of some two thousand known ones are a fiftieth of it. */
export const FIXTURE_LIMITS = {
  /** Bytes of a file as it comes. */
  fileBytes: 4 * 1024 * 1024,
  /** Bytes of the description in a packed file, unpacked. */
  descriptionBytes: 8 * 1024 * 1024,
  /** Entries of a packed file; all but one are pictures and models, and are not looked at. */
  entries: 4000,
  /** Elements within elements, and elements in all. */
  depth: 32,
  elements: 200_000,
  /** Modes of a fixture, channels of a mode, and of all modes together. */
  modes: 256,
  channels: 512,
  allChannels: 20_000,
  /** Uses of geometries, and places of channels on them, of all modes together. */
  uses: 20_000,
  /** Ranges of values of one channel. */
  ranges: 1024,
  /** Bytes of what is kept of a fixture, about. */
  definitionBytes: 4 * 1024 * 1024,
  /** Characters of a name. */
  name: 120,
} as const;

/** Why a file is no fixture that can be read: a sentence for the person who gave it. */
export class FixtureFileError extends Error {
  override readonly name = "FixtureFileError";
}

/** @throws FixtureFileError */
export function refuse(why: string): never {
  throw new FixtureFileError(why);
}

/** A name as it may be shown and kept: one line, no control characters, not too long. */
export function cleanName(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return [...line].slice(0, FIXTURE_LIMITS.name).join("").trim();
}

const LABELS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"]);

/**
 * The text of a file: UTF-8, UTF-16 with its mark, or what the XML declaration names.
 * @throws FixtureFileError when it is in another encoding
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
