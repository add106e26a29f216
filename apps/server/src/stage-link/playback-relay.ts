import { ASK_WHOLE, CLOSE, MAX_DESK_BYTES } from "@followspot/contract";
import { WebSocket, type RawData } from "ws";
import type { Caller } from "../platform/caller.ts";
import { tokenOfHello } from "./hello.ts";
import type { PressWatch } from "./press-watch.ts";

/** A reader this far behind is cut off rather than buffered for: some of the largest messages. */
const MAX_BUFFERED_BYTES = 4 * MAX_DESK_BYTES;
/** Sound and bytes of lamps that do not get through at once are late, and left out. */
const MAX_LATE_BYTES = 65_536;
/** Messages of a console kept until the stage has answered; it sends three at the most. */
const MAX_WAITING = 32;
const HANDSHAKE_MS = 3000;
const TEXT_ONLY = 1003;
/** A stage that does not answer the end of a socket in this time has it cut. */
const CLOSE_MS = 1000;

export interface StageAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The console may send binary messages: sound. */
  readonly takesBytes?: boolean;
  /** Traces the presses that are passed on; undefined where nothing is traced. */
  readonly watch?: PressWatch | undefined;
}

/** Whose socket it is. */
export interface Visitor {
  /** Undefined for a stage page, which has a link alone. */
  readonly caller: Caller | undefined;
  /** @returns the code of the close with which they are sent away, because they may not be here any more */
  readonly sentAway: () => Promise<number | undefined>;
}

/**
 * One console's socket, of a player, a desk, a microphone or a preview, and its socket to the stage: text is passed on both
 * ways, sound to the stage, and what lamps are sent from it. When either goes, so does the other.
 */
export class PlaybackRelay {
  readonly visitor: Visitor;
  readonly #console: WebSocket;
  readonly #stage: WebSocket;
  readonly #onEnd: (relay: PlaybackRelay) => void;
  #waiting: RawData[] = [];
  #hasAnswered = true;
  #isEnded = false;
  /** The console has said something. */
  #hasHeard = false;
  /** The console was too slow for something lamps were sent. */
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
      // Whose socket it is was known before.
      if (isFirst && !isBinary && tokenOfHello(data) !== undefined) return;
      if (!isBinary) {
        stage.watch?.said(String(data));
        this.#toStage(data);
      } else if (stage.takesBytes) this.#passSound(data);
      else this.end(TEXT_ONLY);
    });
    socket.on("pong", () => (this.#hasAnswered = true));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => this.end(CLOSE.stageAway)); // no client hears the code any more
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

  /** Asks the console for a sign of life; one that gave none since the last time is cut off. */
  ping(): void {
    if (!this.#hasAnswered) return this.#console.terminate();
    this.#hasAnswered = false;
    this.#console.ping();
  }

  /** Takes the stage away at once and tells both ends why: a person who was sent away stops the show, a lost connection does not. */
  end(code: number): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = [];
    this.#stage.close(code);
    setTimeout(() => this.#stage.terminate(), CLOSE_MS).unref();
    this.#console.close(code);
    this.#onEnd(this);
  }

  /** Resolves when the console's socket is closed; after `ms` it is cut. */
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
