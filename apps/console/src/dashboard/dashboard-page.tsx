import { needsItsFile } from "@followspot/contract";
import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { NightService } from "@followspot/contract/night";
import { Link, useNavigate, type LinkProps } from "@tanstack/react-router";
import { useCan } from "../auth/can.ts";
import { relativeTime, timeOfDay } from "../lib/formatting.ts";
import { useRetrySongs } from "../lib/retry-song.ts";
import { useServerHealth } from "../lib/server-health.ts";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { ChooseFiles } from "../music/choose-files.tsx";
import { uploadSongs } from "../music/upload-songs.ts";
import { musicStrings } from "../music/music.strings.ts";
import { failedStep } from "../music/song-steps.ts";
import { SongPicture } from "../music/song-picture.tsx";
import { SongStepper } from "../music/song-stepper.tsx";
import { AttentionLines, badLines } from "../preflight/attention-lines.tsx";
import { usePreflight } from "../preflight/preflight.queries.ts";
import { liveState } from "../realtime/live-state.ts";
import { useTonight } from "../tonight/tonight.queries.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { HealthNotices } from "../ui/health-notices.tsx";
import { Page } from "../ui/page.tsx";
import { LoadingMeanwhile } from "../ui/states.tsx";
import type { TrendPoint } from "../ui/trend-path.ts";
import { Trend } from "../ui/trend.tsx";
import { ContentOverview } from "./content-overview.tsx";
import {
  countOfFilter,
  useContent,
  useFailedSongs,
  useSongsDownloading,
  useQueuesFollowSongs,
  useRecentFailures,
  useSongQueues,
  useSongsAtWork,
} from "./dashboard.queries.ts";
import { dashboardStrings as text } from "./dashboard.strings.ts";
import { useAreFirstStepsComing, useFirstSteps } from "./first-steps.queries.ts";
import { firstStepsForm } from "./first-steps-form.ts";
import { FirstSteps } from "./first-steps.tsx";
import { CARD, Cards, NumberCard } from "./number-card.tsx";
import { PaceCard } from "./pace-card.tsx";
import { SongList, type SongsOfRow } from "./song-list.tsx";
import { songsByFault } from "./songs-by-fault.ts";
import { songsInFlight } from "./songs-in-flight.ts";
import { StageCard } from "./stage-card.tsx";
import { TonightCard } from "./tonight-card.tsx";

/** Every minute is soon enough for faults that are not mended in a hurry. */
const PREFLIGHT_MS = 60_000;
/** Lines of preflight that only count on the night itself. */
const OF_A_NIGHT: readonly string[] = ["lamps", "player"];
const MOST_TOLD = 5;

export function DashboardPage() {
  const content = useContent();
  const can = useCan();
  const isHeld = useIsTopComing();
  const { data: steps } = useFirstSteps();
  const form = firstStepsForm(steps);
  // A reading that failed is tried again before it counts as an error.
  const isAway = useStore(liveState) === "offline";
  const isOld = isAway || Object.values(content).some(({ failureCount }) => failureCount > 0);
  const updatedAt = Math.max(...Object.values(content).map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <Page
      title={strings.product}
      subtitle={text.subtitle}
      tools={
        <span className={cx("min-h-4 text-xs", isOld ? "text-warn" : "text-muted")}>
          {updatedAt > 0 &&
            (isOld ? text.notUpdated(timeOfDay(new Date(updatedAt))) : text.updated(relativeTime(new Date(updatedAt))))}
        </span>
      }
    >
      <HealthNotices health={useServerHealth(can("seeQueues"))} mayResume={can("seeQueues")} />
      {steps && form === "line" && <FirstSteps answer={steps} />}
      <div className={cx("contents", isHeld && "animate-held [animation-duration:2500ms]")}>
        <div
          className={cx("relative grid shrink-0 gap-3", form === "card" ? "lg:grid-cols-3" : "lg:grid-cols-[3fr_2fr]")}
        >
          {isHeld && <LoadingMeanwhile />}
          <Attention total={countOfFilter(content.songs.data, "error")} />
          <TonightCard />
          {steps && form === "card" && <FirstSteps answer={steps} />}
        </div>
        <SystemHealth />
        <ContentOverview content={content} />
        <div className="grid shrink-0 gap-3 lg:grid-cols-[5fr_4fr_3fr]">
          <InFlight />
          <PaceCard />
          <QuickActions />
        </div>
      </div>
    </Page>
  );
}

/** While it is not known how high the first row is: what stands below it would jump. */
function useIsTopComing(): boolean {
  const can = useCan();
  const areStepsComing = useAreFirstStepsComing();
  const preflight = usePreflight({ isAllowed: can(NightService.method.checkPreflight), everyMs: PREFLIGHT_MS });
  const mayReadEvents = can(EventService.method.listEvents);
  const tonight = useTonight(mayReadEvents);
  const failed = useFailedSongs();
  return areStepsComing || preflight.isLoading || failed.isLoading || (mayReadEvents && tonight.isPending);
}

/** Shown as soon as one of the two answers is there; without both there is nothing to say. */
function SystemHealth() {
  const queues = useSongQueues();
  useQueuesFollowSongs();
  const failures = useRecentFailures();
  const isKnown = queues.data !== undefined || failures.data !== undefined;
  if (!isKnown && !queues.isLoading && !failures.isLoading) return null;
  const { SONGS, RESPONSE_QUEUE } = queues.data ?? {};
  const failed = failures.data?.items?.length ?? 0;
  const seen = SONGS?.trend ?? [];
  const points = seen.length < LEAST_LOOKS ? undefined : [...seen, { secondsAgo: 0, waiting: SONGS?.messages ?? 0 }];
  return (
    <Cards title={text.health.title} isPlaceholder={!isKnown}>
      <NumberCard
        title={text.health.queue}
        value={queues.data && (SONGS?.messages ?? 0)}
        failed={queues.error?.message ?? null}
        caption={text.health.queueCaption}
        corner={points && <TrendMeasure points={points} />}
        beside={points && <QueueTrend points={points} readAt={queues.dataUpdatedAt} />}
      />
      <NumberCard
        title={text.health.workers}
        value={queues.data && (SONGS?.consumer_count ?? 0) + (RESPONSE_QUEUE?.consumer_count ?? 0)}
        failed={queues.error?.message ?? null}
        caption={text.health.workersCaption}
      />
      <NumberCard
        title={text.health.failures}
        value={failures.data && failed}
        failed={failures.error?.message ?? null}
        caption={text.health.failuresCaption}
        bad={failed > 0}
      />
      <StageCard />
    </Cards>
  );
}

/** A line of two looks tells nothing. */
const LEAST_LOOKS = 3;

function QueueTrend({ points, readAt }: { readonly points: readonly TrendPoint[]; readonly readAt: number }) {
  const sentence = text.health.queueTrend(highestOf(points), minutesOf(points));
  return (
    <div className="w-24 max-md:w-14">
      <Trend points={points} readAt={readAt} label={sentence} />
    </div>
  );
}

/** What the height of the line stands for, and where there is room its width. */
function TrendMeasure({ points }: { readonly points: readonly TrendPoint[] }) {
  return (
    <>
      <span className="max-md:hidden">{text.health.span(minutesOf(points))} · </span>
      {text.health.atMost(highestOf(points))}
    </>
  );
}

const highestOf = (points: readonly TrendPoint[]): number => Math.max(...points.map(({ waiting }) => waiting));
const minutesOf = ([oldest]: readonly TrendPoint[]): number => Math.max(1, Math.round((oldest?.secondsAgo ?? 0) / 60));

function InFlight() {
  const atWork = useSongsAtWork();
  const downloading = useSongsDownloading();
  const songs = atWork.data && downloading.data ? songsInFlight(downloading.data.songs, atWork.data.songs) : undefined;
  const retry = () => void Promise.all([atWork.refetch(), downloading.refetch()]);
  return (
    <SongList
      title={text.inFlight}
      none={text.nothingInFlight}
      reading={{ rows: songs?.map((song) => [song]), error: atWork.error ?? downloading.error, retry }}
      below={({ artist }) => artist}
      picture={([song]) => <SongPicture song={song} />}
    >
      {([song]) => <SongStepper song={song} says="step" />}
    </SongList>
  );
}

/** Songs that failed, those of one reason in one row, and the faults of preflight that also matter without a night. */
function Attention({ total }: { readonly total: number | undefined }) {
  const failed = useFailedSongs();
  const can = useCan();
  const mayCheck = can(NightService.method.checkPreflight);
  const preflight = usePreflight({ isAllowed: mayCheck, everyMs: PREFLIGHT_MS });
  const isListed = (id: string) => id === "songs" && failed.data !== undefined && failed.data.songs.length > 0;
  const lines = badLines(preflight.data?.lines ?? []).filter(({ id }) => !OF_A_NIGHT.includes(id) && !isListed(id));
  const isKnown = !mayCheck || (preflight.data !== undefined && preflight.error === null);
  return (
    <SongList
      title={text.attention}
      none={isKnown && lines.length === 0 ? text.nothingToDo : undefined}
      beside={<AttentionLines lines={lines} most={MOST_TOLD} error={preflight.error} />}
      reading={{
        rows: failed.data && songsByFault(failed.data.songs),
        error: failed.error,
        retry: () => void failed.refetch(),
      }}
      {...(total !== undefined && { total })}
      below={({ errorMessage }) => errorMessage}
      picture={() => <span aria-hidden className="mt-1.5 -mr-1 size-2 shrink-0 self-start rounded-full bg-danger" />}
    >
      {(songs) =>
        can(MusicService.method.retrySong) && (needsItsFile(songs[0]) ? <UploadAgain /> : <RetryFailed songs={songs} />)
      }
    </SongList>
  );
}

/** The same file gives a song its sound back, whatever it is called; where files go is told on Music. */
function UploadAgain() {
  const navigate = useNavigate();
  const send = (files: Iterable<File>) => {
    uploadSongs(files);
    void navigate({ to: "/music" });
  };
  return <ChooseFiles label={musicStrings.uploads.again} onFiles={send} />;
}

/** Starts the step that failed once more; the steps after it follow. */
function RetryFailed({ songs }: { readonly songs: SongsOfRow }) {
  const [{ errorMessage }, ...others] = songs;
  const retry = useRetrySongs();
  const isOne = others.length === 0;
  return (
    <Button
      pending={retry.isPending}
      {...(!isOne && { "aria-label": text.retryAllOf(errorMessage) })}
      onClick={() =>
        retry.mutate(
          songs.map((song) => ({ songId: song.id, step: failedStep(song) })),
          { onError: sayWhy },
        )
      }
    >
      {isOne ? musicStrings.retry[failedStep(songs[0])] : text.retryAll}
    </Button>
  );
}

function QuickActions() {
  const can = useCan();
  return (
    <section aria-labelledby="quick-actions" className={cx(CARD, "gap-2")}>
      <h2 id="quick-actions" className="text-xs font-medium text-muted">
        {text.actions.title}
      </h2>
      <div className="grid gap-2 sm:max-lg:grid-cols-2">
        <QuickAction to="/workers" title={text.actions.workers} caption={text.actions.workersText} />
        {can(MusicService.method.addSongFromYoutube) && (
          <QuickAction to="/music" search={{ add: true }} title={text.actions.song} caption={text.actions.songText} />
        )}
      </div>
    </section>
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
