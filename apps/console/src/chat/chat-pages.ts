import { create } from "@bufbuild/protobuf";
import { ReactionSchema, type Message, type Reaction } from "@followspot/contract/chat";
import type { InfiniteData } from "@tanstack/react-query";

/** Page of messages, newest first. Older messages are on later pages. */
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly nextPageToken: string;
}
export type MessagePages = InfiniteData<MessagePage, string>;

/** Merges pages into one list, oldest first, without duplicates. */
export function inOrder(pages: readonly MessagePage[]): readonly Message[] {
  const byNumber = new Map(pages.flatMap(({ messages }) => messages).map((message) => [message.number, message]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/**
 * Inserts or replaces a message received live. Returns undefined if messages before it are missing and must be loaded.
 */
export function withMessage(held: MessagePages, told: Message): MessagePages | undefined {
  const isHeld = held.pages.some(({ messages }) => messages.some(({ id }) => id === told.id));
  if (isHeld) {
    const replace = (message: Message) => (message.id === told.id && !isOlder(told, message) ? told : message);
    return { ...held, pages: held.pages.map((page) => ({ ...page, messages: page.messages.map(replace) })) };
  }
  const [newest, ...older] = held.pages;
  const last = newest?.messages[0]?.number ?? 0;
  // Belongs to a page that is not loaded.
  if (told.number <= last) return held;
  if (!newest || told.number !== last + 1) return undefined;
  return { ...held, pages: [{ ...newest, messages: [told, ...newest.messages] }, ...older] };
}

/** Reaction added to a message, or removed from it. */
export interface ReactionChange {
  readonly messageId: string;
  readonly userId: string;
  readonly emoji: string;
  readonly isGiven: boolean;
}

/** Applies a reaction change. Idempotent; ignores messages that are not loaded. */
export function withReaction(held: MessagePages, change: ReactionChange): MessagePages {
  const react = (message: Message): Message =>
    message.id === change.messageId ? { ...message, reactions: reactionsAfter(message.reactions, change) } : message;
  return { ...held, pages: held.pages.map((page) => ({ ...page, messages: page.messages.map(react) })) };
}

function reactionsAfter(reactions: readonly Reaction[], { emoji, userId, isGiven }: ReactionChange): Reaction[] {
  const given = create(ReactionSchema, { emoji });
  const all = reactions.some((each) => each.emoji === emoji) ? reactions : [...reactions, given];
  const changed = all.map((each) => {
    if (each.emoji !== emoji) return each;
    const others = each.userIds.filter((id) => id !== userId);
    return { ...each, userIds: isGiven ? [...others, userId] : others };
  });
  return changed.filter(({ userIds }) => userIds.length > 0);
}

/** Whether the received message is older than the cached one: a deleted message stays deleted. */
const isOlder = (told: Message, held: Message): boolean => held.deletedAt !== undefined && told.deletedAt === undefined;
