import { EventService, type Event } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { TalkService } from "@followspot/contract/talk";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { EVENING_MS, momentIn } from "../event/own-times.ts";
import { serverPath } from "../lib/base-path.ts";
import { errorText } from "../lib/errors.ts";
import { relativeTime, toDate } from "../lib/formatting.ts";
import { usePlaylists } from "../music/playlists/playlists.queries.ts";
import { useTalks, useTonight } from "../tonight/tonight.queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Skeleton } from "../ui/states.tsx";
import { dashboardStrings } from "./dashboard.strings.ts";
import { CARD } from "./number-card.tsx";

const text = dashboardStrings.tonight;

/** The event that is on, or the next one: when and where, how much of its music is ready, and the way to run it. */
export function TonightCard() {
  const can = useCan();
  const mayRead = can(EventService.method.listEvents);
  const { event, isPending, error } = useTonight(mayRead);
  if (!mayRead) return null;
  return (
    <section aria-labelledby="tonight" className={cx(CARD, "gap-2")}>
      <h2 id="tonight" className="text-xs font-medium text-muted">
        {event && !isSoon(event) ? text.next : text.title}
      </h2>
      {event && <Night event={event} />}
      {!event && isPending && <Skeleton className="h-20" />}
      {!event && error && (
        <p role="alert" className="text-sm wrap-anywhere text-danger">{`${text.loadError}: ${errorText(error)}`}</p>
      )}
      {!event && !isPending && !error && <NoNight />}
      {can("playOnStage") && (
        <span className="flex flex-wrap gap-2">
          <Link to="/tonight" className={buttonClass({ variant: "primary" })}>
            {text.open}
          </Link>
          <Link to="/preflight" className={buttonClass()}>
            {text.preflight}
          </Link>
        </span>
      )}
    </section>
  );
}

function Night({ event }: { readonly event: Event }) {
  const can = useCan();
  const [broken, setBroken] = useState("");
  const start = toDate(event.startsAt);
  return (
    <>
      {event.bannerUrl && event.bannerUrl !== broken && (
        <img
          src={serverPath(event.bannerUrl)}
          alt=""
          className="h-20 w-full rounded-md border object-cover"
          onError={() => setBroken(event.bannerUrl)}
        />
      )}
      <div>
        <p className="truncate font-medium" title={event.title}>
          {event.title}
        </p>
        <p className="truncate text-xs text-muted">
          {[start && whenOf(start, event), event.location].filter(Boolean).join(" · ")}
        </p>
      </div>
      {can(TalkService.method.listTalks) && <Talks event={event} />}
      {can(MusicService.method.listPlaylists) && <MusicReady />}
    </>
  );
}

const isSoon = ({ startsAt }: Event): boolean => (toDate(startsAt)?.getTime() ?? 0) - Date.now() < EVENING_MS;

/** By the event's clock; of one that is not tonight's also in how many days it is. */
const whenOf = (start: Date, event: Event): string =>
  momentIn(start, event.timeZone).local + (isSoon(event) ? "" : ` (${relativeTime(start)})`);

function NoNight() {
  return (
    <>
      <p className="text-muted">{text.none}</p>
      {useCan()(EventService.method.createEvent) && (
        <span>
          <Link to="/events" search={{ open: "new" }} className={buttonClass()}>
            {text.newEvent}
          </Link>
        </span>
      )}
    </>
  );
}

function Talks({ event }: { readonly event: Event }) {
  const talks = useTalks(event.id);
  return (
    <Link
      to="/events/$eventId/talks"
      params={{ eventId: event.id }}
      className="w-fit text-xs text-muted hover:underline"
    >
      {text.talks(talks.length)}
    </Link>
  );
}

/** Songs of all playlists, each counted once: which one plays tonight is chosen when it is played. */
function MusicReady() {
  const { data } = usePlaylists();
  const songs = new Map((data?.playlists ?? []).flatMap((each) => each.songs.map(({ song }) => [song?.id, song])));
  const ready = [...songs.values()].filter((song) => song?.lightingStatus === "ready").length;
  if (!data) return null;
  if (songs.size === 0) return <p className="text-xs text-muted">{text.noPlaylist}</p>;
  return (
    <Link to="/music/playlists" className="flex items-center gap-3 text-xs hover:underline">
      <span className="min-w-0 flex-1">
        <span className="text-muted">{text.ready}</span>
        <span className="mt-1 block h-1.5 overflow-hidden rounded-full bg-raised">
          <span className="block h-full bg-accent" style={{ width: `${(100 * ready) / songs.size}%` }} />
        </span>
      </span>
      <span className="text-sm">{text.readyOf(ready, songs.size)}</span>
    </Link>
  );
}
