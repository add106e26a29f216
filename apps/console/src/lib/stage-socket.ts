import { CLOSE } from "@followspot/contract";
import { Connection, openWebSocket } from "@followspot/contract/connection";

/**
 * Time without a message after which the stage counts as disconnected, ms. The stage sends at least one message per
 * second.
 */
export const STAGE_SILENCE_MS = 3500;
/** Close codes after which a reconnect is pointless: not signed in, not allowed. */
const FINAL_CLOSES: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

/** `lost`: reconnects automatically. `ended`: the user has no access, or lost it. */
export type ConnectionState = "connecting" | "live" | "lost" | "ended";

export interface StageSocketPorts<Message extends { readonly type: string }> {
  readonly url: string;
  readonly connect?: ((url: string) => WebSocket) | undefined;
  /** Types of messages to deliver; others are ignored. */
  readonly types: readonly Message["type"][];
  readonly onOpen?: () => void;
  readonly onMessage: (message: Message) => void;
  readonly onLost: (connection: "lost" | "ended") => void;
}

/** Opens a connection of a player, a desk or a microphone to the stage. */
export function openStageSocket<Message extends { readonly type: string }>(
  ports: StageSocketPorts<Message>,
): Connection {
  const { url, connect, types, onOpen = () => undefined, onMessage, onLost } = ports;
  return new Connection({
    connect: (events) => openWebSocket(url, events, connect),
    silenceMs: STAGE_SILENCE_MS,
    isFinal: (code) => FINAL_CLOSES.includes(code),
    onOpen,
    onHeard: (text) => {
      const message = readMessage<Message>(text, types);
      if (message) onMessage(message);
    },
    onLost: (_code, isOver) => onLost(isOver ? "ended" : "lost"),
  });
}

/** Parses a message. The stage is trusted: JSON with a known type is assumed to have the shape of that type. */
function readMessage<Message extends { readonly type: string }>(
  text: string,
  types: readonly string[],
): Message | undefined {
  try {
    const message = JSON.parse(text) as Message | null;
    return message && types.includes(message.type) ? message : undefined;
  } catch {
    return undefined; // Not a message of the stage; ignored.
  }
}
