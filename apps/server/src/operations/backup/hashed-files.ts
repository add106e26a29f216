import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { BackupError } from "./manifest.ts";

const CHUNK_BYTES = 1 << 18;
const FLUSHED_AT_ONCE = 32;

/** Size and checksum of a file. */
export interface Content {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a file that only its owner can read; {@link flush} it before relying on it.
 * @param onChunk called with each chunk as it is written
 */
export async function writeHashed(
  path: string,
  chunks: AsyncIterable<Buffer>,
  { signal, onChunk }: { readonly signal?: AbortSignal | undefined; readonly onChunk?: (chunk: Buffer) => void } = {},
): Promise<Content> {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* metered() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      onChunk?.(chunk);
      yield chunk;
    }
  }
  await pipeline(metered(), createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
  return { bytes, sha256: hash.digest("hex") };
}

/** Reads chunks to their end. */
export async function hashChunks(chunks: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<Content> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Waits until files are flushed to disk, so that they survive a power loss. Flushing many in parallel costs little more
 * than one.
 */
export async function flush(paths: readonly string[]): Promise<void> {
  for (let i = 0; i < paths.length; i += FLUSHED_AT_ONCE)
    await Promise.all(
      paths.slice(i, i + FLUSHED_AT_ONCE).map(async (path) => {
        await using file = await open(path);
        await file.sync();
      }),
    );
}

/** Reads the first `bytes` of a file; later bytes were appended afterwards. */
export function readFirst(path: string, bytes: number): AsyncIterable<Buffer> {
  if (bytes === 0) return none();
  return createReadStream(path, { end: bytes - 1, highWaterMark: CHUNK_BYTES });
}

async function* none(): AsyncGenerator<Buffer> {}

/**
 * Reads a file and verifies it against the manifest; the end is yielded only if all of it matches.
 * @param name for the error message
 * @throws BackupError if it is missing or differs; without `sha256` only the length is checked
 */
export async function* readKept(
  path: string,
  kept: { readonly bytes: number; readonly sha256?: string },
  name: string,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new BackupError(`The backup is damaged: ${name} is missing. Use another backup.`);
  }
  if (bytes !== kept.bytes || (kept.sha256 !== undefined && hash.digest("hex") !== kept.sha256))
    throw new BackupError(`The backup is damaged: ${name} is not what was written. Use another backup.`);
}

/** Reads a file completely. @throws BackupError as {@link readKept} */
export async function verify(
  path: string,
  kept: { readonly bytes: number; readonly sha256?: string },
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  for await (const _chunk of readKept(path, kept, name)) signal?.throwIfAborted();
}
