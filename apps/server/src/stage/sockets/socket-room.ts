import { CLOSE } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";

/** Close code when the stage shuts down. */
const GOING_AWAY = 1001;
/** Close codes for a user who lost the permission. */
const SENT_AWAY: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

export interface RoomOptions<Member, Message> {
  /** Returns the message that a member receives on arrival and with every broadcast. */
  readonly stateFor: (member: Member, socket: WebSocket) => Message;
  /** Bytes that may be buffered for one reader. */
  readonly mostBufferedBytes: number;
  /**
   * Treatment of a reader with more buffered bytes: disconnected, or skipped because it needs the next state, not this
   * one.
   */
  readonly slowReader: "is cut off" | "misses messages";
  /** Serializes a message; as JSON if omitted. */
  readonly write?: (message: Message) => string | Uint8Array;
}

/** Handlers of one member. */
export interface Visit {
  readonly onMessage: (data: RawData, isBinary: boolean) => void;
  /** @param isSentAway true if the member lost the permission, false if the connection was lost */
  readonly onLeave: (isSentAway: boolean) => void;
}

/** All sockets on one path of the stage with their members; broadcasts state to them. */
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

  /** Sends each member its message. @param onMissed called for a member that was too slow for it */
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
