import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { monotonicMs } from "./frame-ring.ts";
import { codeOf, sendFailure } from "./send-failure.ts";

/** Waits between attempts; the last one repeats. */
export const RETRY_MS: readonly number[] = [1000, 2000, 5000];
/** A node that refused counts as there again when it has not refused for so long. */
const REFUSED_MS = 2000;
/** The socket is as good as before; the next frame may pass. */
const PASSING = new Set(["EAGAIN", "ENOBUFS", "ENOMEM"]);

export interface UdpPathOptions {
  readonly host: string;
  readonly port: number;
  /** An error that may have cost a packet. */
  readonly onError: () => void;
  /** The path has failed, with a sentence why, or works again. */
  readonly onChange: (failure: string | undefined) => void;
  /** Asked at every attempt, so that a host may appear or move. */
  readonly lookup?: (host: string) => Promise<{ readonly address: string; readonly family: number }>;
  readonly retryMs?: readonly number[];
}

/**
 * A connected UDP socket to one host that opens itself again: after a name that was not found, a missing route, a
 * lost address. A node that is off refuses, which is told and otherwise ignored: it gets its packets when it is back.
 */
export class UdpPath {
  readonly #options: UdpPathOptions;
  #socket: Socket | undefined;
  /** What was told last; "" before anything was. */
  #failure: string | undefined = "";
  #attempts = 0;
  #retry: NodeJS.Timeout | undefined;
  #refusedMs: number | undefined;
  #isClosed = false;

  constructor(options: UdpPathOptions) {
    this.#options = options;
    void this.#open();
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Nothing is sent while the path is down. The kernel copies `bytes` during the call, so the buffer may be reused. */
  send(bytes: Buffer, nowMs: number): void {
    const socket = this.#socket;
    if (!socket) return;
    if (this.#refusedMs !== undefined && nowMs - this.#refusedMs > REFUSED_MS) this.#change(undefined);
    socket.send(bytes, (error) => {
      if (error) this.#fail(socket, error);
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = undefined;
  }

  async #open(): Promise<void> {
    const { host, port } = this.#options;
    try {
      const { address, family } = await (this.#options.lookup ?? lookup)(host);
      const socket = await connect(family === 6 ? "udp6" : "udp4", address, port);
      if (this.#isClosed) return void socket.close();
      socket.on("error", (error) => this.#fail(socket, error));
      this.#socket = socket;
      this.#attempts = 0;
      this.#change(undefined);
    } catch (error) {
      if (this.#isClosed) return;
      this.#options.onError();
      this.#openLater(error);
    }
  }

  #fail(socket: Socket, error: unknown): void {
    if (this.#isClosed || socket !== this.#socket) return; // a late word of a socket given up
    this.#options.onError();
    const code = codeOf(error);
    if (PASSING.has(code)) return;
    if (code === "ECONNREFUSED") {
      this.#change(sendFailure(error, this.#options.host, this.#options.port));
      this.#refusedMs = monotonicMs();
      return;
    }
    this.#socket = undefined;
    socket.close();
    this.#openLater(error);
  }

  #openLater(error: unknown): void {
    const { host, port, retryMs = RETRY_MS } = this.#options;
    this.#change(sendFailure(error, host, port));
    const wait = retryMs[Math.min(this.#attempts++, retryMs.length - 1)];
    this.#retry = setTimeout(() => void this.#open(), wait).unref();
  }

  #change(failure: string | undefined): void {
    this.#refusedMs = undefined;
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#options.onChange(failure);
  }
}

async function connect(type: "udp4" | "udp6", address: string, port: number): Promise<Socket> {
  const socket = createSocket(type).unref();
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("connect", () => resolve());
      socket.connect(port, address);
    });
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.removeAllListeners("error");
  return socket;
}
