import type { JsonValue } from "@bufbuild/protobuf";
import type { TakenBack, Untold } from "../../platform/live-events/event-feed.ts";

/** Payload of `message.*`: the message at that time. */
interface OfMessage {
  readonly message?: Readonly<Record<string, JsonValue>>;
}

/**
 * Redacts envelopes for clients that resume a topic: the text of a message deleted since is replaced by the deleted
 * message, and of a purged user only the ID remains, so that clients reload their lists.
 */
export function takesBack({ type, ts, payload }: Untold): TakenBack | undefined {
  if (type === "message.deleted") {
    const { message } = payload as OfMessage;
    return typeof message?.id === "string" ? ofMessage(message.id, message) : undefined;
  }
  return type === "user.purged" ? ofPerson((payload as { readonly user_id: string }).user_id, ts) : undefined;
}

function ofMessage(id: string, deleted: OfMessage["message"]): TakenBack {
  const left = (envelope: Untold): Untold => {
    const { message } = envelope.payload as OfMessage;
    return message?.id === id
      ? { ...envelope, payload: { ...(envelope.payload as object), message: deleted } }
      : envelope;
  };
  return { id, left };
}

function ofPerson(id: string, ts: string): TakenBack {
  const left = (envelope: Untold): Untold => {
    if (envelope.type.startsWith("user.")) return { ...envelope, payload: { user_id: id } };
    const { message } = envelope.payload as OfMessage;
    if (message?.userId !== id) return envelope;
    const { id: messageId, threadId, number, createdAt } = message;
    const withoutAuthor = { id: messageId, threadId, number, createdAt, deletedAt: message.deletedAt ?? ts };
    return { ...envelope, payload: { ...(envelope.payload as object), message: withoutAuthor } };
  };
  return { id, left };
}
