import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { hashOfFile } from "../platform/files/hash-of-file.ts";
import { isLoopback } from "../platform/http/own-address.ts";

/** The server is temporarily unreachable or unavailable. */
export class ServerAway extends Error {}
/** The server rejected the request; a retry would not help. */
export class ServerRefused extends Error {}

export interface MachineDoorOptions {
  /** `https://office.example` */
  readonly server: string;
  readonly token: string;
  /** Called once when the server becomes unreachable, and once when it is back. */
  readonly say: (line: string) => void;
  /** Called with the reason when this process must stop. */
  readonly onEnd: (why: string) => void;
}

/** Header names of an endpoint. */
export interface DoorHeaders {
  /** Distinguishes two processes with the same token; random at each start. */
  readonly instance: string;
  /** SHA-256 of a complete file, in hex. */
  readonly sha256: string;
}

/** First retry interval, ms; doubled each time up to the second value. */
const TRY_AGAIN_MS = 500;
const TRY_AGAIN_AT_MOST_MS = 15_000;
const ASK_MS = 5000;
/** HTTP statuses of a server, or its proxy, that will respond later. */
const AWAY = new Set([408, 429, 502, 503, 504]);
const TOO_LARGE = 413;
const NO_ROOM = 507;
const JSON_TYPE = "application/json";

/** Body of a request that Followspot itself rejects; a proxy in front of it sends another one. */
const refusalSchema = z.object({ code: z.string(), message: z.string() });

/** Options of a request that posts JSON. */
interface AskOptions<Reply> {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Whether a response has the shape that Followspot sends; any object does if absent. */
  readonly isReply?: (reply: Reply) => boolean;
}

/**
 * HTTP client of a remote machine, authenticated with its token. Only a rejection by Followspot itself counts as one:
 * whatever a proxy or another program responds at its address, the server is away and will be back.
 */
export class MachineDoor {
  readonly #options: MachineDoorOptions;
  readonly #names: DoorHeaders;
  readonly #headers: Readonly<Record<string, string>>;
  #isAway = false;

  constructor(options: MachineDoorOptions, names: DoorHeaders) {
    this.#options = options;
    this.#names = names;
    this.#headers = { authorization: `Bearer ${options.token}`, [names.instance]: randomUUID() };
    if (isUnencrypted(options.server))
      options.say(
        `The token is sent to ${options.server} unencrypted: anyone on that network can read it. Use an https:// address where strangers could listen.`,
      );
  }

  /** Posts JSON and reads JSON. @throws ServerAway or ServerRefused */
  async ask<Reply>(
    path: string,
    body: object,
    { timeoutMs = ASK_MS, signal = NEVER, isReply = isObject }: AskOptions<Reply> = {},
  ): Promise<Reply> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await this.send(path, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return this.readJson(answer, isReply);
  }

  /** Downloads a complete file. @returns its SHA-256 @throws ServerAway also if it arrived damaged */
  async fetchTo(address: string, path: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<string> {
    const name = address.slice(address.lastIndexOf("/") + 1);
    const answer = await this.send(address, init);
    const target = createWriteStream(path);
    await this.read(async () => {
      // A full disk on this machine is not a fault of the server.
      const isWritten = pipeline(Readable.fromWeb(answer.body!), target, { signal: init.signal });
      await isWritten.catch((error: NodeJS.ErrnoException) => {
        throw error.syscall === "write" ? error : new ServerAway(`${name} was cut off: ${error.message}`);
      });
    });
    const hash = await hashOfFile(path);
    if (hash !== answer.headers.get(this.#names.sha256)) throw new ServerAway(`${name} arrived damaged`);
    return hash;
  }

  /** Retries work, with growing intervals, while the server is unreachable. */
  async untilBack<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    for (let wait = TRY_AGAIN_MS; ; wait = Math.min(2 * wait, TRY_AGAIN_AT_MOST_MS)) {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServerAway)) throw error;
      }
      await pause(wait, undefined, { signal });
    }
  }

  /** @throws ServerAway or ServerRefused */
  protected async send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), ...this.#headers };
    const answer = await this.read(() =>
      // A redirect leads to another program, and would lose the token.
      fetch(`${this.#options.server.replace(/\/$/, "")}${path}`, { ...init, headers, redirect: "manual" }),
    );
    if (AWAY.has(answer.status)) throw this.#away(`it answers ${answer.status}`);
    if (answer.ok || answer.status === NO_ROOM) {
      // Followspot responds to machines with JSON and sound only.
      if (typeOf(answer).startsWith("text/")) throw this.#away(otherProgram(answer));
      if (typeOf(answer) !== JSON_TYPE) this.#back(); // JSON is judged when it is read
      return answer;
    }
    const refusal = refusalSchema.safeParse(await answer.json().catch(() => undefined)).data;
    if (!refusal) {
      if (answer.status === TOO_LARGE)
        throw new ServerRefused(
          `a proxy in front of ${this.#options.server} takes no files of this size; raise its limit`,
        );
      throw this.#away(otherProgram(answer));
    }
    this.#back();
    if (answer.status === 401 || answer.status === 409) this.#options.onEnd(asSentence(refusal.message));
    throw new ServerRefused(refusal.message);
  }

  /** Reads the body of a response. @throws ServerAway if another program has sent it */
  protected async readJson<Reply>(answer: Response, isReply: (reply: Reply) => boolean = isObject): Promise<Reply> {
    const reply = await this.read(() => answer.json() as Promise<Reply>);
    if (!isObject(reply) || !isReply(reply)) throw this.#away(otherProgram(answer));
    this.#back();
    return reply;
  }

  /** Converts network errors to {@link ServerAway}. */
  protected async read<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) throw error;
      if (error.name === "AbortError") throw error;
      const { cause } = error as { cause?: { code?: string; message?: string } };
      if (UNTRUSTED.has(cause?.code ?? "")) throw this.#away(`${cause!.code}; ${UNTRUSTED_REMEDY}`);
      throw this.#away(cause?.code ?? cause?.message ?? error.message);
    }
  }

  #away(why: string): ServerAway {
    if (!this.#isAway) this.#options.say(`the server ${this.#options.server} does not answer (${why}): waiting for it`);
    this.#isAway = true;
    return new ServerAway(why);
  }

  #back(): void {
    if (this.#isAway) this.#options.say(`the server ${this.#options.server} answers again`);
    this.#isAway = false;
  }
}

const NEVER = new AbortController().signal;
/** Node's error codes for a certificate whose authority this machine does not trust. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const UNTRUSTED_REMEDY =
  "download its authority's certificate from /trust, and start this machine with NODE_EXTRA_CA_CERTS set to that file";

/** Whether an address is plain http to another machine. */
function isUnencrypted(server: string): boolean {
  const url = URL.parse(server);
  return url?.protocol === "http:" && !isLoopback(url.host);
}

const isObject = (reply: unknown): boolean => typeof reply === "object" && reply !== null;
const typeOf = ({ headers }: Response): string => headers.get("content-type")?.split(";")[0] ?? "";
function otherProgram(answer: Response): string {
  const to = answer.headers.get("location");
  if (to !== null) return `its address redirects to ${to}; if that is the server, start this machine with that address`;
  return `another program responds at its address: status ${answer.status}, ${typeOf(answer) || "no content type"}`;
}

/** Returns a text with one full stop at its end. */
const asSentence = (text: string): string => `${text.replace(/\.$/, "")}.`;
