import { STREAMS } from "@followspot/contract";
import { List, RefreshCw } from "lucide-react";
import { useId, useRef, type ReactNode } from "react";
import { byteSize } from "../lib/formatting.ts";
import { isDenied } from "../lib/errors.ts";
import { useServerHealth } from "../lib/server-health.ts";
import { Button } from "../ui/button.tsx";
import { HealthNotices } from "../ui/health-notices.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, Loading } from "../ui/states.tsx";
import { BackupCard } from "./backup-card.tsx";
import { Downloaders } from "./downloaders.tsx";
import { failuresStrings } from "./failures.strings.ts";
import { LagLine } from "./lag-line.tsx";
import { MessageBrowser } from "./message-browser.tsx";
import { placeOf, textOfPlace } from "./message-place.ts";
import { messagesStrings } from "./messages.strings.ts";
import { PauseControl } from "./pause-control.tsx";
import { PurgeControl } from "./purge-control.tsx";
import { RecentFailures } from "./recent-failures.tsx";
import { SongWorkers } from "./song-workers.tsx";
import { Venues } from "./venues.tsx";
import { POLL_MS, streamsProblem, useRefresh, useStreams, type Consumer, type Stream } from "./workers.queries.ts";
import type { WorkersSearch } from "./workers-search.ts";
import { workersStrings as text } from "./workers.strings.ts";

interface Props {
  readonly search: WorkersSearch;
  readonly onSearch: (search: WorkersSearch) => void;
}

/** Status of message streams, failures, workers, venues, downloaders and backups. */
export function StreamsAndFailures({ search, onSearch }: Props) {
  const streams = useStreams();
  const refresh = useRefresh();
  const failures = useRef<HTMLDivElement>(null);
  const failed = streams.data?.streams.find(({ name }) => name === STREAMS.failures.name)?.messages ?? 0;
  return (
    <Page
      title={text.title}
      beside={
        streams.data && (
          <>
            <span className="text-muted">{text.active(streams.data.count)}</span>
            {failed > 0 && (
              <Button variant="danger" onClick={() => failures.current?.scrollIntoView()}>
                {failuresStrings.toFailures(failed)}
              </Button>
            )}
          </>
        )
      }
      tools={
        <>
          {streams.dataUpdatedAt > 0 && <LastUpdated at={streams.dataUpdatedAt} isStale={streams.isError} />}
          <Button onClick={refresh}>
            <RefreshCw aria-hidden size={14} /> {text.refresh}
          </Button>
        </>
      }
    >
      <HealthNotices mayResume={!isDenied(streams.error)} health={useServerHealth()} />
      {streams.isError && (
        <p role="alert" className="rounded-lg border border-danger px-3 py-2 text-danger">
          {streamsProblem(streams.error)}
        </p>
      )}
      {streams.isPending && <Loading rows={3} />}
      {streams.data?.streams.length === 0 && <EmptyState text={text.noStreams} />}
      <div className="grid shrink-0 grid-cols-[repeat(auto-fit,minmax(min(100%,255px),1fr))] gap-3">
        {streams.data?.streams.map((stream) => (
          <StreamCard
            key={stream.name}
            stream={stream}
            readAt={streams.dataUpdatedAt}
            onOpen={() => onSearch({ stream: stream.name })}
          />
        ))}
      </div>
      <div className="grid shrink-0 items-start gap-3 lg:grid-cols-[3fr_2fr]">
        <div ref={failures} className="min-w-0">
          <RecentFailures />
        </div>
        <SongWorkers />
      </div>
      <div className="grid shrink-0 items-start gap-3 lg:grid-cols-3">
        <Venues />
        <Downloaders />
        {streams.data?.backup && <BackupCard backup={streams.data.backup} />}
      </div>
      {search.stream !== undefined && (
        <MessageBrowser
          stream={search.stream}
          subject={search.subject ?? ""}
          from={placeOf(search.from)}
          onGo={(from, subject) => onSearch({ ...search, subject: subject || undefined, from: textOfPlace(from) })}
          onClose={() => onSearch({})}
        />
      )}
    </Page>
  );
}

function LastUpdated({ at, isStale }: { readonly at: number; readonly isStale: boolean }) {
  return (
    <span className={isStale ? "text-xs text-warn" : "text-xs text-muted"}>
      {isStale ? text.notUpdated : text.updated}{" "}
      <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString("en-US")}</time>,{" "}
      {text.every(POLL_MS / 1000)}
    </span>
  );
}

function StreamCard({
  stream,
  readAt,
  onOpen,
}: {
  readonly stream: Stream;
  /** Time at which it was loaded, ms. */
  readonly readAt: number;
  readonly onOpen: () => void;
}) {
  const heading = useId();
  const pending = stream.waiting ?? stream.consumerDetails.reduce((sum, consumer) => sum + consumer.numPending, 0);
  return (
    <article aria-labelledby={heading} className="flex flex-col gap-3 rounded-lg border border-border bg-surface p-4">
      <header className="flex items-baseline justify-between gap-3">
        <h2 id={heading} className="font-mono text-sm font-semibold wrap-anywhere">
          {stream.name}
        </h2>
        <span className={pending > 0 ? "text-xs text-warn" : "text-xs text-muted"}>
          {pending > 0 ? text.waiting(count(pending)) : text.nothingWaiting}
        </span>
      </header>
      {stream.consumers > 0 && stream.waiting !== undefined && (
        <LagLine
          waiting={stream.waiting}
          oldestWaitingAt={stream.oldestWaitingAt ?? ""}
          trend={stream.trend ?? []}
          readAt={readAt}
        />
      )}
      <dl className="grid grid-cols-2 gap-x-3 gap-y-2">
        <Figure name={text.messages}>{count(stream.messages)}</Figure>
        <Figure name={text.size}>{byteSize(stream.bytes)}</Figure>
        <Figure name={text.consumers}>{count(stream.consumers)}</Figure>
        <Figure name={text.sequence}>
          {stream.firstSeq} - {stream.lastSeq}
        </Figure>
      </dl>
      <section>
        <h3 className="mb-1 text-xs text-muted">{text.subjects}</h3>
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
          <h3 className="mb-1 text-xs text-muted">{text.consumers}</h3>
          <ul
            tabIndex={0}
            aria-label={text.consumersOf(stream.name)}
            className="flex max-h-[12rem] flex-col overflow-auto rounded-md border border-border"
          >
            {stream.consumerDetails.map((consumer) => (
              <ConsumerRow key={consumer.name} consumer={consumer} stream={stream} />
            ))}
          </ul>
        </section>
      )}
      <footer className="mt-auto flex flex-wrap items-center gap-2">
        <Button aria-label={messagesStrings.openOf(stream.name)} onClick={onOpen}>
          <List aria-hidden size={14} /> {messagesStrings.open}
        </Button>
        {stream.whyNotPurged === "" && <PurgeControl queue={stream.name} messages={stream.messages} />}
        <WhyNot sentences={WHY_NOT.flatMap((name) => stream[name] || [])} />
      </footer>
    </article>
  );
}

const WHY_NOT = ["whyNotPaused", "whyNotPurged"] as const;

/** Explains why an action is not available for a stream. */
function WhyNot({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <details className="min-w-0 text-xs text-muted open:w-full">
      <summary className="cursor-pointer rounded hover:text-fg">{text.whyNot}</summary>
      {sentences.map((sentence) => (
        <p key={sentence} className="mt-1 wrap-anywhere">
          {sentence}
        </p>
      ))}
    </details>
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

function ConsumerRow({ consumer, stream }: { readonly consumer: Consumer; readonly stream: Stream }) {
  return (
    <li className="border-b border-border px-3 py-1.5 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-xs wrap-anywhere">{consumer.name}</span>
        {consumer.filterSubject && (
          <span className="font-mono text-xs text-muted wrap-anywhere">{text.filter(consumer.filterSubject)}</span>
        )}
        {stream.whyNotPaused === "" && (
          <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
            <PauseControl queue={stream.name} pausedUntil={stream.pausedUntil ?? ""} />
          </span>
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span>{text.delivered(count(consumer.delivered))}</span>
        <span className={consumer.numPending > 0 ? "text-warn" : undefined}>
          {text.pending(count(consumer.numPending))}
        </span>
        <span>{text.acknowledging(count(consumer.ackPending))}</span>
      </p>
    </li>
  );
}

const count = (n: number): string => n.toLocaleString("en");
