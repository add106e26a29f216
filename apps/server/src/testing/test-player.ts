import { PLAYER_PATHS, type PlayerMessage } from "@followspot/contract";
import { expect } from "vitest";
import { WebSocket } from "ws";

/** Player page as the server sees it. */
export class TestPlayer {
  readonly #socket: WebSocket;
  readonly told: PlayerMessage[] = [];
  closed: number | undefined;

  /** @param base http://… of its API @param heardNow song it reports on connecting */
  constructor(base: string, hello: object, heardNow?: object) {
    this.#socket = new WebSocket(`ws${base.slice(4)}${PLAYER_PATHS.socket}`);
    this.#socket.on("error", () => undefined); // it is closed next
    this.#socket.on("open", () => {
      // Both messages at once, as a page does.
      this.say({ type: "hello", page: "one", name: "PA laptop", ...hello });
      const first = { type: "beat", sent_at: 1, is_allowed: true, loaded_ahead: 0, problem: "" };
      this.say(heardNow ? { ...first, heard: heardNow } : first);
    });
    this.#socket.on("message", (data) => this.told.push(JSON.parse(String(data)) as PlayerMessage));
    this.#socket.on("close", (code) => (this.closed = code));
  }

  get state() {
    return this.told.findLast((each) => each.type === "state");
  }

  say(command: object): void {
    this.#socket.send(JSON.stringify(command));
  }

  /**
   * Sends a heartbeat. @param position position in its current song, s @param revision revision of the queue that it
   * plays; by default the last one received
   */
  beat(songId?: string, position = 0, revision = this.state!.queue.revision): void {
    const own = this.state!;
    // The time of the last state gives the server's clock.
    const at = own.server_ms + (performance.now() - this.#stateAt);
    const heardNow = songId === undefined ? {} : { heard: { song_id: songId, position, at, revision } };
    const levels_db = [-18.5, -20];
    this.say({ type: "beat", sent_at: 7, is_allowed: true, loaded_ahead: 1, problem: "", levels_db, ...heardNow });
  }

  async until(look: () => boolean | undefined): Promise<void> {
    for (let i = 0; i < 2000 && !look(); i++) await new Promise((later) => setTimeout(later, 10));
    expect(look(), "what was waited for").toBe(true);
  }

  /** Waits for a matching state, and uses its arrival as the clock reference. */
  async hears(look: (state: Extract<PlayerMessage, { type: "state" }>) => boolean): Promise<void> {
    await this.until(() => this.state && look(this.state));
    this.#stateAt = performance.now();
  }
  #stateAt = 0;

  /** Drops the connection. */
  close(): void {
    this.#socket.terminate();
  }

  /** Closes the page. */
  leave(): void {
    this.#socket.close(1001);
  }
}
