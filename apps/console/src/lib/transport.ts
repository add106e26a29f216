import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { IDEMPOTENCY_KEY_HEADER, isReading } from "@followspot/contract";
import { noteCall } from "./called-services.ts";
import { fetchTogether } from "./fetch-together.ts";
import { CALL_LIMIT_MS, unreachable } from "./http.ts";
import { serverAddress } from "./link-address.ts";
import { newKey } from "./new-key.ts";

const NO_LIMIT = 0;

const calls = createConnectTransport({
  baseUrl: serverAddress(),
  useBinaryFormat: false,
  defaultTimeoutMs: CALL_LIMIT_MS,
  fetch: (input, init) =>
    fetchTogether(input, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
      throw init?.signal?.aborted ? error : unreachable(error);
    }),
});

/**
 * Transport of the console to the API that serves it: same host, JSON bodies, session cookie. A call without a response
 * times out. Each change has an Idempotency-Key: pressed again after a lost response, it is done once.
 */
export const transport: Transport = {
  ...calls,
  unary: async (method, signal, limitMs, headers, input, context) => {
    noteCall(method);
    const limit = limitMs ?? limitOf(method, input);
    if (isReading(`${method.parent.typeName.replace(/^followspot\./, "")}/${method.name}`))
      return calls.unary(method, signal, limit, headers, input, context);
    const key = takeUnanswered(method, input) ?? newKey();
    const keyed = new Headers(headers);
    if (!keyed.has(IDEMPOTENCY_KEY_HEADER)) keyed.set(IDEMPOTENCY_KEY_HEADER, key);
    try {
      return await calls.unary(method, signal, limit, keyed, input, context);
    } catch (error) {
      if (NO_ANSWER.has(ConnectError.from(error).code))
        lastUnanswered = { method: method.name, input: textOf(input), key, atMs: Date.now() };
      throw error;
    }
  },
};

/** Codes of a call that the server may have done without its response arriving. */
const NO_ANSWER: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded]);
/** Time in which the same press counts as its repetition, ms. Later it is another press, such as a second skip. */
const SAME_PRESS_MS = 60_000;

/** The last change without a response. */
let lastUnanswered: { method: string; input: string; key: string; atMs: number } | undefined;

/** Returns the key of the last change if it had no response and this is the same one, so that the server does it once. */
function takeUnanswered(method: DescMethodUnary, input: unknown): string | undefined {
  const last = lastUnanswered;
  if (!last || last.method !== method.name || Date.now() - last.atMs > SAME_PRESS_MS) return undefined;
  if (last.input !== textOf(input)) return undefined;
  lastUnanswered = undefined;
  return last.key;
}

const textOf = (input: unknown): string =>
  JSON.stringify(input, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** Returns the time limit of a call. A photo takes long over a slow connection, so its upload has none. */
function limitOf<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
): number | undefined {
  const carriesFile = method.input.fields.some(
    ({ name, localName }) =>
      name.endsWith("_base64") && Boolean((input as Readonly<Record<string, unknown>>)[localName]),
  );
  return carriesFile ? NO_LIMIT : undefined;
}
