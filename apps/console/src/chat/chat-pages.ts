import type { Message } from "@followspot/contract/chat";
import type { InfiniteData } from "@tanstack/react-query";

/** Messages as the server pages them: newest first, older pages behind. */
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly nextPageToken: string;
}
export type MessagePages = InfiniteData<MessagePage, string>;

/** Oldest first, as they are read, each once. */
export function inOrder(pages: readonly MessagePage[]): readonly Message[] {
  const byNumber = new Map(pages.flatMap(({ messages }) => messages).map((message) => [message.number, message]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/**
 * The pages with a message that was told, in its place. Undefined when messages between are missing: read them.
 */
export function withMessage(held: MessagePages, told: Message): MessagePages | undefined {
  const isHeld = held.pages.some(({ messages }) => messages.some(({ id }) => id === told.id));
  if (isHeld) {
    const replace = (message: Message) => (message.id === told.id && !isOlder(told, message) ? told : message);
    return { ...held, pages: held.pages.map((page) => ({ ...page, messages: page.messages.map(replace) })) };
  }
  const [newest, ...older] = held.pages;
  const last = newest?.messages[0]?.number ?? 0;
  // Of a page that is not loaded.
  if (told.number <= last) return held;
  if (!newest || told.number !== last + 1) return undefined;
  return { ...held, pages: [{ ...newest, messages: [told, ...newest.messages] }, ...older] };
}

/** A deleted message stays deleted, whatever comes late. */
const isOlder = (told: Message, held: Message): boolean => held.deletedAt !== undefined && told.deletedAt === undefined;
