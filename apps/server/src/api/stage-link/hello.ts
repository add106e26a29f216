import { CLOSE, HELLO_SECONDS, stageHelloSchema } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";

/**
 * Time for the close frame before the socket is destroyed, ms: a peer that never answers would occupy it for half a
 * minute.
 */
const TURNED_AWAY_MS = 1000;
/** Limit of messages received after a hello, before its token has been checked. */
const MOST_BEHIND = 32;

/** A socket opened without a session, as by pages of other origins: its first message must authenticate it. */
export class UnknownSocket {
  readonly socket: WebSocket;
  readonly #timer: NodeJS.Timeout;
  readonly #onMessage = (data: RawData, isBinary: boolean) => this.#receive(data, isBinary);
  readonly #behind: [RawData, boolean][] = [];
  #onHello: ((token: string) => void) | undefined;

  /** @param onHello called once, with the token of the first message */
  constructor(socket: WebSocket, onHello: (token: string) => void, helloMs = HELLO_SECONDS * 1000) {
    this.socket = socket;
    this.#onHello = onHello;
    this.#timer = setTimeout(() => this.turnAway(CLOSE.helloTimeout, "Say hello with a token first"), helloMs);
    socket.on("message", this.#onMessage);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => clearTimeout(this.#timer));
  }

  /** Closes the socket without waiting for the peer. */
  turnAway(code: number, reason: string): void {
    this.#onHello = undefined;
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), TURNED_AWAY_MS).unref();
  }

  /** Passes the socket to its new listener, with the messages received after the hello. */
  handOver(): void {
    this.socket.off("message", this.#onMessage);
    for (const [data, isBinary] of this.#behind.splice(0)) this.socket.emit("message", data, isBinary);
  }

  #receive(data: RawData, isBinary: boolean): void {
    const onHello = this.#onHello;
    if (!onHello) {
      if (this.#behind.push([data, isBinary]) > MOST_BEHIND) this.turnAway(CLOSE.tooSlow, "Wait for the first answer");
      return;
    }
    const token = isBinary ? undefined : tokenOfHello(data);
    if (token === undefined) return this.turnAway(CLOSE.unauthenticated, "Say hello with a token first");
    clearTimeout(this.#timer);
    this.#onHello = undefined;
    onHello(token);
  }
}

/** Reads the token of a hello; undefined for any other message. */
export function tokenOfHello(data: RawData): string | undefined {
  try {
    return stageHelloSchema.safeParse(JSON.parse(String(data))).data?.token;
  } catch {
    return undefined; // not JSON
  }
}
