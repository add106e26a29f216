import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Code, ConnectError } from "@connectrpc/connect";

/**
 * Files by key, `songs/<id>/<name>`, in a local folder or an S3 store. In an S3 store, results of remote workers are
 * staged under `left/<id>/<name>` until they are validated. Readers see the old or the new version of a file, never a
 * part.
 */
export interface BlobStore {
  /** Where it is, for people: "the data folder", "s3://bucket/prefix". */
  readonly name: string;
  /** Returns undefined if the key does not exist. */
  stat(key: string): Promise<BlobStat | undefined>;
  /**
   * Reads the version that exists at the time of the call, whatever replaces it later. A whole file is verified:
   * the last chunk is yielded only if the checksum is correct.
   * @throws BlobError while reading, of kind "changed" if `etag` is set and another version has the key
   */
  read(key: string, options?: ReadOptions): Promise<ReadBlob | undefined>;
  /** @throws BlobError of kind "changed" if it must be absent and exists */
  write(key: string, source: BlobSource, options?: WriteOptions): Promise<void>;
  /** Of keys that begin with this, in no order; half-written files have none. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Removes keys; missing keys are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Returns the SHA-256 of a file, in hex; undefined if the key does not exist. */
  digest(key: string): Promise<string | undefined>;
  /** Returns the path of the file, in a store on this machine. */
  path?(key: string): string;
  /** Probes a remote store. @throws BlobError with the fault of the store or of the connection */
  probe?(): Promise<void>;
  /** Returns an address from which any client may read the key for a limited time; only in stores with signed links. */
  link?(key: string, seconds: number): Promise<string>;
}

export interface BlobStat {
  readonly bytes: number;
  /** Differs for every content; without quotes. */
  readonly etag: string;
  readonly mtimeMs: number;
}

export interface ListedBlob extends BlobStat {
  readonly key: string;
}

export interface ReadOptions {
  /** Byte indices; `end` is inclusive. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  /** Version that must be read. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadBlob extends BlobStat {
  readonly chunks: AsyncIterable<Buffer>;
}

export interface WriteOptions {
  /** Rejects the write if the key exists. */
  readonly ifAbsent?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Content to write: it may be read more than once, and is rejected if it does not match its size and checksum. */
export interface BlobSource {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  open(): AsyncIterable<Buffer>;
}

/** A store failed to read or write a file. The message explains why to the user. */
export class BlobError extends ConnectError {
  readonly kind: "away" | "refused" | "damaged" | "changed";

  constructor(kind: BlobError["kind"], message: string, cause?: unknown) {
    super(message, kind === "damaged" ? Code.DataLoss : Code.Unavailable, undefined, undefined, cause);
    this.kind = kind;
  }
}

/** First part of every key; no other folder of the data folder can be named. */
const FOLDERS: readonly string[] = ["songs", "left"];
const CHUNK_BYTES = 1 << 18;

/** @throws RangeError for a key that could name a path outside */
export function requireKey(key: string): string {
  const [folder = "", ...names] = key.split("/");
  const isName = (part: string) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part);
  if (!FOLDERS.includes(folder) || names.length === 0 || !names.every(isName)) throw new RangeError("not a key");
  return key;
}

/** Returns the current content of a local file as a source. */
export async function sourceOfFile(path: string): Promise<BlobSource> {
  const open = () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of open()) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex"), open };
}

export function sourceOfBytes(given: string | Uint8Array): BlobSource {
  const buffer = Buffer.from(given as Uint8Array);
  return {
    bytes: buffer.length,
    sha256: createHash("sha256").update(buffer).digest("hex"),
    async *open() {
      yield buffer;
    },
  };
}

/** Passes chunks on, but holds back the last one until the size and checksum of all are verified. */
export async function* checked(
  chunks: AsyncIterable<Buffer>,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string | undefined },
  name: string,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let [length, held] = [0, undefined as Buffer | undefined];
  for await (const chunk of chunks) {
    hash.update(chunk);
    length += chunk.length;
    if (held) yield held;
    held = chunk;
  }
  if (length !== bytes || (sha256 !== undefined && hash.digest("hex") !== sha256))
    throw new BlobError("damaged", `${name} is not what was written: its checksum is another one.`);
  if (held) yield held;
}
