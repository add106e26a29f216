import type { Thread } from "@followspot/contract/chat";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { tooLong } from "../lib/text-limits.ts";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { MOST_TITLE } from "./new-thread-dialog.tsx";

const text = chatStrings.rename;

/** Gives a thread another title, or none. */
export function RenameDialog({ thread, onClose }: { readonly thread: Thread; readonly onClose: () => void }) {
  const [title, setTitle] = useState(thread.title);
  const calls = useChatCalls();
  const rename = useMutation({ mutationFn: () => calls.rename(thread.id, title), onSuccess: onClose });
  return (
    <Dialog open title={text.title} dirty={title !== thread.title} onClose={onClose}>
      <form
        noValidate
        className="contents"
        onSubmit={(submission) => {
          submission.preventDefault();
          if (!tooLong(title.length, MOST_TITLE)) rename.mutate();
        }}
      >
        <DialogBody>
          <FormError error={rename.error} />
          <TextField
            autoFocus
            label={text.name}
            hint={chatStrings.newThread.nameHint}
            most={MOST_TITLE}
            value={title}
            onChange={(change) => setTitle(change.target.value)}
          />
        </DialogBody>
        <SaveActions label={text.submit} pending={rename.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
