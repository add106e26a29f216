import type { Song } from "@followspot/contract/music";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { relativeTime } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { useRetrySong } from "../music/music.queries.ts";
import { musicStrings } from "../music/music.strings.ts";
import { songFilter } from "../music/song-badge.ts";
import { failedStep } from "../music/song-steps.ts";
import { SongStepper } from "../music/song-stepper.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/states.tsx";
import { errorText, plainErrorText } from "../lib/errors.ts";
import { showToast } from "../ui/toast.tsx";
import { useContent, useRecentFailures, useSongQueues } from "./dashboard.queries.ts";
import { dashboardStrings as text } from "./dashboard.strings.ts";
import { countSongs } from "./song-counts.ts";

const CARD = "flex min-w-0 flex-col gap-1 rounded-lg border bg-surface p-4";
const SHOWN_SONGS = 6;

export function DashboardPage() {
  const content = useContent();
  const songs = content.songs.data?.songs ?? [];
  const updatedAt = Math.max(...Object.values(content).map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <Page
      title={strings.product}
      subtitle={text.subtitle}
      tools={
        updatedAt > 0 && <span className="text-xs text-muted">{text.updated(relativeTime(new Date(updatedAt)))}</span>
      }
    >
      <SystemHealth />
      <ContentOverview content={content} />
      <div className="grid shrink-0 gap-3 lg:grid-cols-3">
        <SongList
          title={text.inFlight}
          none={text.nothingInFlight}
          songs={songs.filter((song) => songFilter(song) === "processing")}
        >
          {(song) => <SongStepper song={song} />}
        </SongList>
        <SongList
          title={text.attention}
          none={text.nothingToDo}
          songs={songs.filter((song) => songFilter(song) === "error")}
          reason
        >
          {(song) => <RetryFailed song={song} />}
        </SongList>
        <section aria-labelledby="quick-actions" className={cx(CARD, "gap-3")}>
          <h2 id="quick-actions" className="text-xs font-medium text-muted">
            {text.actions.title}
          </h2>
          <QuickAction to="/workers" title={text.actions.workers} caption={text.actions.workersText} />
          <QuickAction to="/music" search={{ add: true }} title={text.actions.song} caption={text.actions.songText} />
        </section>
      </div>
    </Page>
  );
}

/** Shown as soon as one of the two answers is there; without both there is nothing to say. */
function SystemHealth() {
  const queues = useSongQueues();
  const failures = useRecentFailures();
  if (!queues.data && !failures.data) return null;
  const { SONGS, RESPONSE_QUEUE } = queues.data ?? {};
  const failed = failures.data?.items?.length ?? 0;
  return (
    <Cards title={text.health.title}>
      <NumberCard
        title={text.health.queue}
        value={queues.data && (SONGS?.messages ?? 0)}
        caption={text.health.queueCaption}
      />
      <NumberCard
        title={text.health.workers}
        value={queues.data && (SONGS?.consumer_count ?? 0) + (RESPONSE_QUEUE?.consumer_count ?? 0)}
        caption={text.health.workersCaption}
      />
      <NumberCard
        title={text.health.failures}
        value={failures.data && failed}
        caption={text.health.failuresCaption}
        bad={failed > 0}
      />
    </Cards>
  );
}

function ContentOverview({
  content: { users, events, songs, lights },
}: {
  readonly content: ReturnType<typeof useContent>;
}) {
  const counts = countSongs(songs.data?.songs ?? []);
  return (
    <Cards title={text.content.title}>
      <NumberCard
        to="/users"
        title={text.content.users}
        value={users.data?.users.length}
        failed={users.error && `${text.loadErrors.users}: ${errorText(users.error)}`}
        caption={text.content.verified(users.data?.users.filter(({ verifiedAt }) => verifiedAt).length ?? 0)}
      />
      <NumberCard
        to="/events"
        title={text.content.events}
        value={events.data?.events.length}
        failed={events.error && `${text.loadErrors.events}: ${errorText(events.error)}`}
      />
      <NumberCard
        to="/music"
        title={text.content.songs}
        value={songs.data?.songs.length}
        failed={songs.error && `${text.loadErrors.songs}: ${errorText(songs.error)}`}
        caption={
          <>
            {text.content.ready(counts.ready)} · {text.content.processing(counts.processing)}
            {counts.error > 0 && (
              <>
                {" · "}
                <span className="text-danger">{text.content.error(counts.error)}</span>
              </>
            )}
          </>
        }
      />
      <NumberCard
        to="/lights"
        title={text.content.lights}
        value={lights.data?.lights.length}
        failed={lights.error && `${text.loadErrors.lights}: ${errorText(lights.error)}`}
        caption={text.content.enabled(lights.data?.lights.filter(({ enabled }) => enabled).length ?? 0)}
      />
    </Cards>
  );
}

function Cards({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex shrink-0 flex-col gap-2">
      <h2 className="text-xs font-medium text-muted">{title}</h2>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">{children}</div>
    </section>
  );
}

function NumberCard({
  title,
  value,
  caption,
  failed,
  bad = false,
  to,
}: {
  readonly title: string;
  readonly value: number | undefined;
  readonly caption?: ReactNode;
  readonly failed?: string | null;
  readonly bad?: boolean;
  readonly to?: LinkProps["to"];
}) {
  const body = (
    <>
      <span className="text-xs text-muted">{title}</span>
      {value === undefined ? (
        failed ? (
          <span className="text-xs wrap-anywhere text-danger">{failed}</span>
        ) : (
          <Skeleton className="my-1 h-5 w-14" />
        )
      ) : (
        <>
          <span className={cx("text-2xl font-semibold", bad && "text-danger")}>{value.toLocaleString("en")}</span>
          {caption && <span className="text-xs text-muted">{caption}</span>}
        </>
      )}
    </>
  );
  if (!to) return <div className={CARD}>{body}</div>;
  return (
    <Link to={to} className={cx(CARD, "transition-colors hover:border-muted")}>
      {body}
    </Link>
  );
}

function SongList({
  title,
  none,
  songs,
  reason = false,
  children,
}: {
  readonly title: string;
  readonly none: string;
  readonly songs: readonly Song[];
  /** Tells why instead of who. */
  readonly reason?: boolean;
  readonly children: (song: Song) => ReactNode;
}) {
  return (
    <section aria-label={title} className={CARD}>
      <div className="flex justify-between text-xs text-muted">
        <h2 className="font-medium">{title}</h2>
        {songs.length > SHOWN_SONGS && <span>{text.more(songs.length - SHOWN_SONGS)}</span>}
      </div>
      {songs.length === 0 && <p className="py-2 text-muted">{none}</p>}
      <ul>
        {songs.slice(0, SHOWN_SONGS).map((song) => (
          <li key={song.id} className="flex items-center justify-between gap-3 border-b py-2 last:border-b-0">
            <span className="min-w-0">
              <Link
                to="/music/$id/visualizer"
                params={{ id: song.id }}
                className="line-clamp-1 font-medium wrap-anywhere hover:underline"
              >
                {song.title || song.url}
              </Link>
              <span className="line-clamp-1 text-xs wrap-anywhere text-muted">
                {reason ? song.errorMessage : song.artist}
              </span>
            </span>
            {children(song)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Starts the step that failed once more; the steps after it follow. */
function RetryFailed({ song }: { readonly song: Song }) {
  const retry = useRetrySong();
  const step = failedStep(song);
  return (
    <Button
      pending={retry.isPending}
      onClick={() =>
        retry.mutate({ songId: song.id, step }, { onError: (error) => showToast(plainErrorText(error), { bad: true }) })
      }
    >
      {musicStrings.retry[step]}
    </Button>
  );
}

function QuickAction({ title, caption, ...link }: LinkProps & { readonly title: string; readonly caption: string }) {
  return (
    <Link
      {...link}
      className="flex flex-col rounded-md border bg-raised px-3 py-2 transition-colors hover:border-muted"
    >
      <span className="font-medium">{title}</span>
      <span className="text-xs text-muted">{caption}</span>
    </Link>
  );
}
