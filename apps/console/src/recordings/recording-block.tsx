import { useState } from "react";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { TOUCH } from "../ui/touch.ts";
import { RecordingsDrawer } from "./recordings-drawer.tsx";
import { useRecordingCalls, useRecordings } from "./recordings.queries.ts";
import { recordingStrings as text } from "./recordings.strings.ts";

const EVERY_MS = 2000;

/** Button that starts and stops a recording, and a button that opens the list of recordings. */
export function RecordingBlock() {
  const told = useRecordings(EVERY_MS).data;
  const { start, stop } = useRecordingCalls();
  const [isOpen, setOpen] = useState(false);
  const running = told?.recordings.find(({ state }) => state === "recording");
  const isPending = start.isPending || stop.isPending;
  const toggle = () => (running ? stop.mutate(undefined, { onError: sayWhy }) : start.mutate("", { onError: sayWhy }));
  return (
    <section aria-label={text.block} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{text.block}</h2>
      <div className="grid grid-cols-2 gap-2">
        <button
          type="button"
          aria-pressed={running !== undefined}
          disabled={isPending || !told}
          onClick={toggle}
          className={`${TOUCH} ${running ? "border-danger bg-raised text-danger" : "border-border bg-raised"}`}
        >
          <span aria-hidden className={`size-3 bg-danger ${running ? "" : "rounded-full"}`} />
          {start.isPending ? text.starting : stop.isPending ? text.stopping : running ? text.stop : text.record}
        </button>
        <button type="button" onClick={() => setOpen(true)} className={`${TOUCH} border-border bg-raised`}>
          {text.open(told?.recordings.length ?? 0)}
        </button>
      </div>
      <p className="text-xs text-muted tabular-nums" role="status">
        {running ? text.running(running.seconds) : told?.replayedId ? text.replaying(told.replayPosition) : text.hint}
      </p>
      {isOpen && <RecordingsDrawer onClose={() => setOpen(false)} />}
    </section>
  );
}
