import { CLOSE, HELLO_SECONDS, stageHelloSchema } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";

/** Who was refused has so long to take the reason: a side that never answers would be held for half a minute. */
const TURNED_AWAY_MS = 1000;
/** Messages that may come right behind a hello, before its token was looked at. */
const MOST_BEHIND = 32;

/** A socket that was opened without a sign-in, as pages of other origins do: its first message is to say who it is. */
export class UnknownSocket {
  readonly socket: WebSocket;
  readonly #timer: NodeJS.Timeout;
  readonly #onMessage = (data: RawData, isBinary: boolean) => this.#receive(data, isBinary);
  readonly #behind: [RawData, boolean][] = [];
  #onHello: ((token: string) => void) | undefined;

  /** @param onHello told once, with the token of the first message */
  constructor(socket: WebSocket, onHello: (token: string) => void, helloMs = HELLO_SECONDS * 1000) {
    this.socket = socket;
    this.#onHello = onHello;
    this.#timer = setTimeout(() => this.turnAway(CLOSE.helloTimeout, "Say hello with a token first"), helloMs);
    socket.on("message", this.#onMessage);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => clearTimeout(this.#timer));
  }

  /** Closes it, and does not wait for its other side. */
  turnAway(code: number, reason: string): void {
    this.#onHello = undefined;
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), TURNED_AWAY_MS).unref();
  }

  /** Gives the socket to its listener of that moment, with the messages that came after the hello. */
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

/** Undefined for any other message. */
export function tokenOfHello(data: RawData): string | undefined {
  try {
    return stageHelloSchema.safeParse(JSON.parse(String(data))).data?.token;
  } catch {
    return undefined; // not JSON
  }
}
