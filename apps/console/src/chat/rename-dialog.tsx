import type { Thread } from "@followspot/contract/chat";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { tooLong } from "../lib/text-limits.ts";
import { TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { MOST_TITLE } from "./new-thread-dialog.tsx";

const text = chatStrings.rename;

/** Dialog that changes or removes the title of a thread. */
export function RenameDialog({ thread, onClose }: { readonly thread: Thread; readonly onClose: () => void }) {
  const [title, setTitle] = useState(thread.title);
  const calls = useChatCalls();
  const rename = useMutation({ mutationFn: () => calls.rename(thread.id, title), onSuccess: onClose });
  return (
    <FormDialog
      title={text.title}
      dirty={title !== thread.title}
      submitLabel={text.submit}
      pending={rename.isPending}
      onSubmit={() => {
        if (!tooLong(title.length, MOST_TITLE)) rename.mutate();
      }}
      onClose={onClose}
    >
      <FormError error={rename.error} />
      <TextField
        autoFocus
        label={text.name}
        hint={chatStrings.newThread.nameHint}
        most={MOST_TITLE}
        value={title}
        onChange={(change) => setTitle(change.target.value)}
      />
    </FormDialog>
  );
}
