/** The longest wait before the first try to come back, and before any later one. Each wait is jittered. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;
const WATCH_MS = 250;

/** The socket that a connection has now; a later one takes its place. */
export interface ConnectionSocket {
  /** @returns false when it is not open */
  send(data: string | ArrayBuffer): boolean;
  close(): void;
  /** Bytes that wait to be sent. */
  readonly bufferedBytes: number;
}

/** What a socket tells its connection. After `closed` it tells nothing more. */
export interface SocketEvents {
  readonly opened: () => void;
  readonly heard: (text: string) => void;
  /** Left out by a connection that receives only text. */
  readonly heardBytes?: (bytes: ArrayBuffer) => void;
  /** @param code of the close, 0 where there is none */
  readonly closed: (code: number) => void;
}

export interface ConnectionPorts {
  readonly connect: (events: SocketEvents) => ConnectionSocket;
  /** The connection is given up when nothing was received for so long, even when the system says it is open. */
  readonly silenceMs: number;
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** After these closes it makes no sense to come back. */
  readonly isFinal?: (code: number) => boolean;
  readonly onOpen?: () => void;
  readonly onHeard: (text: string) => void;
  readonly onBytes?: (bytes: ArrayBuffer) => void;
  /** @param isOver it does not come back */
  readonly onLost: (code: number, isOver: boolean) => void;
  /** The machine or the page woke up while the connection seems to be open: ask the other end whether it is. */
  readonly onWake?: () => void;
}

/**
 * A connection that comes back by itself: with growing, jittered waits; at once when the network is back or the page wakes
 * up; and also from a connection that never says that it closed. What is said over it is the business of its owner.
 */
export class Connection {
  readonly #ports: ConnectionPorts;
  #socket: ConnectionSocket | undefined;
  /** Counts the sockets: an earlier one that closes late says nothing any more. */
  #turn = 0;
  #silenceMs: number;
  /** Dead when nothing was heard until then, by `performance.now()`. */
  #deadlineMs = 0;
  #attempt = 0;
  #isOver = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #watch: ReturnType<typeof setInterval>;
  readonly #wakeUps = new AbortController();

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#silenceMs = ports.silenceMs;
    this.#watch = setInterval(() => this.#lookForSilence(), WATCH_MS);
    onWakeUp(() => this.wake(), this.#wakeUps.signal);
    this.#open();
  }

  get bufferedBytes(): number {
    return this.#socket?.bufferedBytes ?? 0;
  }

  /** How many tries have failed since something was heard. */
  get attempt(): number {
    return this.#attempt;
  }

  /** @returns whether it was sent */
  send(data: string | ArrayBuffer): boolean {
    return this.#socket?.send(data) ?? false;
  }

  /** From now on the connection is given up when nothing was received for so long. */
  expectWithin(silenceMs: number): void {
    this.#silenceMs = silenceMs;
    this.#deadlineMs = performance.now() + silenceMs;
  }

  /** A question was asked: the connection is given up when nothing is received within this time. */
  answerWithin(ms: number): void {
    this.#deadlineMs = Math.min(this.#deadlineMs, performance.now() + ms);
  }

  /** The network is back, or the page is seen again: no reason to wait. In a browser the connection notices by itself. */
  wake(): void {
    if (this.#isOver) return;
    this.#lookForSilence();
    if (this.#socket) this.#ports.onWake?.();
    else this.#open();
  }

  /** Gives this socket up and opens another one at once. */
  reopen(): void {
    this.#drop();
    this.#open();
  }

  /** For good. */
  close(): void {
    this.#isOver = true;
    this.#rest();
    this.#drop();
  }

  #open(): void {
    clearTimeout(this.#again);
    this.expectWithin(this.#ports.silenceMs);
    const turn = ++this.#turn;
    const isCurrent = () => turn === this.#turn;
    this.#socket = this.#ports.connect({
      opened: () => isCurrent() && this.#ports.onOpen?.(),
      heard: (text) => isCurrent() && this.#hear(() => this.#ports.onHeard(text)),
      heardBytes: (bytes) => isCurrent() && this.#hear(() => this.#ports.onBytes?.(bytes)),
      closed: (code) => isCurrent() && this.#lose(code),
    });
  }

  #hear(tell: () => void): void {
    this.#deadlineMs = performance.now() + this.#silenceMs;
    this.#attempt = 0;
    tell();
  }

  #lookForSilence(): void {
    if (this.#socket && performance.now() > this.#deadlineMs) this.#lose(0);
  }

  #lose(code: number): void {
    this.#drop();
    this.#isOver = this.#ports.isFinal?.(code) ?? false;
    if (this.#isOver) this.#rest();
    else {
      const { firstWaitMs = FIRST_WAIT_MS, longestWaitMs = LONGEST_WAIT_MS } = this.#ports;
      const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#attempt++);
      this.#again = setTimeout(() => this.#open(), wait * (0.5 + Math.random() / 2));
    }
    this.#ports.onLost(code, this.#isOver);
  }

  #drop(): void {
    clearTimeout(this.#again);
    this.#turn++;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#wakeUps.abort();
  }
}

/** The socket of a connection, as a WebSocket. */
export function openWebSocket(
  url: string,
  events: SocketEvents,
  connect: (url: string) => WebSocket = (to) => new WebSocket(to),
): ConnectionSocket {
  const socket = connect(url);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => events.opened());
  socket.addEventListener("message", ({ data }: MessageEvent) => {
    if (data instanceof ArrayBuffer) events.heardBytes?.(data);
    else events.heard(String(data));
  });
  socket.addEventListener("close", ({ code }: CloseEvent) => events.closed(code));
  return {
    send: (data) => {
      if (socket.readyState !== 1) return false;
      socket.send(data);
      return true;
    },
    close: () => socket.close(),
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
  };
}

/** In a browser: the network is back, or the page is seen again. Elsewhere never. */
function onWakeUp(wakeUp: () => void, signal: AbortSignal): void {
  const { window, document } = globalThis as {
    readonly window?: EventTarget;
    readonly document?: EventTarget & { readonly visibilityState: string };
  };
  for (const type of ["online", "pageshow"]) window?.addEventListener(type, wakeUp, { signal });
  const ifSeen = () => document?.visibilityState === "visible" && wakeUp();
  document?.addEventListener("visibilitychange", ifSeen, { signal });
}
