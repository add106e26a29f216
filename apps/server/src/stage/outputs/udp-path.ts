import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { monotonicMs } from "./frame-ring.ts";
import { openMulticast, settled } from "./multicast.ts";
import { codeOf, sendFailure } from "./send-failure.ts";

/** After any failure the path is opened again so much later. */
export const RETRY_MS = 1000;
/** A node that refused counts as there again when it has not refused for so long. */
const REFUSED_MS = 2000;
/** The socket is as good as before; the next frame may pass. */
const PASSING = new Set(["EAGAIN", "ENOBUFS", "ENOMEM"]);

export interface UdpPathOptions {
  readonly host: string;
  readonly port: number;
  /** The host is a multicast group, reached by this card of the machine; undefined leaves the choice to the system. */
  readonly multicast?: { readonly localAddress: string | undefined } | undefined;
  /** An error that may have cost a packet. */
  readonly onError: () => void;
  /** The path has failed, with a sentence why, or works again. */
  readonly onChange: (failure: string | undefined) => void;
  /** Asked at every attempt, so that a host may appear or move. */
  readonly lookup?: (host: string) => Promise<{ readonly address: string; readonly family: number }>;
  /** Shorter in tests. */
  readonly retryMs?: number;
}

/**
 * A connected UDP socket to one host, or multicast group, that opens itself again: after a name that was not found, a missing route, a
 * lost address. A node that is off refuses, which is told and otherwise ignored: it gets its packets when it is back.
 */
export class UdpPath {
  readonly #options: UdpPathOptions;
  #socket: Socket | undefined;
  /** What was told last; "" before anything was. */
  #failure: string | undefined = "";
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
    try {
      const socket = await this.#connect();
      if (this.#isClosed) return void socket.close();
      socket.on("error", (error) => this.#fail(socket, error));
      this.#socket = socket;
      this.#change(undefined);
    } catch (error) {
      if (this.#isClosed) return;
      this.#options.onError();
      this.#openLater(error);
    }
  }

  async #connect(): Promise<Socket> {
    const { host, port, multicast } = this.#options;
    if (multicast) return openMulticast(host, port, multicast.localAddress);
    const { address, family } = await (this.#options.lookup ?? lookup)(host);
    const socket = createSocket(family === 6 ? "udp6" : "udp4").unref();
    try {
      await settled(socket, (done) => socket.connect(port, address, done));
      return socket;
    } catch (error) {
      socket.close();
      throw error;
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
    this.#retry = setTimeout(() => void this.#open(), retryMs).unref();
  }

  #change(failure: string | undefined): void {
    this.#refusedMs = undefined;
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#options.onChange(failure);
  }
}
