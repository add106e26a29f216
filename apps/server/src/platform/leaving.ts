import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 50;

/** How a server of several stops: it says that it leaves, answers what it was asked, and hangs up. */
export class Leaving {
  readonly #server: Server;
  #open = 0;
  #hasBegun = false;

  constructor(server: Server) {
    this.#server = server;
    // Before the framework, which may answer at once.
    server.prependListener("request", (_request, response) => {
      this.#open++;
      response.once("close", () => this.#open--);
      // Who calls again connects again, to a server that stays.
      if (this.#hasBegun) response.shouldKeepAlive = false;
    });
  }

  /** From now on {@link hasBegun} is told by /health, and each answer ends its connection. */
  begin(): void {
    this.#hasBegun = true;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Lets calls that are open end, for so long at most. New connections are refused by then. */
  async answerAll(mostMs: number): Promise<void> {
    for (const until = performance.now() + mostMs; this.#open > 0 && performance.now() < until; await pause(LOOK_MS))
      this.#server.closeIdleConnections();
    this.#server.closeAllConnections();
  }
}
