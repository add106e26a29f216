import { Link } from "@tanstack/react-router";
import { RotateCcw, X } from "lucide-react";
import { isNotFound, plainErrorText } from "../lib/errors.ts";
import { useRetrySong } from "../lib/retry-song.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import type { Dismissing } from "./dismissing.tsx";
import { retryTarget, songTitle, type ShownFailure } from "./failures.queries.ts";
import { failuresStrings as text } from "./failures.strings.ts";
import { ReplayButton } from "./replay-button.tsx";

/** Failure with its song, details and a retry; it can be dismissed if its sequence number is known. */
export function FailureRow({
  failure,
  dismissing,
}: {
  readonly failure: ShownFailure;
  readonly dismissing?: Dismissing;
}) {
  const retry = useRetrySong();
  const isGone = isNotFound(retry.error);
  const target = isGone ? undefined : retryTarget(failure);
  const { sequence } = failure;
  const one = sequence === undefined ? undefined : { count: 1, sequence };
  const name = `${failure.subject} ${sequence}`;
  return (
    <li className="border-b border-border px-4 py-3 last:border-b-0">
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="flex items-center gap-2">
          {one && dismissing && (
            <Checkbox
              aria-label={text.select(name)}
              checked={dismissing.selected.has(name)}
              onChange={(change) => dismissing.select(name, one, change.target.checked)}
            />
          )}
          <span className="flex flex-wrap items-baseline gap-x-2">
            {target && (
              <Link to="/music" search={{ open: `steps.${target.songId}` }} className="font-medium underline">
                {songTitle(failure) || text.song}
              </Link>
            )}
            <span className="font-mono text-xs text-danger wrap-anywhere">{failure.subject}</span>
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-2">
          <span role="status" className="text-xs text-ok empty:hidden">
            {retry.isSuccess && text.queued}
          </span>
          {target && failure.sequence !== undefined && <ReplayButton stream="FAILURES" sequence={failure.sequence} />}
          {target && (
            <Button
              pending={retry.isPending}
              aria-label={text.retryOf(target.step, target.songId)}
              onClick={() => retry.mutate(target)}
            >
              <RotateCcw aria-hidden size={14} /> {text.retry}
            </Button>
          )}
          {one && dismissing && (
            <Button aria-label={text.dismissOf(name)} onClick={() => dismissing.ask([one])}>
              <X aria-hidden size={14} /> {text.dismiss}
            </Button>
          )}
        </span>
      </div>
      {retry.isError && (
        <p role="alert" className="mb-1.5 text-xs text-danger">
          {isGone ? text.songDeleted : plainErrorText(retry.error)}
        </p>
      )}
      <pre className="overflow-x-auto rounded-md bg-raised px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        {JSON.stringify(failure.data, null, 2)}
      </pre>
    </li>
  );
}
