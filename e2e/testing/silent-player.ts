import { PLAYER_BEAT_MS, PLAYER_PATHS, PLAYER_SILENCE_MS, type PlayerMessage } from "@followspot/contract";
import { Connection, openWebSocket } from "@followspot/contract/connection";

type State = Extract<PlayerMessage, { type: "state" }>;

/** A player's page as servers see it, without sound; it reconnects like a page. */
export class SilentPlayer {
  /** Whether a server has sent a message over the open connection. */
  isConnected = false;
  /** Received states. */
  readonly states: State[] = [];
  /** Number of lost connections. */
  lost = 0;
  readonly #hello: object;
  readonly #connection: Connection;
  readonly #timer: NodeJS.Timeout;

  /** @param url http://… of an API, or of a proxy for several @param page its name across all connections */
  constructor(url: string, key: string, page: string) {
    this.#hello = { type: "hello", key, page, name: page };
    this.#connection = new Connection({
      connect: (events) => openWebSocket(`ws${url.slice(4)}${PLAYER_PATHS.socket}`, events),
      silenceMs: PLAYER_SILENCE_MS,
      onOpen: () => this.#greet({}),
      onHeard: (text) => this.#hear(JSON.parse(text) as PlayerMessage),
      onLost: () => {
        this.lost++;
        this.isConnected = false;
      },
    });
    this.#timer = setInterval(() => this.#beat(), PLAYER_BEAT_MS);
  }

  /** Whether it is the active player. */
  get isHeard(): boolean {
    return this.states.at(-1)?.is_heard === true;
  }

  takeOver(): void {
    this.#greet({ take_over: true });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }

  #greet(more: object): void {
    this.#connection.send(JSON.stringify({ ...this.#hello, ...more }));
    this.#beat();
  }

  #beat(): void {
    const beat = { type: "beat", sent_at: performance.now(), is_allowed: true, loaded_ahead: 0, problem: "" };
    this.#connection.send(JSON.stringify(beat));
  }

  #hear(message: PlayerMessage): void {
    this.isConnected = true;
    if (message.type === "state") this.states.push(message);
  }
}
