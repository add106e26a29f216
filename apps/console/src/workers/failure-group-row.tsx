import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import type { FailureGroup } from "@followspot/contract/queues";
import { ChevronRight, RotateCcw, X } from "lucide-react";
import { useId, useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { dateTime, relativeTime } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { cx } from "../ui/class-names.ts";
import { Loading } from "../ui/states.tsx";
import type { Dismissing } from "./dismissing.tsx";
import { FailureRow } from "./failure-row.tsx";
import { shown, useFailuresOf, useRetryGroup } from "./failures.queries.ts";
import { failuresStrings as text } from "./failures.strings.ts";

interface GroupProps {
  readonly group: FailureGroup;
  /** Search query. Rows and retries include only matching failures. */
  readonly query: string;
  readonly dismissing: Dismissing;
}

/** Expandable row for many failures with the same cause. */
export function FailureGroupRow({ group, query, dismissing }: GroupProps) {
  const { key, reason, subject, count, retryable, firstAt, lastAt, newest } = group;
  const rows = useId();
  const [isOpen, setOpen] = useState(false);
  const retry = useRetryGroup(group, query);
  const all = { count, cause: { key, upTo: newest?.sequence ?? 0n } };
  return (
    <li className="border-b border-border last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5">
        <span className="mt-1">
          <Checkbox
            aria-label={text.select(reason)}
            checked={dismissing.selected.has(key)}
            onChange={(change) => dismissing.select(key, all, change.target.checked)}
          />
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? rows : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 basis-56 items-start gap-2 rounded-md text-left"
        >
          <ChevronRight aria-hidden size={14} className={cx("mt-1 shrink-0 text-muted", isOpen && "rotate-90")} />
          <span className="min-w-8 shrink-0 rounded bg-danger/15 px-1.5 text-center text-danger tabular-nums">
            {count.toLocaleString("en")}
          </span>
          <span className="min-w-0">
            <span className={cx("block wrap-anywhere", !isOpen && "line-clamp-2")}>{reason}</span>
            <span className="flex flex-wrap gap-x-3 text-xs text-muted">
              <span className="font-mono wrap-anywhere">{subject}</span>
              <span title={`${exactly(firstAt)} – ${exactly(lastAt)}`}>{text.between(ago(firstAt), ago(lastAt))}</span>
            </span>
          </span>
        </button>
        {retryable > 0 && (
          // Not disabled while pending, so that it keeps the focus.
          <Button
            aria-busy={retry.isPending}
            aria-label={text.retryAllOf(reason)}
            onClick={() => !retry.isPending && retry.mutate()}
          >
            <RotateCcw aria-hidden size={14} /> {text.retryAll}
          </Button>
        )}
        <Button aria-label={text.dismissOf(reason)} onClick={() => dismissing.ask([all])}>
          <X aria-hidden size={14} /> {text.dismiss}
        </Button>
        <p role="status" className="text-xs text-ok empty:hidden max-sm:w-full">
          {retry.isPending && text.retrying(retry.looked, count)}
          {retry.data && text.retriedAll(retry.data.retried, retry.data.recovered, retry.data.deleted)}
        </p>
        {retry.isError && (
          <p role="alert" className="w-full text-xs text-danger">
            {plainErrorText(retry.error)}
          </p>
        )}
      </div>
      {isOpen && (
        <div id={rows} role="region" aria-label={text.rowsOf(count, reason)} className="border-t border-border pl-4">
          <GroupRows group={group} query={query} dismissing={dismissing} />
        </div>
      )}
    </li>
  );
}

function GroupRows({ group, query, dismissing }: GroupProps) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useFailuresOf(group.key, query);
  if (isPending) return <Loading rows={2} />;
  return (
    <>
      {error && (
        <p role="alert" className="px-4 py-2 text-xs text-danger">
          {plainErrorText(error)}
        </p>
      )}
      <ul>
        {data?.pages.flatMap(({ failures }) =>
          failures.map((failure) => (
            <FailureRow key={String(failure.sequence)} failure={shown(failure)} dismissing={dismissing} />
          )),
        )}
      </ul>
      {hasNextPage && (
        <p className="px-4 py-2">
          <Button aria-busy={isFetchingNextPage} onClick={() => !isFetchingNextPage && void fetchNextPage()}>
            {text.more}
          </Button>
        </p>
      )}
    </>
  );
}

const ago = (at: Timestamp | undefined): string => (at ? relativeTime(timestampDate(at)) : "");
const exactly = (at: Timestamp | undefined): string => (at ? dateTime(timestampDate(at)) : "");
