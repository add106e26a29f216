import type { Message } from "@followspot/contract/chat";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { useOfKey } from "../lib/key-table.ts";
import { strings } from "../lib/strings.ts";
import { tooLong } from "../lib/text-limits.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/form-error.tsx";
import { MESSAGE_KEYS } from "./chat.keys.ts";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { MOST_TEXT } from "./composer.tsx";
import { keepMessage } from "./use-live-thread.ts";

const text = chatStrings.message;

/** Inline editor of a message. Enter saves, Escape discards the changes. */
export function EditMessage({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const [typed, setTyped] = useState(message.text);
  const calls = useChatCalls();
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: () => calls.edit(message.id, typed),
    onSuccess: ({ message: saved }) => {
      if (saved) keepMessage(cache, saved);
      onClose();
    },
  });
  const said = tooLong(typed.length, MOST_TEXT);
  const canSave = typed.trim() !== "" && !said;
  const press = (key: KeyboardEvent) => {
    const use = useOfKey(MESSAGE_KEYS, key);
    if (use === "cancel") onClose();
    else if (use === "send" && !key.nativeEvent.isComposing && canSave) save.mutate();
    else return;
    key.preventDefault();
  };
  return (
    <div className="flex flex-col gap-2 py-1">
      <FormError error={save.error} />
      <textarea
        // The user just pressed Edit.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        rows={Math.min(8, typed.split("\n").length)}
        aria-label={text.editLabel}
        value={typed}
        onChange={(change) => setTyped(change.target.value)}
        onKeyDown={press}
        className="w-full resize-none rounded-md border bg-bg px-2 py-1.5"
      />
      {said && (
        <p role="alert" className="text-xs text-danger">
          {said}
        </p>
      )}
      <span className="flex gap-2">
        <Button variant="primary" pending={save.isPending} disabled={!canSave} onClick={() => save.mutate()}>
          {save.isPending ? strings.saving : text.save}
        </Button>
        <Button onClick={onClose}>{strings.cancel}</Button>
      </span>
    </div>
  );
}
