import { CALLS_PATH, isReading, MOST_CALLS, readAnswerLine } from "@followspot/contract";
import { basePath, serverPath } from "./base-path.ts";

type Fetch = typeof globalThis.fetch;

/** A read that is queued for the next batch. */
interface Waiting {
  /** Service and method, such as `user.v1.UserService/ListUsers`. */
  readonly method: string;
  readonly message: string;
  readonly signal: AbortSignal | undefined;
  readonly answer: (answer: Response | Promise<Response>) => void;
  readonly fail: (why: unknown) => void;
  /** Sends the read as a separate request. */
  readonly askAlone: () => Promise<Response>;
}

/** Whether the server supports batched calls. An older release does not; after the first refusal no batch is sent. */
let areKnown = true;
let waiting: Waiting[] = [];

/**
 * `fetch` for calls of the contract. Reads of the same macrotask, such as those of the parts of an opening screen, are
 * batched into one request; each gets its response as soon as that is available. A single read and every change are
 * sent as separate requests.
 */
export const fetchTogether: Fetch = (input, init) => {
  const method = methodOf(input);
  const askAlone = () => fetch(input, init);
  if (!areKnown || method === undefined || !isReading(method)) return askAlone();
  return new Promise<Response>((answer, fail) => {
    const signal = init?.signal ?? undefined;
    signal?.addEventListener("abort", () => fail(signal.reason));
    const message = new TextDecoder().decode(init?.body as Uint8Array<ArrayBuffer>); // The transport encodes the body as bytes.
    waiting.push({ method, message, signal, answer, fail, askAlone });
    // Wait one task, so that every component of this render has added its reads.
    setTimeout(sendWaiting);
  });
};

function methodOf(input: Parameters<Fetch>[0]): string | undefined {
  const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
  return /^\/followspot\.(.+)$/.exec(pathname.slice(basePath().length))?.[1];
}

function sendWaiting(): void {
  const wanted = waiting.filter(({ signal }) => !signal?.aborted);
  waiting = [];
  for (let from = 0; from < wanted.length; from += MOST_CALLS) {
    const calls = wanted.slice(from, from + MOST_CALLS);
    const [only] = calls;
    if (only && calls.length === 1) only.answer(only.askAlone());
    else void send(calls);
  }
}

async function send(calls: readonly Waiting[]): Promise<void> {
  const leaving = new AbortController();
  const open = new Map(calls.entries());
  for (const [place, { signal }] of open)
    signal?.addEventListener("abort", () => {
      const isLast = open.delete(place) && open.size === 0; // Otherwise the read has its response, or other reads are pending.
      if (isLast) leaving.abort();
    });
  try {
    const response = await fetch(serverPath(CALLS_PATH), {
      method: "POST",
      headers: { "content-type": "application/json", "connect-protocol-version": "1" },
      credentials: "same-origin",
      body: `[${calls.map(({ method, message }) => `{"method":"${method}","message":${message}}`).join()}]`,
      signal: leaving.signal,
    });
    if (response.ok && response.body) {
      for await (const line of linesOf(response.body)) {
        const read = readAnswerLine(line);
        const call = read && open.get(read.place);
        if (!call) continue;
        open.delete(read.place);
        const headers = { "content-type": "application/json" };
        call.answer(new Response(read.json, { status: read.status, headers }));
      }
      if (open.size > 0) throw new TypeError("The answer was cut off");
      return;
    }
    if (response.status === 404) areKnown = false;
    for (const { answer, askAlone } of open.values()) answer(askAlone());
  } catch (error) {
    for (const { fail } of open.values()) fail(error);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
