import type { Message, Thread } from "@followspot/contract/chat";
import { chatStrings as text } from "./chat.strings.ts";

const NAMED = 3;
/** Count at which the server stops counting unread messages. */
const MOST_UNREAD = 100;

/** Returns the title of a thread, or the names of its members other than the reader. */
export function threadTitle({ title, members, memberIds }: Thread, readerId: string): string {
  if (title) return title;
  const others = members.filter(({ userId }) => userId !== readerId).map(({ name }) => name);
  if (others.length === 0) return memberIds.includes(readerId) ? text.justYou : text.noMembers;
  const named = others.slice(0, NAMED);
  const more = memberIds.filter((id) => id !== readerId).length - named.length;
  return more > 0 ? `${named.join(", ")} +${more.toLocaleString("en")}` : named.join(", ");
}

/** Formats an unread count; "99+" if the server stopped counting. */
export const unreadText = (count: number): string =>
  count >= MOST_UNREAD ? `${MOST_UNREAD - 1}+` : count.toLocaleString("en");

export const writerName = ({ userName }: Pick<Message, "userName">): string => userName || text.leaver;

/** Returns the placeholder text of a deleted message. */
export const tombstone = ({ deletedByModerator }: Pick<Message, "deletedByModerator">): string =>
  deletedByModerator ? text.deletedByModerator : text.deleted;

/** Formats the last message as one line for the thread list. */
export function lastLine({ lastMessage }: Thread, readerId: string): string {
  if (!lastMessage) return text.nothingSaid;
  const name = lastMessage.userId === readerId ? text.you : writerName(lastMessage);
  return text.last(name, lastMessage.deletedAt ? tombstone(lastMessage) : lastMessage.text.replaceAll(/\s+/g, " "));
}

/** Maximum gap between messages of one author in a group, s. */
const TOGETHER_SECONDS = 300;

/** Whether a message is grouped under the name of the previous message. */
export function followsOn(message: Message, before: Message | undefined): boolean {
  if (!before || before.userId !== message.userId || before.userName !== message.userName) return false;
  return Number((message.createdAt?.seconds ?? 0n) - (before.createdAt?.seconds ?? 0n)) < TOGETHER_SECONDS;
}
