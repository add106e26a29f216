import type { JsonValue } from "@bufbuild/protobuf";
import type { TakenBack, Untold } from "../realtime/event-feed.ts";

/** Payload of `message.*`: the message as it was then. */
interface OfMessage {
  readonly message?: Readonly<Record<string, JsonValue>>;
}

/**
 * What a person who was away must not be told any more: the text of a message that was deleted since, and what is
 * known of a person who was purged. In its place stands the deleted message; of a person the id is left, and lists are
 * read again.
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
