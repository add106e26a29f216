import type { Message, Reaction, Thread } from "@followspot/contract/chat";
import { Menu as BaseMenu } from "@base-ui/react/menu";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, SmilePlus, UserRound } from "lucide-react";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { dateTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "../ui/class-names.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { MENU_ITEM, MenuPopup } from "../ui/menu.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { ChatService } from "@followspot/contract/chat";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { EditMessage } from "./edit-message.tsx";
import { clockOf } from "./message-time.ts";
import { tombstone, writerName } from "./thread-words.ts";
import { keepReaction } from "./use-live-thread.ts";

const text = chatStrings.message;
const EMOJI = ["👍", "❤️", "😂", "🎉", "😮", "😢", "🙏", "🔥"] as const;
const ICON_BUTTON =
  "grid size-7 place-items-center rounded-md text-muted hover:bg-raised hover:text-fg data-popup-open:bg-raised";

/** Message with its reactions and actions. */
export function MessageRow({
  thread,
  message,
  isFollowing,
  onDelete,
}: {
  readonly thread: Thread;
  readonly message: Message;
  /** Whether it is grouped under the name of the previous message. */
  readonly isFollowing: boolean;
  readonly onDelete: (message: Message) => void;
}) {
  const { id } = useSession();
  const mayModerate = useCan()(ChatService.method.listAllThreads);
  const [isEditing, setEditing] = useState(false);
  const react = useReact(message);
  const at = toDate(message.createdAt);
  const isOwn = message.userId === id;
  const isGone = message.deletedAt !== undefined;
  const canEdit = thread.isMember && isOwn && !isGone;
  const canDelete = !isGone && ((thread.isMember && isOwn) || mayModerate);
  return (
    <article
      aria-label={`${writerName(message)}, ${at ? clockOf(at) : ""}`}
      className={cx("group flex gap-3 px-3 hover:bg-raised/40", isFollowing ? "py-0.5" : "pt-2 pb-0.5")}
    >
      <span className="w-9 shrink-0">
        {!isFollowing && <Thumbnail round src={message.userPhotoUrl} fallback={<UserRound size={16} />} />}
      </span>
      <div className="min-w-0 flex-1">
        {!isFollowing && (
          <p className="flex items-baseline gap-2">
            <span className={cx("truncate font-medium", !message.userName && "text-muted italic")}>
              {writerName(message)}
            </span>
            <time className="shrink-0 text-xs text-muted" title={at && dateTime(at)} dateTime={at?.toISOString()}>
              {at && clockOf(at)}
            </time>
          </p>
        )}
        {isEditing && canEdit ? (
          <EditMessage message={message} onClose={() => setEditing(false)} />
        ) : isGone ? (
          <p className="text-muted italic">{tombstone(message)}</p>
        ) : (
          <p className="wrap-anywhere whitespace-pre-wrap">
            {message.text}
            {message.editedAt && <span className="ml-1.5 text-xs text-muted">({chatStrings.thread.edited})</span>}
          </p>
        )}
        {message.reactions.length > 0 && (
          <ul aria-label={text.reactions} className="mt-1 flex flex-wrap gap-1">
            {message.reactions.map((reaction) => (
              <li key={reaction.emoji}>
                <ReactionButton thread={thread} reaction={reaction} onPress={react} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {!isGone && !isEditing && (thread.isMember || canDelete) && (
        <span className="flex shrink-0 self-start opacity-60 group-hover:opacity-100 focus-within:opacity-100">
          {thread.isMember && (
            <BaseMenu.Root>
              <BaseMenu.Trigger className={ICON_BUTTON} aria-label={text.react}>
                <SmilePlus aria-hidden size={14} />
              </BaseMenu.Trigger>
              <MenuPopup>
                <div className="grid grid-cols-4">
                  {EMOJI.map((emoji) => (
                    <BaseMenu.Item
                      key={emoji}
                      className="grid size-8 cursor-default place-items-center rounded-md text-lg outline-none data-highlighted:bg-accent"
                      onClick={() => react(emoji)}
                    >
                      {emoji}
                    </BaseMenu.Item>
                  ))}
                </div>
              </MenuPopup>
            </BaseMenu.Root>
          )}
          {canDelete && (
            <BaseMenu.Root>
              <BaseMenu.Trigger className={ICON_BUTTON} aria-label={text.options}>
                <Ellipsis aria-hidden size={14} />
              </BaseMenu.Trigger>
              <MenuPopup>
                {canEdit && (
                  <BaseMenu.Item className={MENU_ITEM} onClick={() => setEditing(true)}>
                    {strings.edit}
                  </BaseMenu.Item>
                )}
                <BaseMenu.Item className={cx(MENU_ITEM, "text-danger")} onClick={() => onDelete(message)}>
                  {strings.delete}
                </BaseMenu.Item>
              </MenuPopup>
            </BaseMenu.Root>
          )}
        </span>
      )}
    </article>
  );
}

/** Returns a function that toggles the user's reaction with an emoji. */
function useReact({ id: messageId, threadId, reactions }: Message): (emoji: string) => void {
  const { id } = useSession();
  const calls = useChatCalls();
  const cache = useQueryClient();
  return (emoji) => {
    const isGiven = reactions.some((each) => each.emoji === emoji && each.userIds.includes(id));
    (isGiven ? calls.unreact : calls.react)(messageId, emoji).then(
      () => keepReaction(cache, threadId, { messageId, userId: id, emoji, isGiven: !isGiven }),
      sayWhy,
    );
  };
}

function ReactionButton({
  thread,
  reaction: { emoji, userIds },
  onPress,
}: {
  readonly thread: Thread;
  readonly reaction: Reaction;
  readonly onPress: (emoji: string) => void;
}) {
  const { id } = useSession();
  const isMine = userIds.includes(id);
  const names = userIds
    .map((userId) => thread.members.find((member) => member.userId === userId)?.name ?? chatStrings.leaver)
    .join(", ");
  return (
    <button
      type="button"
      disabled={!thread.isMember}
      aria-pressed={isMine}
      aria-label={text.reactedBy(emoji, names)}
      title={names}
      onClick={() => onPress(emoji)}
      className={cx(
        "flex h-6 items-center gap-1 rounded-full border px-2 text-xs",
        isMine ? "border-accent bg-accent/15" : "bg-raised not-disabled:hover:border-muted",
      )}
    >
      <span aria-hidden>{emoji}</span>
      <span aria-hidden>{userIds.length.toLocaleString("en")}</span>
    </button>
  );
}
