import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useMutation } from "@connectrpc/connect-query";
import { QueuesService } from "@followspot/contract/queues";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { errorSentence } from "../lib/errors.ts";
import { untilTime } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { queueActionsStrings as text } from "./queue-actions.strings.ts";
import { useRefresh } from "./workers.queries.ts";

const MINUTE_MS = 60_000;
const LONGEST_MS = 24 * 60 * MINUTE_MS;
const AT_A_TIME = "time";

interface PauseProps {
  readonly queue: string;
  /** ISO time until which the queue is paused; empty if it is not. */
  readonly pausedUntil: string;
}

/** Pause state of a queue on a consumer's row, with a button to pause or resume it. */
export function PauseControl({ queue, pausedUntil }: PauseProps) {
  const [isAsking, setAsking] = useState(false);
  const refresh = useRefresh();
  const resume = useMutation(QueuesService.method.resumeQueue, { onSettled: refresh });
  const isPaused = pausedUntil !== "";
  return (
    <>
      {isPaused && (
        <span className="text-xs font-medium text-warn">{text.paused(untilTime(new Date(pausedUntil)))}</span>
      )}
      {/* One button for both actions, never disabled, so that it keeps the focus. */}
      <Button
        key="button"
        aria-label={isPaused ? text.resumeOf(queue) : text.pauseOf(queue)}
        aria-busy={resume.isPending}
        onClick={() => {
          if (!isPaused) setAsking(true);
          else if (!resume.isPending) resume.mutate({ queue });
        }}
      >
        {isPaused ? <Play aria-hidden size={14} /> : <Pause aria-hidden size={14} />}{" "}
        {isPaused ? text.resume : text.pause}
      </Button>
      {isAsking && <PauseDialog queue={queue} onClose={() => setAsking(false)} />}
      {resume.isError && (
        <span role="alert" className="w-full text-xs text-danger">
          {text.resumeFailed(errorSentence(resume.error))}
        </span>
      )}
    </>
  );
}

function PauseDialog({ queue, onClose }: { readonly queue: string; readonly onClose: () => void }) {
  const [length, setLength] = useState("60");
  const [time, setTime] = useState("");
  const [isMissing, setMissing] = useState(false);
  const refresh = useRefresh();
  const pause = useMutation(QueuesService.method.pauseQueue, {
    onSuccess: () => {
      refresh();
      onClose();
    },
  });
  const submit = () => {
    const until = length === AT_A_TIME ? new Date(time) : new Date(Date.now() + Number(length) * MINUTE_MS);
    const wait = until.getTime() - Date.now();
    if (!(wait > 0 && wait <= LONGEST_MS)) return setMissing(true);
    setMissing(false);
    pause.mutate({ queue, until: timestampFromDate(until) });
  };
  return (
    <FormDialog
      title={text.pauseOf(queue)}
      submitLabel={text.pauseLabel}
      pendingLabel={text.pausing}
      pending={pause.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={pause.error} />
      <p className="text-sm text-muted">{text.pauseWhat[queue]}</p>
      <SelectField label={text.howLong} value={length} onChange={(change) => setLength(change.target.value)}>
        {Object.entries(text.lengths).map(([minutes, name]) => (
          <option key={minutes} value={minutes}>
            {name}
          </option>
        ))}
        <option value={AT_A_TIME}>{text.untilTime}</option>
      </SelectField>
      {length === AT_A_TIME && (
        <TextField
          label={text.until}
          hint={text.untilHint}
          error={isMissing ? text.untilMissing : undefined}
          type="datetime-local"
          value={time}
          onChange={(change) => setTime(change.target.value)}
        />
      )}
    </FormDialog>
  );
}
