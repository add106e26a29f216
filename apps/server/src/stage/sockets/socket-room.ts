import { CLOSE } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";

/** The stage ends. */
const GOING_AWAY = 1001;
/** The person may not have the lights any more. */
const SENT_AWAY: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

export interface RoomOptions<Member, Message> {
  /** What a member is told on arrival, and whenever all are told. */
  readonly stateFor: (member: Member, socket: WebSocket) => Message;
  /** Bytes that may wait for one reader. */
  readonly mostBufferedBytes: number;
  /** A reader further behind is cut off, or misses this message: it needs the next state, not this one. */
  readonly slowReader: "is cut off" | "misses messages";
  /** How a message is written; as JSON where nothing else is said. */
  readonly write?: (message: Message) => string | Uint8Array;
}

/** What one member does. */
export interface Visit {
  readonly onMessage: (data: RawData, isBinary: boolean) => void;
  /** @param isSentAway true where they may not be here any more, false where the connection was lost */
  readonly onLeave: (isSentAway: boolean) => void;
}

/** All sockets on one path of the stage, and who is at each: they are told how things are. */
export class SocketRoom<Member, Message> {
  readonly #options: RoomOptions<Member, Message>;
  readonly #members = new Map<WebSocket, Member>();

  constructor(options: RoomOptions<Member, Message>) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  add(socket: WebSocket, member: Member, { onMessage, onLeave }: Visit): void {
    this.#members.set(socket, member);
    socket.on("message", onMessage);
    socket.on("close", (code) => {
      this.#members.delete(socket);
      onLeave(SENT_AWAY.includes(code));
    });
    socket.on("error", () => socket.terminate());
    this.send(socket, this.#options.stateFor(member, socket));
  }

  tellAll(): void {
    for (const [socket, member] of this.#members) this.send(socket, this.#options.stateFor(member, socket));
  }

  /** Tells everybody what is meant for them. @param onMissed a member was too slow for it */
  tellEach(messageFor: (member: Member) => Message, onMissed: (member: Member) => void): void {
    for (const [socket, member] of this.#members) if (!this.send(socket, messageFor(member))) onMissed(member);
  }

  /** @returns whether it was sent */
  send(socket: WebSocket, message: Message): boolean {
    if (socket.readyState !== socket.OPEN) return false;
    const { mostBufferedBytes, slowReader, write = JSON.stringify } = this.#options;
    if (socket.bufferedAmount <= mostBufferedBytes) {
      socket.send(write(message));
      return true;
    }
    if (slowReader === "is cut off") socket.close(CLOSE.tooSlow);
    return false;
  }

  close(): void {
    for (const socket of this.#members.keys()) socket.close(GOING_AWAY);
  }
}
