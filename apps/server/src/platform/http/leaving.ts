import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 50;

/** Graceful shutdown of one of several servers: reports it in /health, completes open calls, and closes connections. */
export class Leaving {
  readonly #server: Server;
  #open = 0;
  #hasBegun = false;

  constructor(server: Server) {
    this.#server = server;
    // Registered before the framework's listener, which may respond immediately.
    server.prependListener("request", (_request, response) => {
      this.#open++;
      response.once("close", () => this.#open--);
      // A client that calls again connects again, to another server.
      if (this.#hasBegun) response.shouldKeepAlive = false;
    });
  }

  /** Starts the shutdown: /health reports {@link hasBegun}, and each response closes its connection. */
  begin(): void {
    this.#hasBegun = true;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Waits until open calls have ended, at most for `mostMs`. New connections are already refused. */
  async answerAll(mostMs: number): Promise<void> {
    for (const until = performance.now() + mostMs; this.#open > 0 && performance.now() < until; await pause(LOOK_MS))
      this.#server.closeIdleConnections();
    this.#server.closeAllConnections();
  }
}
