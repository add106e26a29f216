import type { WebSocket } from "ws";

/**
 * Sockets of one endpoint that have not authenticated yet. Anyone can open them, so above the limit the oldest is closed
 * and no newcomer is refused.
 */
export class UnknownSockets {
  readonly #most: number;
  /** Oldest first. A socket leaves at once when it is terminated: its close event may come after a burst of newcomers. */
  readonly #open = new Set<Pick<WebSocket, "terminate">>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }

  add(socket: Pick<WebSocket, "terminate" | "on">): void {
    const [oldest] = this.#open;
    if (oldest && this.#open.size >= this.#most) {
      this.#open.delete(oldest);
      oldest.terminate();
    }
    this.#open.add(socket);
    socket.on("close", () => this.#open.delete(socket));
  }

  /** Removes a socket that has authenticated. */
  release(socket: Pick<WebSocket, "terminate">): void {
    this.#open.delete(socket);
  }
}
