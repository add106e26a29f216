import { CLOSE, readSentLamps, type SentLamps } from "@followspot/contract";
import { Connection, openWebSocket } from "@followspot/contract/connection";
import { STAGE_SILENCE_MS, type ConnectionState } from "../lib/stage-socket.ts";

/** Close codes after which a reconnect is pointless: not signed in, not allowed, an invalid link. */
const FINAL_CLOSES: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

/** State of the connection for screens, besides the DMX values. */
export interface LampsView {
  readonly connection: ConnectionState;
  /** Whether the stage sends DMX now. */
  readonly isSending: boolean;
  /** Whether no output is set up, so that the values are only a preview. */
  readonly isPreview: boolean;
  /** Universes with an output, or all universes of a preview, in order; undefined before the stage's first message. */
  readonly universes: readonly number[] | undefined;
}

export const NO_LAMPS: LampsView = {
  connection: "connecting",
  isSending: false,
  isPreview: false,
  universes: undefined,
};

export interface LampsConnectionPorts {
  readonly url: string;
  readonly onView: (view: LampsView) => void;
  readonly onSent: (sent: SentLamps) => void;
  readonly connect?: (url: string) => WebSocket;
}

/**
 * Connection over which the stage publishes the DMX values it sends, for pictures of the stage and monitors.
 * Independent of React.
 */
export class LampsConnection {
  readonly #ports: LampsConnectionPorts;
  readonly #connection: Connection;
  #view = NO_LAMPS;

  constructor(ports: LampsConnectionPorts) {
    this.#ports = ports;
    this.#connection = new Connection({
      connect: (events) => openWebSocket(ports.url, events, ports.connect),
      silenceMs: STAGE_SILENCE_MS,
      isFinal: (code) => FINAL_CLOSES.includes(code),
      onHeard: () => undefined,
      onBytes: (bytes) => this.#hear(bytes),
      onLost: (_code, isOver) => this.#see({ ...this.#view, connection: isOver ? "ended" : "lost" }),
    });
  }

  close(): void {
    this.#connection.close();
  }

  #hear(bytes: ArrayBuffer): void {
    const sent = readSentLamps(bytes);
    if (!sent) return;
    this.#ports.onSent(sent);
    const { isSending, isPreview } = sent;
    const told = sent.isWhole ? sent.stretches.map(({ universe }) => universe).toSorted((a, b) => a - b) : undefined;
    const before = this.#view.universes;
    const universes = told && String(told) !== String(before) ? told : before;
    this.#see({ connection: "live", isSending, isPreview, universes });
  }

  /** Reports only changes, because values arrive 20 times per second. */
  #see(view: LampsView): void {
    const before = this.#view;
    if ((Object.keys(view) as (keyof LampsView)[]).every((key) => view[key] === before[key])) return;
    this.#view = view;
    this.#ports.onView(view);
  }
}
