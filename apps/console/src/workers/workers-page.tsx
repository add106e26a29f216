import { RefreshCw, RotateCcw } from "lucide-react";
import { useId, type ReactNode } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { byteSize } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, Loading } from "../ui/states.tsx";
import {
  POLL_MS,
  retryTarget,
  streamsProblem,
  useFailures,
  useRetrySong,
  useStreams,
  type Consumer,
  type Failure,
  type Stream,
} from "./workers.queries.ts";

/** Health of the message streams the workers live on. */
export function WorkersPage() {
  const streams = useStreams();
  const failures = useFailures();
  const refresh = (): void => void Promise.all([streams.refetch(), failures.refetch()]);
  return (
    <Page
      title="Message Streaming Dashboard"
      beside={streams.data && <span className="text-muted">{streams.data.count} stream(s) active</span>}
      tools={
        <>
          {streams.dataUpdatedAt > 0 && <LastUpdated at={streams.dataUpdatedAt} isStale={streams.isError} />}
          <Button onClick={refresh}>
            <RefreshCw aria-hidden size={14} /> Refresh
          </Button>
        </>
      }
    >
      {streams.isError && (
        <p role="alert" className="rounded-lg border border-danger px-3 py-2 text-danger">
          {streamsProblem(streams.error)}
        </p>
      )}
      {streams.isPending && <Loading rows={3} />}
      {streams.data?.streams.length === 0 && (
        <EmptyState text="No streams found. Make sure the streaming service (NATS) is running." />
      )}
      <div className="grid shrink-0 grid-cols-[repeat(auto-fit,minmax(min(100%,380px),1fr))] items-start gap-3">
        {streams.data?.streams.map((stream) => (
          <StreamCard key={stream.name} stream={stream} />
        ))}
      </div>
      {!failures.isPending && <RecentFailures failures={failures.data ?? []} />}
    </Page>
  );
}

function LastUpdated({ at, isStale }: { readonly at: number; readonly isStale: boolean }) {
  return (
    <span className={isStale ? "text-xs text-warn" : "text-xs text-muted"}>
      {isStale ? "Not up to date since " : "Last updated "}
      <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString("en-US")}</time>, every{" "}
      {POLL_MS / 1000} s
    </span>
  );
}

function StreamCard({ stream }: { readonly stream: Stream }) {
  const heading = useId();
  const pending = stream.consumerDetails.reduce((sum, consumer) => sum + consumer.numPending, 0);
  return (
    <article aria-labelledby={heading} className="flex flex-col gap-3 rounded-lg border border-border bg-surface p-4">
      <header className="flex items-baseline justify-between gap-3">
        <h2 id={heading} className="font-mono text-sm font-semibold wrap-anywhere">
          {stream.name}
        </h2>
        <span className={pending > 0 ? "text-xs text-warn" : "text-xs text-muted"}>
          {pending > 0 ? `${count(pending)} waiting` : "Nothing waiting"}
        </span>
      </header>
      <dl className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-4">
        <Figure name="Messages">{count(stream.messages)}</Figure>
        <Figure name="Size">{byteSize(stream.bytes)}</Figure>
        <Figure name="Consumers">{count(stream.consumers)}</Figure>
        <Figure name="Sequence">
          {stream.firstSeq} - {stream.lastSeq}
        </Figure>
      </dl>
      <section>
        <h3 className="mb-1 text-xs text-muted">Subjects</h3>
        <ul className="flex flex-wrap gap-1">
          {stream.subjects.map((subject) => (
            <li key={subject} className="rounded bg-raised px-1.5 font-mono text-xs wrap-anywhere">
              {subject}
            </li>
          ))}
        </ul>
      </section>
      {stream.consumerDetails.length > 0 && (
        <section>
          <h3 className="mb-1 text-xs text-muted">Consumers</h3>
          <ul
            tabIndex={0}
            aria-label={`Consumers of ${stream.name}`}
            className="flex max-h-[12rem] flex-col overflow-auto rounded-md border border-border"
          >
            {stream.consumerDetails.map((consumer) => (
              <ConsumerRow key={consumer.name} consumer={consumer} />
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

function ConsumerRow({ consumer }: { readonly consumer: Consumer }) {
  return (
    <li className="border-b border-border px-3 py-1.5 last:border-b-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-mono text-xs wrap-anywhere">{consumer.name}</span>
        {consumer.filterSubject && (
          <span className="font-mono text-xs text-muted wrap-anywhere">Filter: {consumer.filterSubject}</span>
        )}
      </p>
      <p className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span>Delivered: {count(consumer.delivered)}</span>
        <span className={consumer.numPending > 0 ? "text-warn" : undefined}>Pending: {count(consumer.numPending)}</span>
        <span>Ack: {count(consumer.ackPending)}</span>
      </p>
    </li>
  );
}

function RecentFailures({ failures }: { readonly failures: readonly Failure[] }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="shrink-0 rounded-lg border border-border bg-surface">
      <h2 id={heading} className="border-b border-border px-4 py-2.5 text-sm font-semibold">
        Recent Failures {failures.length > 0 && <span className="font-normal text-danger">{failures.length}</span>}
      </h2>
      {failures.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">No failures recorded</p>
      ) : (
        <ul tabIndex={0} aria-labelledby={heading} className="max-h-[400px] overflow-auto">
          {failures.map((failure, i) => (
            <FailureRow key={`${failure.subject}:${JSON.stringify(failure.data)}:${i}`} failure={failure} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FailureRow({ failure }: { readonly failure: Failure }) {
  const retry = useRetrySong();
  const target = retryTarget(failure);
  return (
    <li className="border-b border-border px-4 py-3 last:border-b-0">
      <div className="mb-1.5 flex items-center justify-between gap-3">
        <span className="font-mono text-xs text-danger wrap-anywhere">{failure.subject}</span>
        <span className="flex items-center gap-2">
          <span role="status" className="text-xs text-ok">
            {retry.isSuccess && "Queued again"}
          </span>
          {target && (
            <Button
              pending={retry.isPending}
              aria-label={`Retry ${target.step} of song ${target.songId}`}
              onClick={() => retry.mutate(target)}
            >
              <RotateCcw aria-hidden size={14} /> Retry
            </Button>
          )}
        </span>
      </div>
      {retry.isError && (
        <p role="alert" className="mb-1.5 text-xs text-danger">
          {plainErrorText(retry.error)}
        </p>
      )}
      <pre className="overflow-x-auto rounded-md bg-raised px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        {JSON.stringify(failure.data, null, 2)}
      </pre>
    </li>
  );
}

const count = (n: number): string => n.toLocaleString("en");
