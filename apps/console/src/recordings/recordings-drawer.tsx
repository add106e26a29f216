import { RecordingService, type Recording } from "@followspot/contract/recording";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { serverPath } from "../lib/base-path.ts";
import { byteSize, dateTime, songDuration, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { DeleteDialog, sayWhy } from "../ui/delete-dialog.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { useRecordingCalls, useRecordings } from "./recordings.queries.ts";
import { recordingStrings as text } from "./recordings.strings.ts";

/** Refetch interval while the drawer is open, ms. */
const EVERY_MS = 1000;

/** List of recordings, with replay, download and delete. */
export function RecordingsDrawer({ onClose }: { readonly onClose: () => void }) {
  const recordings = useRecordings(EVERY_MS);
  const calls = useRecordingCalls();
  const [leaving, setLeaving] = useState<Recording>();
  const rows = recordings.data?.recordings ?? [];
  return (
    <Drawer wide title={text.title} onClose={onClose}>
      {recordings.data && recordings.data.replayProblem !== "" && (
        <p role="alert" className="px-4 pt-3 text-xs wrap-anywhere text-danger">
          {recordings.data.replayProblem}
        </p>
      )}
      {recordings.isPending ? (
        <Loading rows={3} />
      ) : recordings.isError ? (
        <ErrorState prefix={text.loadError} error={recordings.error} onRetry={() => void recordings.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : (
        <>
          <p className="border-b px-4 py-2 text-xs text-muted">{text.replayHint}</p>
          <ul aria-label={text.title}>
            {rows.map((recording) => (
              <RecordingRow
                key={recording.id}
                recording={recording}
                position={recordings.data.replayedId === recording.id ? recordings.data.replayPosition : undefined}
                calls={calls}
                onDelete={() => setLeaving(recording)}
              />
            ))}
          </ul>
        </>
      )}
      {leaving && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(titleOf(leaving))}
          done={text.deleted(titleOf(leaving))}
          remove={() => calls.remove(leaving.id)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Drawer>
  );
}

function RecordingRow({
  recording,
  position,
  calls,
  onDelete,
}: {
  readonly recording: Recording;
  /** Elapsed time of the replay, s; undefined while it is not replayed. */
  readonly position: number | undefined;
  readonly calls: ReturnType<typeof useRecordingCalls>;
  readonly onDelete: () => void;
}) {
  const can = useCan();
  const isRunning = recording.state === "recording";
  const titleId = rowTitleId(recording.id);
  return (
    <li className="flex flex-col gap-1 border-b px-4 py-3 last:border-b-0" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span id={titleId} className="min-w-0 font-medium wrap-anywhere">
          {titleOf(recording)}
        </span>
        <span className="text-xs tabular-nums">
          {position !== undefined ? (
            <Status tone="ok">{text.replaying(position)}</Status>
          ) : (
            recording.state !== "whole" && (
              <Status tone={isRunning ? "bad" : "wait"}>{text.states[recording.state] ?? recording.state}</Status>
            )
          )}
        </span>
        <span className="ml-auto flex items-center gap-1.5">
          {position !== undefined ? (
            <Button
              aria-describedby={titleId}
              pending={calls.stopReplay.isPending}
              onClick={() => calls.stopReplay.mutate(undefined, { onError: sayWhy })}
            >
              {text.stopReplay}
            </Button>
          ) : (
            <Button
              aria-describedby={titleId}
              disabled={isRunning}
              pending={calls.startReplay.isPending && calls.startReplay.variables === recording.id}
              onClick={() => calls.startReplay.mutate(recording.id, { onError: sayWhy })}
            >
              {text.replay}
            </Button>
          )}
          {!isRunning && (
            <a
              href={serverPath(`/api/recordings/${recording.id}`)}
              download
              title={text.downloadHint}
              aria-describedby={titleId}
              className="rounded-md border bg-raised px-2.5 py-1 text-sm hover:border-border-strong"
            >
              {text.download}
            </a>
          )}
          {can(RecordingService.method.deleteRecording) && (
            <Button
              variant="danger"
              aria-describedby={titleId}
              disabled={isRunning || position !== undefined}
              onClick={onDelete}
            >
              {strings.delete}
            </Button>
          )}
        </span>
      </div>
      <p className="text-xs wrap-anywhere text-muted tabular-nums">{factsOf(recording)}</p>
      {recording.problem !== "" && <p className="text-xs wrap-anywhere text-muted">{recording.problem}</p>}
      {recording.isPatchChanged && <p className="text-xs wrap-anywhere text-warn">{text.patchChanged}</p>}
    </li>
  );
}

function whenOf({ startedAt }: Recording): string {
  const at = toDate(startedAt);
  return at ? dateTime(at) : "";
}

const titleOf = (recording: Recording) => text.nameOf(recording.name, whenOf(recording));

function factsOf(recording: Recording): string {
  const { name, startedBy, seconds, universes, bytes } = recording;
  const when = name === "" ? "" : whenOf(recording); // an unnamed recording has the date as its title
  return text.facts(when, startedBy, songDuration(seconds), universes.length, byteSize(Number(bytes)));
}
