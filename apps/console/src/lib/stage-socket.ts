import { CLOSE } from "@followspot/contract";
import { Connection, openWebSocket } from "@followspot/contract/connection";

/** The stage says something every second. */
export const STAGE_SILENCE_MS = 3500;
/** After these it makes no sense to come back: not signed in, not allowed. */
const FINAL_CLOSES: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

/** `lost`: it comes back by itself. `ended`: this person may not have it, or not any more. */
export type ConnectionState = "connecting" | "live" | "lost" | "ended";

export interface StageSocketPorts<Message extends { readonly type: string }> {
  readonly url: string;
  readonly connect?: ((url: string) => WebSocket) | undefined;
  /** Kinds of messages it listens to; others are left out. */
  readonly types: readonly Message["type"][];
  readonly onOpen?: () => void;
  readonly onMessage: (message: Message) => void;
  readonly onLost: (connection: "lost" | "ended") => void;
}

/** A connection of a player, a desk or a microphone to the stage, and the messages over it. */
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

/** The stage is ours, so a message is trusted to be one of its kinds once it is JSON with a type. */
function readMessage<Message extends { readonly type: string }>(
  text: string,
  types: readonly string[],
): Message | undefined {
  try {
    const message = JSON.parse(text) as Message | null;
    return message && types.includes(message.type) ? message : undefined;
  } catch {
    return undefined; // not a message of the stage; nothing depends on it
  }
}
