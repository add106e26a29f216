import { wallTimeOf } from "@followspot/contract";
import type { Event } from "@followspot/contract/event";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useCan } from "../auth/can.ts";
import { useCheckInCount } from "../event/check-in/check-in.queries.ts";
import { nearTimeIn } from "../event/own-times.ts";
import { errorText } from "../lib/errors.ts";
import { toDate } from "../lib/formatting.ts";
import { LiveStage } from "../lamps/live-stage.tsx";
import { Heard } from "../music/playlists/player-block.tsx";
import { NowBlock } from "../music/playlists/now-block.tsx";
import { RequestsBlock } from "../music/playlists/requests-block.tsx";
import { useShowQueue, useSound } from "../music/playlists/playlists.queries.ts";
import { usePosition } from "../music/playlists/use-position.ts";
import { troublesOf } from "../outputs/output-truth.ts";
import { useOutputHealth, useOutputs } from "../outputs/outputs.queries.ts";
import { AttentionLines, badLines } from "../preflight/attention-lines.tsx";
import { usePreflight } from "../preflight/preflight.queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { useDocumentTitle } from "../ui/page.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { ActionsBar } from "./actions-bar.tsx";
import { BoxLine } from "./box-line.tsx";
import { OrderBlock } from "./order-block.tsx";
import { runningOrder } from "./running-order.ts";
import { useTalkOnStage, useTalks, useTonight } from "./tonight.queries.ts";
import { tonightStrings as text } from "./tonight.strings.ts";

const CLOCK_MS = 1000;
const HEALTH_MS = 2000;
/** Lines of preflight that are told here. */
const MOST_TOLD = 4;

/** One screen for the night: what is on, what comes, what needs attention, and the big buttons. */
export function TonightPage() {
  useDocumentTitle(text.title);
  return useCan()("playOnStage") ? <Night /> : <EmptyState text={text.denied} />;
}

function Night() {
  const { event, isPending, error } = useTonight();
  const talks = useTalks(event?.id);
  const talkOnStage = useTalkOnStage(event?.id);
  const queue = useShowQueue();
  const now = queue.data?.queue;
  const position = usePosition(now, queue.dataUpdatedAt);
  const clock = useClock();
  const songs = now?.song ? [now.song, ...now.next] : [];
  const lines = runningOrder({
    nowMs: clock.getTime(),
    talks,
    talkOnStage,
    songs: songs.map(({ id, title, artist, duration }) => ({ id, title, artist, seconds: duration })),
    position,
    gap: now?.gapSeconds ?? 0,
    isPlaying: now?.mode === "playing",
  });
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4">
        <Head event={event} isKnown={!isPending && error === null} problem={error} clock={clock} />
        <BoxLine />
        <div className="grid items-start gap-3 lg:grid-cols-[18rem_minmax(0,1fr)_20rem]">
          <OrderBlock
            lines={lines}
            zone={event?.timeZone}
            empty={error || queue.isError ? text.orderUnread : isPending || queue.isPending ? "" : text.orderEmpty}
            className="max-lg:order-3"
          />
          <div className="flex min-w-0 flex-col gap-3 max-lg:order-1">
            {now ? (
              <NowBlock queue={now} position={position} />
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
          <div className="flex min-w-0 flex-col gap-3 max-lg:order-2">
            <Attention />
            <SoundCard />
            <LampsCard />
            <Card title={text.requests}>
              <RequestsBlock />
            </Card>
            {event && <DoorCard event={event} />}
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
}: {
  readonly event: Event | undefined;
  /** Whether there is an event. */
  readonly isKnown: boolean;
  /** Why that is not known. */
  readonly problem: unknown;
  readonly clock: Date;
}) {
  const { data } = usePreflight();
  const open = data?.lines.filter(({ state }) => state !== "ok").length;
  const [starts, ends] = [toDate(event?.startsAt), toDate(event?.endsAt)];
  const isOn = starts !== undefined && starts <= clock;
  const zone = event?.timeZone ?? "";
  const time = (at: Date) => nearTimeIn(at, zone, clock);
  const when = isOn ? ends && text.until(time(ends)) : starts && text.starts(time(starts));
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <h1 className="truncate text-lg font-semibold">{event?.title ?? (isKnown ? text.noEvent : text.title)}</h1>
        <p className="truncate text-xs text-muted">
          {event
            ? [event.location, when].filter(Boolean).join(" · ")
            : isKnown
              ? text.noEventHint
              : problem !== null && `${text.eventUnread}: ${errorText(problem)}`}
        </p>
      </div>
      <nav aria-label={text.title} className="flex flex-wrap gap-2">
        <Link to="/preflight" className={buttonClass()}>
          {text.preflight(open)}
        </Link>
        <Link to="/rehearsal" search={{ event: event?.id }} className={buttonClass()}>
          {text.rehearsal}
        </Link>
        <Link to="/music/playlists" className={buttonClass()}>
          {text.player}
        </Link>
        {event && (
          <>
            <Link to="/events/$eventId/stage" params={{ eventId: event.id }} className={buttonClass()}>
              {text.stage}
            </Link>
            <Link to="/events/$eventId/check-in" params={{ eventId: event.id }} className={buttonClass()}>
              {text.door}
            </Link>
            <Link to="/events/$eventId/report" params={{ eventId: event.id }} className={buttonClass()}>
              {text.report}
            </Link>
          </>
        )}
      </nav>
      <time className="text-2xl font-semibold tabular-nums" dateTime={clock.toISOString()}>
        {wallTimeOf(clock, zone).slice("2026-05-01T".length)}
      </time>
    </header>
  );
}

/** What of preflight is not well, the first first. */
function Attention() {
  const { data, error } = usePreflight();
  const lines = badLines(data?.lines ?? []);
  return (
    <Card title={text.attention}>
      {data && lines.length === 0 && <p className="text-sm text-muted">{text.attentionNone}</p>}
      <AttentionLines lines={lines} most={MOST_TOLD} error={error} />
    </Card>
  );
}

function SoundCard() {
  const { data, isError } = useSound(true);
  return (
    <Card title={text.sound}>
      {data?.sound ? (
        <Heard heard={data.sound.heard} />
      ) : (
        isError && <p className="text-sm text-danger">{text.soundUnread}</p>
      )}
    </Card>
  );
}

function LampsCard() {
  const outputs = useOutputs().data?.outputs.filter(({ enabled }) => enabled) ?? [];
  const { data, isError } = useOutputHealth(HEALTH_MS);
  const down = data?.outputs.filter(({ state }) => state === "down") ?? [];
  const isGood = !isError && outputs.length > 0 && down.length === 0;
  const troubles = troublesOf(outputs, data?.outputs ?? []);
  return (
    <Card title={text.lamps}>
      <p className="flex items-center gap-2 text-sm">
        <span aria-hidden className={cx("size-2 shrink-0 rounded-full", isGood ? "bg-ok" : "bg-danger")} />
        {isError
          ? text.stageAway
          : outputs.length === 0
            ? text.lampsOff
            : text.lampsUp(outputs.length - down.length, outputs.length)}
      </p>
      {data && !isError && (
        <p className="pl-4 text-xs text-muted">{data.sending ? text.rate(data.rateHz) : text.resting}</p>
      )}
      {troubles.map((trouble) => (
        <p key={trouble} className="pl-4 text-xs wrap-anywhere text-danger">
          {trouble}
        </p>
      ))}
    </Card>
  );
}

function DoorCard({ event }: { readonly event: Event }) {
  const count = useCheckInCount(event.id);
  return (
    <Card title={text.peopleIn}>
      <p className="text-2xl font-semibold tabular-nums">{count ?? "–"}</p>
    </Card>
  );
}

function Card({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

/** This machine's time, each second. */
function useClock(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
