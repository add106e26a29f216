import { AsyncLocalStorage } from "node:async_hooks";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Interceptor, UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import { IDEMPOTENCY_KEY_HEADER, isReading, REPLAYED_HEADER } from "@followspot/contract";
import { callerKey } from "../caller.ts";
import type { Sql, Tx } from "./database.ts";
import { invalid, unavailable } from "../errors.ts";
import { insertStep, readSteps, storeResponse, type StoredStep } from "./idempotency.store.ts";

/** A key: visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Retry-After if another server is still running the first call, s. */
const RETRY_SECONDS = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A call with a key while it runs. */
interface KeyedCall {
  readonly id: string;
  readonly request: Uint8Array;
  readonly cipherKey: Uint8Array;
  /** Answers of changes that an earlier attempt of the call has committed. */
  readonly earlier: readonly StoredStep[];
  /** Number of changes that the call has begun. */
  begun: number;
  /** Number of changes that this attempt has committed. */
  committed: number;
  isOver: boolean;
}

const current = new AsyncLocalStorage<KeyedCall>();

/** A change of a call with a key: its stored answer, or how to store one. */
export type KeyedStep<Answer> =
  | { readonly isStored: true; readonly answer: Answer }
  | {
      readonly isStored: false;
      /** Stores the answer; sent in the transaction of the change. */
      readonly store: (tx: Tx, answer: Answer) => Promise<unknown>;
      readonly onCommit: () => void;
    };

/** Begins the next change of the running call; undefined if the call has no key. */
export function nextKeyedStep<Answer>(): KeyedStep<Answer> | undefined {
  const call = current.getStore();
  if (!call || call.isOver) return undefined;
  const step = call.begun++;
  const { id, request, cipherKey } = call;
  const stored = call.earlier.find((each) => each.step === step)?.answer;
  // What was serialized here is an answer of the same change.
  if (stored) return { isStored: true, answer: deserialize(decrypt(cipherKey, stored)) as Answer };
  return {
    isStored: false,
    store: (tx, answer) => insertStep(tx, id, { step, request, answer: encrypt(cipherKey, serialize(answer)) }),
    onCommit: () => call.committed++,
  };
}

/**
 * Runs a changing call with an `Idempotency-Key` once: a repeated call of the same caller and method receives the stored
 * response. Each change stores its answer in its own transaction, so a call that was interrupted after a commit continues
 * behind its last change. Errors are not stored. Methods without sign-in ignore the key: their codes and links work once.
 *
 * Answers may contain secrets, such as tokens. They are encrypted with the server's secret and the caller's key.
 */
export function repeatAnswers(sql: Sql, secret: Uint8Array): Interceptor {
  /** Calls that run in this process, until their response is stored. */
  const running = new Map<string, Promise<unknown>>();
  return (next) => async (request) => {
    const key = request.header.get(IDEMPOTENCY_KEY_HEADER);
    const caller = request.contextValues.get(callerKey);
    const name = `${request.service.typeName}/${request.method.name}`;
    if (key === null || !caller || request.stream || isReading(name.replace(/^followspot\./, ""))) return next(request);
    if (!KEY.test(key)) throw invalid(`${IDEMPOTENCY_KEY_HEADER}: must be 1 to 255 visible ASCII characters`);
    const id = hash(caller.userId, "\0", name, "\0", key).toString("base64url");
    for (let first = running.get(id); first; first = running.get(id)) {
      await first;
      request.signal.throwIfAborted();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    running.set(id, promise);
    const end = () => {
      running.delete(id);
      resolve();
    };
    try {
      const hashed = hash(toBinary(request.method.input, request.message));
      const { response, isNew } = await answerOnce(request, id, hashed, hash(secret, "\0", key), async (call) =>
        current.run(call, async () => (await next(request)) as UnaryResponse),
      );
      if (!isNew) end();
      else {
        const sealed = encrypt(hash(secret, "\0", key), toBinary(response.method.output, response.message));
        // Not awaited: if it is lost, a repeated call rebuilds the response from the answers of its changes.
        void storeResponse(sql, id, hashed, sealed).then(end, end);
      }
      return response;
    } catch (error) {
      end();
      throw error;
    }
  };

  async function answerOnce(
    request: UnaryRequest,
    id: string,
    hashed: Uint8Array,
    cipherKey: Uint8Array,
    run: (call: KeyedCall) => Promise<UnaryResponse>,
  ): Promise<{ readonly response: UnaryResponse; readonly isNew: boolean }> {
    const earlier = await readSteps(sql, id);
    const known = storedResponse(request, earlier, hashed, cipherKey);
    if (known) return { response: known, isNew: false };
    const call: KeyedCall = { id, request: hashed, cipherKey, earlier, begun: 0, committed: 0, isOver: false };
    try {
      return { response: await run(call), isNew: true };
    } catch (error) {
      // The call fails if another server has committed the same one first.
      const steps = await readSteps(sql, id).catch(() => earlier);
      if (steps.length <= earlier.length + call.committed) throw error;
      const response = storedResponse(request, steps, hashed, cipherKey);
      if (response) return { response, isNew: false };
      const sentence = "The first call with this Idempotency-Key is still running. Try again in a second.";
      throw unavailable(sentence, error, RETRY_SECONDS);
    } finally {
      call.isOver = true;
    }
  }
}

/** @throws invalid_argument if the key was used with another request */
function storedResponse(
  { service, method }: UnaryRequest,
  [first]: readonly StoredStep[],
  hashed: Uint8Array,
  cipherKey: Uint8Array,
): UnaryResponse | undefined {
  if (first && !Buffer.from(first.request).equals(hashed))
    throw invalid(`${IDEMPOTENCY_KEY_HEADER}: was used with another request. Use a new key for each request.`);
  if (!first?.response) return undefined;
  const message = fromBinary(method.output, decrypt(cipherKey, first.response));
  const header = new Headers({ [REPLAYED_HEADER]: "true" });
  return { stream: false, service, method, message, header, trailer: new Headers() };
}

function hash(...parts: readonly (string | Uint8Array)[]): Buffer {
  const sha = createHash("sha256");
  for (const part of parts) sha.update(part);
  return sha.digest();
}

function encrypt(key: Uint8Array, bytes: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, bytes: Uint8Array): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
