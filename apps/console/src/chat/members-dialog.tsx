import { ChatService, type Thread, type ThreadMember } from "@followspot/contract/chat";
import { UserRound } from "lucide-react";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { Button } from "../ui/button.tsx";
import { DeleteDialog, sayWhy } from "../ui/delete-dialog.tsx";
import { Dialog, DialogBody } from "../ui/dialog.tsx";
import { PeoplePicker } from "../ui/people-picker.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { MEMBERS } from "./find-people.ts";

const text = chatStrings.members;

/** Member list of a thread. Members can add users; the thread's creator and moderators can remove them. */
export function MembersDialog({ thread, onClose }: { readonly thread: Thread; readonly onClose: () => void }) {
  const { id } = useSession();
  const mayModerate = useCan()(ChatService.method.listAllThreads);
  const calls = useChatCalls();
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<ThreadMember>();
  const canRemove = mayModerate || (thread.isMember && thread.createdBy === id);
  return (
    <Dialog open title={text.title} onClose={onClose}>
      <DialogBody>
        <ul aria-label={text.title} className="flex max-h-72 flex-col overflow-auto">
          {thread.members.map((member) => (
            <li key={member.userId} className="flex items-center gap-3 py-1">
              <Thumbnail round src={member.photoUrl} fallback={<UserRound size={16} />} />
              <span id={`member-${member.userId}`} className="min-w-0 flex-1 truncate">
                {member.name}
              </span>
              {canRemove && member.userId !== id && (
                <Button
                  variant="danger"
                  aria-describedby={`member-${member.userId}`}
                  onClick={() => setLeaving(member)}
                >
                  {text.remove}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {thread.isMember &&
          (isAdding ? (
            <PeoplePicker
              source={MEMBERS}
              text={chatStrings.newThread}
              except={thread.memberIds}
              onChoose={({ id }) => void calls.add(thread.id, id).catch(sayWhy)}
            />
          ) : (
            <Button className="self-start" onClick={() => setAdding(true)}>
              {text.add}
            </Button>
          ))}
        {leaving && (
          <DeleteDialog
            title={text.removeTitle}
            question={text.removeQuestion(leaving.name)}
            label={text.remove}
            pendingLabel={text.removing}
            done={text.removed(leaving.name)}
            remove={() => calls.remove(thread.id, leaving.userId)}
            onClose={() => setLeaving(undefined)}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}

/** Asks for confirmation before the user leaves the thread. */
export function LeaveDialog({
  thread,
  title,
  onClose,
  onLeft,
}: {
  readonly thread: Thread;
  readonly title: string;
  readonly onClose: () => void;
  readonly onLeft: () => void;
}) {
  const { id } = useSession();
  const calls = useChatCalls();
  return (
    <DeleteDialog
      title={text.leaveTitle}
      question={text.leaveQuestion(title)}
      label={text.leave}
      pendingLabel={text.leaving}
      done={text.left(title)}
      remove={async () => {
        await calls.remove(thread.id, id);
        onLeft();
      }}
      onClose={onClose}
    />
  );
}
