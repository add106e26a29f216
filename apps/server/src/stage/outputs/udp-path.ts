import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { monotonicMs } from "./frame-ring.ts";
import { openMulticast, settled } from "./multicast.ts";
import { codeOf, sendFailure } from "./send-failure.ts";

/** Delay before a failed path is opened again, ms. */
export const RETRY_MS = 1000;
/** Time without a refusal after which a node counts as back, ms. */
const REFUSED_MS = 2000;
/** Transient errors: the socket still works, and the next frame may pass. */
const PASSING = new Set(["EAGAIN", "ENOBUFS", "ENOMEM"]);

export interface UdpPathOptions {
  readonly host: string;
  readonly port: number;
  /** Set if the host is a multicast group: the network card to send from; undefined leaves the choice to the system. */
  readonly multicast?: { readonly localAddress: string | undefined } | undefined;
  /** Called for each error that may have lost a packet. */
  readonly onError: () => void;
  /** Called when the path has failed, with a sentence why, or works again. */
  readonly onChange: (failure: string | undefined) => void;
  /** Called for every attempt, because a host may appear or move. */
  readonly lookup?: (host: string) => Promise<{ readonly address: string; readonly family: number }>;
  /** Shorter in tests. */
  readonly retryMs?: number;
}

/**
 * A connected UDP socket to one host or multicast group. It reopens itself after a failed lookup, a missing route or a
 * lost address. A node that is off refuses packets, which is reported and otherwise ignored: it gets packets again when
 * it is back.
 */
export class UdpPath {
  readonly #options: UdpPathOptions;
  #socket: Socket | undefined;
  /** Failure reported last; "" before the first report. */
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

  /**
   * Sends a packet, or nothing while the path is down. The kernel copies `bytes` during the call, so the buffer may be
   * reused.
   */
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
      if (this.#isClosed) {
        socket.close();
        return;
      }
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
    if (this.#isClosed || socket !== this.#socket) return; // late error of a replaced socket
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
