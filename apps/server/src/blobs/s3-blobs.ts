import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  type GetObjectCommandOutput,
  type HeadObjectCommandOutput,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Address } from "../platform/s3-address.ts";
import {
  BlobError,
  checked,
  requireKey,
  type BlobSource,
  type BlobStat,
  type BlobStore,
  type ListedBlob,
  type ReadBlob,
  type ReadOptions,
  type WriteOptions,
} from "./blob-store.ts";
import { contentType } from "./content-type.ts";
import { explained, isMissing, isOfCredentials, isOther } from "./s3-faults.ts";

/** A connection on which nothing moves for so long is given up. */
const SILENCE_MS = 15_000;
const CONNECT_MS = 5000;
/** Tries of one request, with growing pauses of random length between them. */
const TRIES = 4;
/** A body that is cut is resumed so often, after a pause of up to this. */
const RESUMES = 3;
const RESUME_MS = 400;
/** Larger files go up in parts of this size, two at once. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
const REMOVED_AT_ONCE = 8;
/** Where no store of AWS is asked a region means nothing, and requests have to name one. */
const ANY_REGION = "us-east-1";
const SHA256 = "sha256";

export interface S3Options {
  /** Shorter in tests. */
  readonly silenceMs?: number;
}

/** Files in a bucket. The SHA-256 of each stands in its metadata, also of those that went up in parts. */
export class S3Blobs implements BlobStore {
  readonly name: string;
  readonly #address: S3Address;
  readonly #silenceMs: number;
  #client: S3Client;
  readonly link?: (key: string, seconds: number) => Promise<string>;

  constructor(address: S3Address, { silenceMs = SILENCE_MS }: S3Options = {}) {
    this.name = `s3://${address.bucket}/${address.prefix}`.replace(/\/$/, "");
    this.#address = address;
    this.#silenceMs = silenceMs;
    this.#client = this.#open();
    if (address.hasLinks) this.link = (key, seconds) => this.#sign(key, seconds);
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    const found = await this.#head(key);
    return found && statOf(found);
  }

  async read(key: string, { range, etag, signal }: ReadOptions = {}): Promise<ReadBlob | undefined> {
    const first = await this.#get(key, range, etag, signal);
    if (!first) return undefined;
    const { bytes, ...is } = statOf(first);
    const whole = Number(/\/(\d+)$/.exec(first.ContentRange ?? "")?.[1] ?? bytes);
    const wanted = { bytes, sha256: range ? undefined : first.Metadata?.[SHA256] };
    const chunks = this.#body(first, key, range?.start ?? 0, signal);
    return { ...is, bytes: whole, chunks: checked(chunks, wanted, key) };
  }

  async write(key: string, source: BlobSource, { ifAbsent = false, signal }: WriteOptions = {}): Promise<void> {
    const at = this.#at(key);
    // Not every store knows the condition, so it is looked at as well.
    if (ifAbsent && (await this.stat(key))) throw replaced(key);
    await this.#ask(async (client) => {
      const upload = new Upload({
        client,
        params: {
          ...at,
          Body: Readable.from(checked(source.open(), source, key)),
          ContentType: contentType(key),
          Metadata: { [SHA256]: source.sha256 },
          ...(ifAbsent && { IfNoneMatch: "*" }),
        },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      });
      const stop = () => void upload.abort();
      signal?.addEventListener("abort", stop);
      try {
        signal?.throwIfAborted();
        await upload.done();
      } catch (error) {
        throw isOther(error) ? replaced(key) : error;
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    }, signal);
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    const { bucket: Bucket, prefix: root } = this.#address;
    for (let next: string | undefined, isLast = false; !isLast;) {
      const page = { Bucket, Prefix: root + prefix, ...(next !== undefined && { ContinuationToken: next }) };
      const found = await this.#ask((client) => client.send(new ListObjectsV2Command(page)));
      for (const { Key = "", Size = 0, ETag, LastModified } of found.Contents ?? [])
        yield { key: Key.slice(root.length), ...statOf({ ContentLength: Size, ETag, LastModified }) };
      next = found.NextContinuationToken;
      isLast = next === undefined;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let i = 0; i < keys.length; i += REMOVED_AT_ONCE)
      await Promise.all(
        keys
          .slice(i, i + REMOVED_AT_ONCE)
          .map((key) => new DeleteObjectCommand(this.#at(key)))
          .map((command) => this.#ask((client) => client.send(command))),
      );
  }

  async digest(key: string): Promise<string | undefined> {
    const found = await this.#head(key);
    const kept = found?.Metadata?.[SHA256];
    if (!found || kept !== undefined) return kept;
    // Put there by others, without the checksum.
    const hash = createHash("sha256");
    const blob = await this.read(key);
    if (!blob) return undefined;
    for await (const chunk of blob.chunks) hash.update(chunk);
    return hash.digest("hex");
  }

  /** Asks the bucket for one name. */
  async probe(): Promise<void> {
    const { bucket: Bucket, prefix } = this.#address;
    // Where nothing lies: some stores answer 500 to who lists names while a file of theirs is removed.
    const Prefix = `${prefix}probe/`;
    await this.#ask((client) => client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 })));
  }

  #at(key: string) {
    return { Bucket: this.#address.bucket, Key: this.#address.prefix + requireKey(key) };
  }

  async #sign(key: string, seconds: number): Promise<string> {
    const command = new GetObjectCommand(this.#at(key));
    return this.#ask((client) => getSignedUrl(client, command, { expiresIn: seconds }));
  }

  async #head(key: string): Promise<HeadObjectCommandOutput | undefined> {
    const command = new HeadObjectCommand(this.#at(key));
    return this.#ask((client) => client.send(command)).catch(undefinedIfMissing);
  }

  async #get(key: string, range: ReadOptions["range"], etag: string | undefined, signal?: AbortSignal) {
    const command = new GetObjectCommand({
      ...this.#at(key),
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      ...(etag !== undefined && { IfMatch: `"${etag}"` }),
    });
    const options = { ...(signal && { abortSignal: signal }) };
    const found = await this.#ask((client) => client.send(command, options), signal).catch((error: BlobError) => {
      if (isOther(error.cause)) throw replaced(key);
      return undefinedIfMissing(error);
    });
    // Not every store knows the condition.
    if (!found || etag === undefined || statOf(found).etag === etag) return found;
    (found.Body as Readable).destroy();
    throw replaced(key);
  }

  /** The bytes of an answer. Where the connection is cut they are resumed, as long as the same file is there. */
  async *#body(
    first: GetObjectCommandOutput,
    key: string,
    start: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const { bytes, etag } = statOf(first);
    let [got, answer] = [0, first];
    for (let resumes = 0; ; resumes++) {
      try {
        for await (const chunk of answer.Body as Readable) {
          got += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
        if (got >= bytes) return;
        throw new Error("the connection was cut");
      } catch (error) {
        signal?.throwIfAborted();
        if (resumes === RESUMES) throw explained(error, new Date());
      }
      await pause(Math.random() * RESUME_MS * 2 ** resumes);
      const rest = await this.#get(key, { start: start + got, end: start + bytes - 1 }, etag, signal);
      if (!rest) throw replaced(key);
      answer = rest;
    }
  }

  /** Credentials that are refused are read again, once: others may have taken their place. */
  async #ask<Answer>(send: (client: S3Client) => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    const client = this.#client;
    try {
      return await send(client).catch((error: unknown) => {
        if (!isOfCredentials(error)) throw error;
        if (this.#client === client) this.#client = this.#open();
        return send(this.#client);
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw explained(error, new Date());
    }
  }

  #open(): S3Client {
    const { endpoint, region, isPathStyle } = this.#address;
    const own = region ?? (endpoint === undefined ? undefined : ANY_REGION);
    const options = {
      ...(endpoint !== undefined && { endpoint }),
      ...(own !== undefined && { region: own }),
      forcePathStyle: isPathStyle,
      maxAttempts: TRIES,
      // Stores other than AWS do not know its newer checksums; ours stands in the metadata.
      requestChecksumCalculation: "WHEN_REQUIRED" as const,
      responseChecksumValidation: "WHEN_REQUIRED" as const,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: this.#silenceMs },
      // Handed on to the chain of providers, which otherwise keeps files as it read them first.
      ignoreCache: true,
    };
    return new S3Client(options);
  }
}

const replaced = (key: string) => new BlobError("changed", `${key} was replaced meanwhile.`);

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing((error as BlobError).cause)) throw error;
}

function statOf(found: Pick<GetObjectCommandOutput, "ContentLength" | "ETag" | "LastModified">): BlobStat {
  return {
    bytes: found.ContentLength ?? 0,
    etag: (found.ETag ?? "").replaceAll('"', ""),
    mtimeMs: found.LastModified?.getTime() ?? 0,
  };
}
