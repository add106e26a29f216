import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Code, ConnectError } from "@connectrpc/connect";

/**
 * Files by key, `songs/<id>/<name>`, in a folder of this machine or in an S3 store; there, what workers elsewhere have made lies
 * under `left/<id>/<name>` until it is looked at. Readers see a file as it was or as it is, never a part of one.
 */
export interface BlobStore {
  /** Where it is, for people: "the data folder", "s3://bucket/prefix". */
  readonly name: string;
  /** Undefined when nothing has this key. */
  stat(key: string): Promise<BlobStat | undefined>;
  /**
   * What is there when it is asked for, to its end, whatever takes its place meanwhile. A whole file is compared with its
   * checksum; the last chunk only comes when it is right.
   * @throws BlobError while reading, of kind "changed" where `etag` is given and another file has the key
   */
  read(key: string, options?: ReadOptions): Promise<ReadBlob | undefined>;
  /** @throws BlobError of kind "changed" where it must be absent and is there */
  write(key: string, source: BlobSource, options?: WriteOptions): Promise<void>;
  /** Of keys that begin with this, in no order; half-written files have none. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** What is not there is removed already. */
  remove(keys: readonly string[]): Promise<void>;
  /** SHA-256 of what is there, in hex; undefined when nothing is. */
  digest(key: string): Promise<string | undefined>;
  /** Path of the file, of a store that keeps files on this machine. */
  path?(key: string): string;
  /** Asks a store that is elsewhere for a sign of life. @throws BlobError that says what is wrong with it or the way to it */
  probe?(): Promise<void>;
  /** An address from which any client may read this key for so long; only of stores that give such. */
  link?(key: string, seconds: number): Promise<string>;
}

export interface BlobStat {
  readonly bytes: number;
  /** Another one for every content, without quotes. */
  readonly etag: string;
  readonly mtimeMs: number;
}

export interface ListedBlob extends BlobStat {
  readonly key: string;
}

export interface ReadOptions {
  /** Byte indices; `end` is the last one that is read. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  /** Only this one. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadBlob extends BlobStat {
  readonly chunks: AsyncIterable<Buffer>;
}

export interface WriteOptions {
  /** Refuses to replace anything. */
  readonly ifAbsent?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What is written: it may be read more than once, and is refused when it is not what it was said to be. */
export interface BlobSource {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  open(): AsyncIterable<Buffer>;
}

/** A store that does not give or take a file. The sentence says why, and is for people. */
export class BlobError extends ConnectError {
  readonly kind: "away" | "refused" | "damaged" | "changed";

  constructor(kind: BlobError["kind"], message: string, cause?: unknown) {
    super(message, kind === "damaged" ? Code.DataLoss : Code.Unavailable, undefined, undefined, cause);
    this.kind = kind;
  }
}

/** The first part of every key; nothing else of the data folder can be named. */
const FOLDERS: readonly string[] = ["songs", "left"];
const CHUNK_BYTES = 1 << 18;

/** @throws RangeError for a key that could name anything outside */
export function requireKey(key: string): string {
  const [folder = "", ...names] = key.split("/");
  const isName = (part: string) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part);
  if (!FOLDERS.includes(folder) || names.length === 0 || !names.every(isName)) throw new RangeError("not a key");
  return key;
}

/** A file of this machine, as it is now. */
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

/** Hands on chunks and holds the last one back until all of them are what they should be. */
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
