import type { PersonEvent } from "@followspot/contract/event";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { toDate } from "../lib/formatting.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Feed } from "../ui/feed.tsx";
import { Status } from "../ui/status.tsx";
import { eventsOfPerson } from "./event.queries.ts";
import { eventStrings } from "./event.strings.ts";
import { momentIn } from "./own-times.ts";

const text = eventStrings.ofPerson;

/** Events that a user registered for, is waitlisted for, or attended, latest first. */
export function PersonEvents({ userId }: { readonly userId: string }) {
  const list = useListScreen(
    useMemo(() => eventsOfPerson(userId), [userId]),
    useState<ListSearch>({}),
  );
  return (
    <Feed list={list} label={text.list} text={text}>
      {(event) => <EventText event={event} />}
    </Feed>
  );
}

function EventText({ event }: { readonly event: PersonEvent }) {
  const start = toDate(event.startsAt);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere">
        {event.deletedAt ? (
          event.title
        ) : (
          <Link
            to={event.state === "none" ? "/events/$eventId/check-in" : "/events/$eventId/registrations"}
            params={{ eventId: event.eventId }}
            className="hover:underline"
          >
            {event.title}
          </Link>
        )}
      </p>
      <PersonState event={event} />
      <p className="w-full text-xs text-muted">
        {start && momentIn(start, event.timeZone).local}
        {event.deletedAt && ` · ${text.deleted}`}
      </p>
    </div>
  );
}

function PersonState({ event: { state, checkedInAt, timeZone } }: { readonly event: PersonEvent }) {
  const came = toDate(checkedInAt);
  if (came)
    return (
      <span title={momentIn(came, timeZone).local}>
        <Status tone="ok">{text.checkedIn}</Status>
      </span>
    );
  return state === "waiting" ? (
    <Status tone="wait">{text.waiting}</Status>
  ) : (
    <Status tone="busy">{text.registered}</Status>
  );
}
