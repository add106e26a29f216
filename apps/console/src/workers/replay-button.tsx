import { useMutation } from "@connectrpc/connect-query";
import { STREAMS } from "@followspot/contract";
import { QueuesService, type Message } from "@followspot/contract/queues";
import { Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { errorSentence } from "../lib/errors.ts";
import { jsonProblem } from "../lib/json-problem.ts";
import { newKey } from "../lib/new-key.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogBody } from "../ui/dialog.tsx";
import { TextAreaField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Loading } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { useMessage } from "./messages.queries.ts";
import { replayStrings as text } from "./replay.strings.ts";
import { useRefresh } from "./workers.queries.ts";

const FAILURES = STREAMS.failures.name;

interface ReplayProps {
  readonly stream: string;
  readonly sequence: bigint;
}

/** Button that opens a message's payload in an editor to send it again; for a failure, the job to restart. */
export function ReplayButton(message: ReplayProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button aria-label={text.editOf(String(message.sequence), message.stream)} onClick={() => setOpen(true)}>
        <Pencil aria-hidden size={14} /> {text.edit}
      </Button>
      {isOpen && <ReadMessage {...message} onClose={close} />}
    </>
  );
}

/** Loads the message and shows the editor, or the reason why it cannot be edited. */
function ReadMessage({ stream, sequence, onClose }: ReplayProps & { readonly onClose: () => void }) {
  const { data, error, isPending } = useMessage(stream, sequence);
  const message = data?.message;
  const isJob = stream === FAILURES;
  if (message && isJob && message.job !== "")
    return <ReplayDialog isJob stream={stream} message={message} body={message.job} onClose={onClose} />;
  if (message?.kind === "json" && !message.isCut && !isJob)
    return <ReplayDialog stream={stream} message={message} body={message.body} onClose={onClose} />;
  const why = error ? errorSentence(error) : isJob ? text.noJob : message?.isCut ? text.isCut : text.notJson;
  return (
    <Dialog open title={text.editOf(String(sequence), stream)} onClose={onClose}>
      <DialogBody>{isPending ? <Loading rows={3} /> : <p role="alert">{why}</p>}</DialogBody>
    </Dialog>
  );
}

interface DialogProps {
  readonly stream: string;
  readonly message: Message;
  /** Text to edit. */
  readonly body: string;
  /** Whether the text is a failure's job to restart, not a message. */
  readonly isJob?: boolean;
  readonly onClose: () => void;
}

const REST_MS = 700;

/** Whether a text has not changed for `REST_MS`. */
function useIsAtRest(text: string): boolean {
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested === text;
}

function ReplayDialog({ stream, message: { sequence, subject }, body, isJob = false, onClose }: DialogProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState(body);
  const [isSent, setSent] = useState(false);
  // Idempotency key: retries of a request that reached the server send nothing twice.
  const [replayId] = useState(newKey);
  const refresh = useRefresh();
  const replay = useMutation(QueuesService.method.replayMessage, {
    onSuccess: (answer) => {
      refresh();
      onClose();
      showToast(isJob ? text.started(answer.subject) : text.sent(answer.subject));
    },
  });
  const isAtRest = useIsAtRest(typed);
  // Shown after the first attempt and whenever typing pauses; removed as soon as the text is valid.
  const problem = isSent || isAtRest ? jsonProblem(typed) : undefined;
  const submit = () => {
    setSent(true);
    const wrong = jsonProblem(typed);
    if (!wrong) return replay.mutate({ stream, sequence, body: typed, replayId });
    area.current?.focus();
    area.current?.setSelectionRange(wrong.at, wrong.at);
  };
  return (
    <FormDialog
      wide
      title={text.editOf(String(sequence), stream)}
      dirty={typed !== body}
      submitLabel={text.replay}
      pendingLabel={text.replaying}
      pending={replay.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={replay.error} />
      <p className="text-sm wrap-anywhere text-muted">{isJob ? text.startsAgain : text.goesTo(subject)}</p>
      <TextAreaField
        ref={area}
        label={isJob ? text.job : text.payload}
        hint={body.includes("******") ? text.hidden : isJob ? text.jobHint : undefined}
        error={problem && text.badJson(problem.line, problem.column, problem.expected)}
        rows={isJob ? 6 : 16}
        spellCheck={false}
        className="font-mono text-xs"
        value={typed}
        onChange={(change) => setTyped(change.target.value)}
      />
    </FormDialog>
  );
}
