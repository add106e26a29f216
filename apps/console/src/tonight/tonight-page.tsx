import type { Event } from "@followspot/contract/event";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useCan } from "../auth/can.ts";
import { useCheckInCount } from "../event/check-in/check-in.queries.ts";
import { nearTimeIn } from "../event/own-times.ts";
import { errorText } from "../lib/errors.ts";
import { clockFace, toDate } from "../lib/formatting.ts";
import { LiveStage } from "../lamps/live-stage.tsx";
import { NowBlock } from "../music/playlists/now-block.tsx";
import { RequestsBlock } from "../music/playlists/requests-block.tsx";
import { useShowQueue } from "../music/playlists/playlists.queries.ts";
import { usePosition } from "../music/playlists/use-position.ts";
import { paletteOf } from "../music/song-colors.ts";
import { AttentionLines, badLines } from "../preflight/attention-lines.tsx";
import { usePreflight } from "../preflight/preflight.queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { useDocumentTitle } from "../ui/page.tsx";
import { EmptyState, LoadingMeanwhile, Skeleton } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { ActionsBar } from "./actions-bar.tsx";
import { BoxState } from "./box-state.tsx";
import { Card } from "./card.tsx";
import { ChatCard } from "./chat-card.tsx";
import { LampsCard } from "./lamps-card.tsx";
import { OrderBlock } from "./order-block.tsx";
import { minutesBehind, runningOrder } from "./running-order.ts";
import { SoundCard } from "./sound-card.tsx";
import { useStageTalks, useTalkOnStage, useTalks, useTonight } from "./tonight.queries.ts";
import { tonightStrings as text } from "./tonight.strings.ts";

const CLOCK_MS = 1000;
/** Maximum number of preflight results shown. */
const MOST_TOLD = 3;

/** Screen for running the night: current and next entries, problems, and the main controls. */
export function TonightPage() {
  useDocumentTitle(text.title);
  return useCan()("playOnStage") ? <Night /> : <EmptyState text={text.denied} />;
}

function Night() {
  const { event, isPending, error } = useTonight();
  const talks = useTalks(event?.id);
  const talkOnStage = useTalkOnStage(event?.id);
  const stage = useStageTalks(event?.id);
  const queue = useShowQueue();
  const preflight = usePreflight();
  // Hidden until the content of the top is known: urgent items appear there and would move the rest.
  const isHeld = isPending || queue.isPending || preflight.isPending;
  const now = queue.data?.queue;
  const position = usePosition(now, queue.dataUpdatedAt);
  const clock = useClock();
  const songs = now?.song ? [now.song, ...now.next] : [];
  const lines = runningOrder({
    nowMs: clock.getTime(),
    talks,
    talkOnStage,
    songs: songs.map((song) => ({ ...song, seconds: song.duration, colors: paletteOf(song) })),
    position,
    gap: now?.gapSeconds ?? 0,
    isPlaying: now?.mode === "playing",
  });
  const behind = minutesBehind({ talks, talkOnStage });
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4 max-lg:p-3">
        <Head event={event} isKnown={!isPending && error === null} problem={error} clock={clock} behind={behind} />
        <BoxState />
        <div className={cx("night-columns relative", isHeld && "animate-held [animation-duration:2500ms]")}>
          {isHeld && <LoadingMeanwhile />}
          <div className="night-column">
            <OrderBlock
              lines={lines}
              zone={event?.timeZone}
              stage={stage}
              empty={error || queue.isError ? text.orderUnread : isPending || queue.isPending ? "" : text.orderEmpty}
              className="night-order lg:flex-1"
            />
            {event && <ChatCard event={event} className="night-chat lg:flex-1" />}
          </div>
          <div className="night-column">
            {now ? (
              <NowBlock queue={now} position={position} isWhole zone={event?.timeZone} />
            ) : (
              <Card title={text.song}>
                {queue.isError ? (
                  <p role="alert" className="text-sm wrap-anywhere text-danger">
                    {text.songUnread}: {errorText(queue.error)}
                  </p>
                ) : (
                  <Skeleton className="h-8" />
                )}
              </Card>
            )}
            <LiveStage place="tonight" />
          </div>
          <div className="night-column">
            <Attention />
            <SoundCard className="night-sound" />
            <LampsCard zone={event?.timeZone} className="night-lamps" />
            <Card title={text.requests} className="night-requests lg:flex-1">
              <RequestsBlock />
            </Card>
          </div>
        </div>
      </div>
      <ActionsBar queue={now} eventId={event?.id} />
    </main>
  );
}

function Head({
  event,
  isKnown,
  problem,
  clock,
  behind,
}: {
  readonly event: Event | undefined;
  /** Whether it is known if there is an event. */
  readonly isKnown: boolean;
  /** Error of the read, if that is not known. */
  readonly problem: unknown;
  readonly clock: Date;
  /** Delay in minutes. */
  readonly behind: number;
}) {
  const { data } = usePreflight();
  const open = data?.lines.filter(({ state }) => state !== "ok").length;
  const [starts, ends] = [toDate(event?.startsAt), toDate(event?.endsAt)];
  const isOn = starts !== undefined && starts <= clock;
  const zone = event?.timeZone ?? "";
  const time = (at: Date) => nearTimeIn(at, zone, clock);
  const [hourAndMinute, rest] = clockFace(clock, zone);
  const when = isOn ? ends && text.until(time(ends)) : starts && text.starts(time(starts));
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-48">
        <h1 className="truncate text-lg font-semibold">{event?.title ?? (isKnown ? text.noEvent : text.title)}</h1>
        <p className="truncate text-xs text-muted">
          {event
            ? [event.location, when].filter(Boolean).join(" · ")
            : isKnown
              ? text.noEventHint
              : problem !== null && `${text.eventUnread}: ${errorText(problem)}`}
        </p>
      </div>
      {starts && isOn && (
        <span className="flex flex-wrap gap-2 text-xs">
          <span className={CHIP}>
            <Status tone="ok">{text.running(time(starts))}</Status>
          </span>
          {behind > 0 && <span className={cx(CHIP, "border-warn/50 text-warn")}>{text.behind(behind)}</span>}
        </span>
      )}
      <nav
        aria-label={text.title}
        className="flex gap-2 max-lg:order-last max-lg:-mx-3 max-lg:w-[calc(100%+1.5rem)] max-lg:overflow-x-auto max-lg:px-3 lg:flex-wrap"
      >
        <Link to="/preflight" className={PLACE}>
          {text.preflight(open)}
        </Link>
        <Link to="/rehearsal" search={{ event: event?.id }} className={PLACE}>
          {text.rehearsal}
        </Link>
        <Link to="/music/playlists" search={{ open: "player" }} className={PLACE}>
          {text.player}
        </Link>
        {event && (
          <>
            <Link to="/events/$eventId/stage" params={{ eventId: event.id }} className={PLACE}>
              {text.stage}
            </Link>
            <DoorLink eventId={event.id} />
            <Link to="/events/$eventId/report" params={{ eventId: event.id }} className={PLACE}>
              {text.report}
            </Link>
          </>
        )}
      </nav>
      <time className="text-2xl font-semibold tabular-nums lg:text-3xl" dateTime={clock.toISOString()}>
        {hourAndMinute}
        <span className="text-lg font-normal text-muted">{rest}</span>
      </time>
    </header>
  );
}

const PLACE = cx(buttonClass(), "shrink-0");
const CHIP = "rounded-full border px-2.5 py-0.5";

/** Failed preflight checks, most urgent first. */
function Attention() {
  const { data, error } = usePreflight();
  const lines = badLines(data?.lines ?? []);
  return (
    <Card
      title={text.attention}
      className={cx("night-attention", lines.some(({ state }) => state === "fault") && "is-urgent")}
    >
      {data && error === null && lines.length === 0 && <p className="text-sm text-muted">{text.attentionNone}</p>}
      <AttentionLines lines={lines} most={MOST_TOLD} isShort error={error} />
    </Card>
  );
}

/** Link to check-in, with the number of checked-in attendees. */
function DoorLink({ eventId }: { readonly eventId: string }) {
  return (
    <Link to="/events/$eventId/check-in" params={{ eventId }} className={PLACE}>
      {text.door(useCheckInCount(eventId))}
    </Link>
  );
}

/** Returns this machine's time, updated every second. */
function useClock(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
