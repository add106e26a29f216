import { ChatService } from "@followspot/contract/chat";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SendHorizontal } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { errorSentence } from "../lib/errors.ts";
import { useOfKey } from "../lib/key-table.ts";
import { caller } from "../lib/list-source.ts";
import { newKey } from "../lib/new-key.ts";
import { tooLong } from "../lib/text-limits.ts";
import { Button } from "../ui/button.tsx";
import { MESSAGE_KEYS } from "./chat.keys.ts";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { keepMessage } from "./use-live-thread.ts";

const text = chatStrings.composer;
export const MOST_TEXT = 8000;
const MOST_LINES = 8;
/** Minimum interval between typing notifications, ms. */
const TYPING_MS = 3000;

/** Unsent text per thread ID, for the lifetime of the page. */
const drafts = new Map<string, string>();

/** Message input of a thread. A message that fails to send stays in the field. */
export function Composer({ threadId, title }: { readonly threadId: string; readonly title: string }) {
  const [typed, setTyped] = useState(() => drafts.get(threadId) ?? "");
  const transport = useTransport();
  const cache = useQueryClient();
  const calls = useChatCalls();
  const field = useRef<HTMLTextAreaElement>(null);
  /** Last send attempt. A retry of the same text reuses the client ID, because only the response may have been lost. */
  const attempt = useRef({ text: "", clientId: "" });
  const toldAt = useRef(0);

  const write = (next: string) => {
    drafts.set(threadId, next);
    setTyped(next);
  };
  const send = useMutation({
    mutationFn: (what: string) => {
      if (attempt.current.text !== what) attempt.current = { text: what, clientId: newKey() };
      return calls.send(threadId, what, attempt.current.clientId);
    },
    onSuccess: ({ message }) => {
      attempt.current = { text: "", clientId: "" };
      if (message) keepMessage(cache, message);
      write("");
      field.current?.focus();
    },
  });
  const tellTyping = () => {
    if (Date.now() - toldAt.current < TYPING_MS) return;
    toldAt.current = Date.now();
    // A lost typing notification is harmless.
    caller(transport)(ChatService.method.sendTyping, { threadId }).catch(() => undefined);
  };
  const said = tooLong(typed.length, MOST_TEXT);
  const canSend = typed.trim() !== "" && !said && !send.isPending;
  const press = (key: KeyboardEvent) => {
    if (useOfKey(MESSAGE_KEYS, key) !== "send" || key.nativeEvent.isComposing) return;
    key.preventDefault();
    if (canSend) send.mutate(typed);
  };
  return (
    <form
      className="flex shrink-0 flex-col gap-1 border-t p-3"
      onSubmit={(submission) => {
        submission.preventDefault();
        if (canSend) send.mutate(typed);
      }}
    >
      {send.error && (
        <p role="alert" className="text-xs wrap-anywhere text-danger">
          {text.failed(errorSentence(send.error))} {text.again}
        </p>
      )}
      {said && (
        <p role="alert" className="text-xs text-danger">
          {said}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={Math.min(MOST_LINES, typed.split("\n").length)}
          aria-label={text.label}
          placeholder={text.hint(title)}
          title={text.keys}
          value={typed}
          readOnly={send.isPending}
          onChange={(change) => {
            write(change.target.value);
            if (change.target.value.trim() !== "") tellTyping();
          }}
          onKeyDown={press}
          className="min-h-8 min-w-0 flex-1 resize-none rounded-md border bg-bg px-2 py-1.5 placeholder:truncate"
        />
        <Button large type="submit" variant="primary" pending={send.isPending} disabled={!canSend}>
          {!send.isPending && <SendHorizontal aria-hidden size={14} />}
          {send.isPending ? text.sending : text.send}
        </Button>
      </div>
    </form>
  );
}
