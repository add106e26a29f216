import { STAGE_KEY_HEADER, type StagePageMessage } from "@followspot/contract";
import { Connection, type ConnectionSocket, type SocketEvents } from "@followspot/contract/connection";

/** `behind`: what is shown may be old; it comes back by itself. `ended`: the link shows nothing any more. */
export type StageConnectionState = "connecting" | "live" | "behind" | "ended";

const LONGEST_WAIT_MS = 5000;
/** The server says something every four seconds. */
const SILENCE_MS = 10_000;
const UNAUTHENTICATED = 401;

export interface StageConnectionPorts {
  readonly url: string;
  readonly key: string;
  readonly onMessage: (message: StagePageMessage) => void;
  readonly onState: (state: StageConnectionState) => void;
  /** Shorter in tests. */
  readonly silenceMs?: number;
}

/** Hears what a stage screen shows for as long as it is open, however often the connection is lost. */
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
      onHeard: (text) => this.#hear(JSON.parse(text) as StagePageMessage), // our own server's
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

/** A socket that only listens: the events of an HTTP answer that goes on. Its close code is the status of a refusal. */
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
  follow().then(closed, () => closed(0)); // whatever it was, the next try tells
  return { send: () => false, close: () => abort.abort(), bufferedBytes: 0 };
}
