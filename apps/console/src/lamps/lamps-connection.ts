import { CLOSE, readSentLamps, type SentLamps } from "@followspot/contract";
import { Connection, openWebSocket } from "@followspot/contract/connection";
import { STAGE_SILENCE_MS, type ConnectionState } from "../lib/stage-socket.ts";

/** After these it makes no sense to come back: not signed in, not allowed, a link that opens nothing. */
const FINAL_CLOSES: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

/** What a screen knows of the connection beside the bytes. */
export interface LampsView {
  readonly connection: ConnectionState;
  /** Something is sent to the lamps now. */
  readonly isSending: boolean;
  /** No output is set up: the bytes are what would be sent. */
  readonly isPreview: boolean;
  /** Universes that go out somewhere, or would, in order; undefined before the stage has said it. */
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
 * A connection over which the stage tells what lamps are sent, for pictures of the stage and whatever else shows bytes.
 * Knows nothing of React.
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

  /** Tells of changes alone: bytes come twenty times a second. */
  #see(view: LampsView): void {
    const before = this.#view;
    if ((Object.keys(view) as (keyof LampsView)[]).every((key) => view[key] === before[key])) return;
    this.#view = view;
    this.#ports.onView(view);
  }
}
