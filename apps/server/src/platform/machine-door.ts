import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { hashOfFile } from "./hash-of-file.ts";

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

/** HTTP client of a remote machine, authenticated with its token. */
export class MachineDoor {
  readonly #options: MachineDoorOptions;
  readonly #names: DoorHeaders;
  readonly #headers: Readonly<Record<string, string>>;
  #isAway = false;

  constructor(options: MachineDoorOptions, names: DoorHeaders) {
    this.#options = options;
    this.#names = names;
    this.#headers = { authorization: `Bearer ${options.token}`, [names.instance]: randomUUID() };
  }

  /** Posts JSON and reads JSON. @throws ServerAway or ServerRefused */
  async ask<Reply>(path: string, body: object, { timeoutMs = ASK_MS, signal = NEVER } = {}): Promise<Reply> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await this.send(path, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return this.read(() => answer.json() as Promise<Reply>);
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
      fetch(`${this.#options.server.replace(/\/$/, "")}${path}`, { ...init, headers }),
    );
    if (AWAY.has(answer.status)) throw this.#away(`it answers ${answer.status}`);
    this.#back();
    if (answer.ok || answer.status === 507) return answer;
    const { message = `the server answers ${answer.status}` } = (await answer.json().catch(() => ({}))) as {
      message?: string;
    };
    if (answer.status === 401 || answer.status === 409) this.#options.onEnd(message);
    throw new ServerRefused(message);
  }

  /** Converts network errors to {@link ServerAway}. */
  protected async read<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) throw error;
      if (error.name === "AbortError") throw error;
      const { cause } = error as { cause?: { code?: string; message?: string } };
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
