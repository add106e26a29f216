import { STAGE_KEY_HEADER, type StagePageMessage } from "@followspot/contract";
import { Connection, type ConnectionSocket, type SocketEvents } from "@followspot/contract/connection";

/** `behind`: the content may be out of date; reconnects automatically. `ended`: the link has expired. */
export type StageConnectionState = "connecting" | "live" | "behind" | "ended";

const LONGEST_WAIT_MS = 5000;
/** Timeout without data, ms. The server sends something every four seconds. */
const SILENCE_MS = 10_000;
const UNAUTHENTICATED = 401;

export interface StageConnectionPorts {
  readonly url: string;
  readonly key: string;
  readonly onMessage: (message: StagePageMessage) => void;
  readonly onState: (state: StageConnectionState) => void;
  /** Timeout without data, ms; shorter in tests. */
  readonly silenceMs?: number;
}

/** Receives the content of a stage screen, with reconnects, until it is closed. */
export class StageConnection {
  readonly #ports: StageConnectionPorts;
  readonly #connection: Connection;
  #hasHeard = false;

  constructor(ports: StageConnectionPorts) {
    this.#ports = ports;
    ports.onState("connecting");
    this.#connection = new Connection({
      connect: (events) => eventStreamSocket(ports, events),
      silenceMs: ports.silenceMs ?? SILENCE_MS,
      longestWaitMs: LONGEST_WAIT_MS,
      isFinal: (code) => code === UNAUTHENTICATED,
      onHeard: (text) => this.#hear(JSON.parse(text) as StagePageMessage), // sent by our own server
      onLost: (_code, isOver) => this.#lose(isOver),
    });
  }

  close(): void {
    this.#connection.close();
  }

  #hear(message: StagePageMessage): void {
    if (message.type === "withdrawn") {
      this.close();
      return this.#ports.onState("ended");
    }
    this.#hasHeard = true;
    this.#ports.onMessage(message);
    this.#ports.onState("live");
  }

  #lose(isOver: boolean): void {
    if (isOver) this.#ports.onState("ended");
    else this.#ports.onState(this.#hasHeard ? "behind" : "connecting");
  }
}

/** Receive-only socket over a streamed HTTP response. Its close code is the HTTP status of a refusal. */
function eventStreamSocket({ url, key }: StageConnectionPorts, { heard, closed }: SocketEvents): ConnectionSocket {
  const abort = new AbortController();
  const follow = async (): Promise<number> => {
    const { ok, status, body } = await fetch(url, {
      headers: { [STAGE_KEY_HEADER]: key },
      credentials: "omit",
      cache: "no-store",
      signal: abort.signal,
    });
    if (!ok || !body) return status;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 0;
      text += value;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) heard(event.replace(/^data: /, ""));
    }
  };
  follow().then(closed, () => closed(0)); // the next attempt reports the cause
  return { send: () => false, close: () => abort.abort(), bufferedBytes: 0 };
}
