import { CALLS_PATH, isReading, MOST_CALLS, readAnswerLine } from "@followspot/contract";

type Fetch = typeof globalThis.fetch;

/** A reading that waits for the others of its moment. */
interface Waiting {
  /** As `user.v1.UserService/ListUsers`. */
  readonly method: string;
  readonly message: string;
  readonly signal: AbortSignal | undefined;
  readonly answer: (answer: Response | Promise<Response>) => void;
  readonly fail: (why: unknown) => void;
  /** Asks the same by a request of its own. */
  readonly askAlone: () => Promise<Response>;
}

/** A server of an older release knows no calls together; it is asked for that once. */
let areKnown = true;
let waiting: Waiting[] = [];

/**
 * `fetch` for calls of the contract. Readings that are asked for in one moment, as by the parts of a screen that opens, go to the
 * server in one request, and each has its answer as soon as it is there. A reading that is alone in its moment, and every change,
 * goes as it always did.
 */
export const fetchTogether: Fetch = (input, init) => {
  const method = methodOf(input);
  const askAlone = () => fetch(input, init);
  if (!areKnown || method === undefined || !isReading(method)) return askAlone();
  return new Promise<Response>((answer, fail) => {
    const signal = init?.signal ?? undefined;
    signal?.addEventListener("abort", () => fail(signal.reason));
    const message = new TextDecoder().decode(init?.body as Uint8Array<ArrayBuffer>); // the transport writes bytes
    waiting.push({ method, message, signal, answer, fail, askAlone });
    // A task later: until then everything that is drawn now has asked.
    setTimeout(sendWaiting);
  });
};

function methodOf(input: Parameters<Fetch>[0]): string | undefined {
  const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
  return /^\/followspot\.(.+)$/.exec(pathname)?.[1];
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
      const isLast = open.delete(place) && open.size === 0; // else it was answered, or others are waited for
      if (isLast) leaving.abort();
    });
  try {
    const response = await fetch(CALLS_PATH, {
      method: "POST",
      headers: { "content-type": "application/json" },
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
