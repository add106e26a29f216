import { CLOSE } from "@followspot/contract";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;
/** The stage says something every second; a line that is silent longer is cut, whatever the browser believes. */
const SILENCE_MS = 3500;
const WATCH_MS = 500;
/** After these it makes no sense to come back: not signed in, not allowed. */
const FINAL_CLOSES: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

/** `lost`: it comes back by itself. `ended`: whoever this is may not have it, or not any more. */
export type LineState = "connecting" | "live" | "lost" | "ended";

export interface StageSocketPorts<Message extends { readonly type: string }> {
  readonly url: string;
  readonly connect?: ((url: string) => WebSocket) | undefined;
  /** Kinds of messages it listens to; others are left out. */
  readonly types: readonly Message["type"][];
  readonly onMessage: (message: Message) => void;
  readonly onLost: (line: "lost" | "ended") => void;
}

/** A socket to the stage that comes back by itself, sooner or later. */
export class StageSocket<Message extends { readonly type: string }> {
  readonly #ports: StageSocketPorts<Message>;
  #socket: WebSocket | undefined;
  #heardMs = 0;
  #attempt = 0;
  #isOver = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(ports: StageSocketPorts<Message>) {
    this.#ports = ports;
    this.#watch = setInterval(() => this.#lookForSilence(), WATCH_MS);
    this.#open();
  }

  /** Bytes that wait to be sent. */
  get bufferedBytes(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** @returns whether the socket took it */
  send(data: string | ArrayBuffer): boolean {
    if (this.#socket?.readyState !== 1) return false;
    this.#socket.send(data);
    return true;
  }

  /** The network is back: no reason to wait. */
  openNow(): void {
    if (!this.#socket && !this.#isOver) this.#open();
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#watch);
    this.#drop();
  }

  #open(): void {
    clearTimeout(this.#again);
    const { url, connect = (to) => new WebSocket(to) } = this.#ports;
    const socket = connect(url);
    this.#socket = socket;
    this.#heardMs = Date.now();
    socket.addEventListener("message", ({ data }: MessageEvent) => socket === this.#socket && this.#hear(data));
    socket.addEventListener("close", ({ code }: CloseEvent) => socket === this.#socket && this.#lose(code));
  }

  #hear(data: unknown): void {
    this.#heardMs = Date.now();
    const message = this.#read(data);
    if (!message) return;
    this.#attempt = 0;
    this.#ports.onMessage(message);
  }

  /** The stage is ours, so a message is trusted to be one of its kinds once it is JSON with a type. */
  #read(data: unknown): Message | undefined {
    try {
      const message = JSON.parse(String(data)) as Message | null;
      return message && this.#ports.types.includes(message.type) ? message : undefined;
    } catch {
      return undefined; // not a message of the stage; nothing depends on it
    }
  }

  #lookForSilence(): void {
    if (this.#socket && Date.now() - this.#heardMs > SILENCE_MS) this.#lose(0);
  }

  #lose(code: number): void {
    this.#drop();
    this.#isOver = FINAL_CLOSES.includes(code);
    if (this.#isOver) return this.#ports.onLost("ended");
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt++);
    this.#again = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
    this.#ports.onLost("lost");
  }

  #drop(): void {
    clearTimeout(this.#again);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }
}
