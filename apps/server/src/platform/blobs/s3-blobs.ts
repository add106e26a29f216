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
import type { S3Address } from "../files/s3-address.ts";
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
import { explained, isMissing, isOfCredentials, isOther, notAStore } from "./s3-faults.ts";

/** Time without traffic after which a connection is closed, ms. */
const SILENCE_MS = 6000;
/** Time after which a probe fails, ms. */
const PROBE_MS = 3000;
const CONNECT_MS = 5000;
/** Attempts of a request, with random, growing delays. */
const TRIES = 3;
/** Number of times an interrupted body is resumed, and the longest first delay, ms. */
const RESUMES = 3;
const RESUME_MS = 400;
/** Part size of multipart uploads, bytes; two parts are uploaded in parallel. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
const REMOVED_AT_ONCE = 8;
/** Region for stores other than AWS, where it is meaningless but required in requests. */
const ANY_REGION = "us-east-1";
const SHA256 = "sha256";

export interface S3Options {
  /** Shorter in tests. */
  readonly silenceMs?: number;
}

/** Store in an S3 bucket. The SHA-256 of each file is in its metadata, also for multipart uploads. */
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
    // Not every store supports the condition, so it is checked here as well.
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
      const stop = () => upload.abort().catch(() => undefined); // `done` rejects
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
    // The file was uploaded by other software, without the checksum.
    const hash = createHash("sha256");
    const blob = await this.read(key);
    if (!blob) return undefined;
    for await (const chunk of blob.chunks) hash.update(chunk);
    return hash.digest("hex");
  }

  /** Lists one name in the bucket. */
  async probe(): Promise<void> {
    const { bucket: Bucket, prefix } = this.#address;
    // An empty prefix: some stores respond with 500 to a listing while one of its files is being removed.
    const Prefix = `${prefix}probe/`;
    const abortSignal = AbortSignal.timeout(PROBE_MS);
    const list = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 });
    await this.#ask((client) => client.send(list, { abortSignal }));
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
    // Not every store supports the condition.
    if (!found || etag === undefined || statOf(found).etag === etag) return found;
    (found.Body as Readable).destroy();
    throw replaced(key);
  }

  /** Yields the bytes of a response. An interrupted connection is resumed while the same version exists. */
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

  /** Sends a request. Rejected credentials are reloaded once, because they may have been rotated. */
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
      // Stores other than AWS do not support its newer checksums; ours is in the metadata.
      requestChecksumCalculation: "WHEN_REQUIRED" as const,
      responseChecksumValidation: "WHEN_REQUIRED" as const,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: this.#silenceMs },
      // Passed to the provider chain, which otherwise caches the files it read first.
      ignoreCache: true,
    };
    const client = new S3Client(options);
    client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        refusePage(result.response as HttpResponse);
        return result;
      },
      { step: "deserialize", priority: "low", name: "refusePage" },
    );
    return client;
  }
}

/** Part of the SDK's HTTP response, which it types as unknown. */
interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Readable;
}

/**
 * Rejects a response that is a web page, such as that of a proxy in front of the store: with status 200 it would count
 * as the file, and with 404 as a missing one. None of our files is a page.
 */
function refusePage({ statusCode, headers, body }: HttpResponse): void {
  if (!/^text\/html\b/.test(headers["content-type"] ?? "")) return;
  body?.destroy();
  throw notAStore(statusCode);
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
