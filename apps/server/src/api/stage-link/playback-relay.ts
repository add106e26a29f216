import { ASK_WHOLE, CLOSE, MAX_DESK_BYTES } from "@followspot/contract";
import { WebSocket, type RawData } from "ws";
import type { Caller } from "../../platform/caller.ts";
import { tokenOfHello } from "./hello.ts";
import type { PressWatch } from "./press-watch.ts";

/** Bytes buffered for one reader before it is disconnected: a few of the largest messages. */
const MAX_BUFFERED_BYTES = 4 * MAX_DESK_BYTES;
/** Buffered bytes above which sound and sent slots are dropped as late. */
const MAX_LATE_BYTES = 65_536;
/** Limit of a console's messages buffered until the stage has connected; it sends at most three. */
const MAX_WAITING = 32;
const HANDSHAKE_MS = 3000;
const TEXT_ONLY = 1003;
/** Time for the stage to answer a close before its socket is terminated, ms. */
const CLOSE_MS = 1000;

export interface StageAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the console may send binary messages: sound. */
  readonly takesBytes?: boolean;
  /** Traces the forwarded presses; undefined if nothing is traced. */
  readonly watch?: PressWatch | undefined;
}

/** Identity of a socket. */
export interface Visitor {
  /** Undefined for a stage page, which has only a link. */
  readonly caller: Caller | undefined;
  /** @returns the close code if the permission was lost; undefined if not */
  readonly sentAway: () => Promise<number | undefined>;
}

/**
 * Connects one console's socket (player, desk, microphone or preview) with a socket to the stage. Text is forwarded
 * both ways, sound to the stage, and sent slots from it. When either socket closes, so does the other.
 */
export class PlaybackRelay {
  readonly visitor: Visitor;
  readonly #console: WebSocket;
  readonly #stage: WebSocket;
  readonly #onEnd: (relay: PlaybackRelay) => void;
  #waiting: RawData[] = [];
  #hasAnswered = true;
  #isEnded = false;
  /** Whether the console has sent a message. */
  #hasHeard = false;
  /** Whether the console was too slow for a message with sent slots. */
  #isBehind = false;

  constructor(socket: WebSocket, stage: StageAddress, visitor: Visitor, onEnd: (relay: PlaybackRelay) => void) {
    this.visitor = visitor;
    this.#console = socket;
    this.#onEnd = onEnd;
    this.#stage = new WebSocket(stage.url, {
      headers: stage.headers,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_DESK_BYTES,
      perMessageDeflate: false,
    });
    socket.on("message", (data, isBinary) => {
      const isFirst = !this.#hasHeard;
      this.#hasHeard = true;
      // The socket is authenticated already, so a hello is ignored.
      if (isFirst && !isBinary && tokenOfHello(data) !== undefined) return;
      if (!isBinary) {
        stage.watch?.said(String(data));
        this.#toStage(data);
      } else if (stage.takesBytes) this.#passSound(data);
      else this.end(TEXT_ONLY);
    });
    socket.on("pong", () => (this.#hasAnswered = true));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => this.end(CLOSE.stageAway)); // the client is gone and receives no code
    this.#stage.on("open", () => this.#waiting.splice(0).forEach((data) => this.#toStage(data)));
    this.#stage.on("message", (data, isBinary) => {
      if (isBinary) this.#passLight(data);
      else {
        stage.watch?.answered(String(data));
        this.#pass(data, this.#console);
      }
    });
    this.#stage.on("error", () => this.#stage.terminate());
    this.#stage.on("close", (code) => this.end(code === CLOSE.tooSlow ? code : CLOSE.stageAway));
  }

  /** Pings the console; terminates it if it has not answered the last ping. */
  ping(): void {
    if (!this.#hasAnswered) return this.#console.terminate();
    this.#hasAnswered = false;
    this.#console.ping();
  }

  /**
   * Closes both sockets with a code that gives the reason: loss of permission stops the show, a lost connection does
   * not.
   */
  end(code: number): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = [];
    this.#stage.close(code);
    setTimeout(() => this.#stage.terminate(), CLOSE_MS).unref();
    this.#console.close(code);
    this.#onEnd(this);
  }

  /** Resolves when the console's socket is closed; it is terminated after `ms`. */
  async closed(ms: number): Promise<void> {
    if (this.#console.readyState === WebSocket.CLOSED) return;
    const timer = setTimeout(() => this.#console.terminate(), ms);
    await new Promise<void>((resolve) => this.#console.once("close", () => resolve()));
    clearTimeout(timer);
  }

  #toStage(data: RawData): void {
    if (this.#stage.readyState === WebSocket.OPEN) return this.#pass(data, this.#stage);
    if (this.#waiting.push(data) > MAX_WAITING) this.end(CLOSE.tooSlow);
  }

  #passSound(data: RawData): void {
    if (this.#isEnded || this.#stage.readyState !== WebSocket.OPEN || this.#stage.bufferedAmount > MAX_LATE_BYTES)
      return;
    this.#stage.send(data, { binary: true });
  }

  #passLight(data: RawData): void {
    if (this.#isEnded || this.#console.readyState !== WebSocket.OPEN) return;
    if (this.#console.bufferedAmount > MAX_LATE_BYTES) return void (this.#isBehind = true);
    if (this.#isBehind) this.#toStage(Buffer.from(ASK_WHOLE));
    this.#isBehind = false;
    this.#console.send(data, { binary: true });
  }

  #pass(data: RawData, to: WebSocket): void {
    if (this.#isEnded || to.readyState !== WebSocket.OPEN) return;
    if (to.bufferedAmount > MAX_BUFFERED_BYTES) return this.end(CLOSE.tooSlow);
    to.send(data, { binary: false });
  }
}
