import { useId } from "react";
import { byteSize, dateTime, relativeTime } from "../lib/formatting.ts";
import { Status } from "../ui/status.tsx";
import type { LastBackup } from "./workers.queries.ts";
import { workersStrings as text } from "./workers.strings.ts";

/** Time and size of the last backup, and the error of a later failed one. */
export function BackupCard({ backup: { taken, failed } }: { readonly backup: LastBackup }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="shrink-0 rounded-lg border border-border bg-surface">
      <h2 id={heading} className="border-b border-border px-4 py-2.5 text-sm font-semibold">
        {text.backups}
      </h2>
      <div className="flex flex-col gap-1 px-4 py-3">
        {failed && (
          <p className="text-sm wrap-anywhere text-danger">
            {text.backupFailed(relativeTime(new Date(failed.at)), failed.problem)}
          </p>
        )}
        {taken ? (
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Status tone={failed ? "wait" : "ok"}>
              <time dateTime={taken.takenAt} title={dateTime(new Date(taken.takenAt))}>
                {text.lastBackup(relativeTime(new Date(taken.takenAt)), byteSize(taken.bytes))}
              </time>
            </Status>
            <span className="font-mono text-xs text-muted wrap-anywhere">{taken.folder}</span>
          </p>
        ) : (
          <>
            <Status tone="wait">{text.noBackup}</Status>
            <p className="text-sm text-muted wrap-anywhere">{text.noBackupHint}</p>
          </>
        )}
      </div>
    </section>
  );
}
