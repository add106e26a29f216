import type { Talk } from "@followspot/contract/talk";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { momentIn } from "../event/own-times.ts";
import { toDate } from "../lib/formatting.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Feed } from "../ui/feed.tsx";
import { talkName } from "./talk-name.ts";
import { talksOfSpeaker } from "./talk.queries.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.ofSpeaker;

/** The talks of one speaker, the latest first; before them those that have no time yet. */
export function SpeakerTalks({ userId }: { readonly userId: string }) {
  const list = useListScreen(
    useMemo(() => talksOfSpeaker(userId), [userId]),
    useState<ListSearch>({ sort: "-start_at" }),
  );
  return (
    <Feed list={list} label={text.list} text={text}>
      {(talk) => <TalkText talk={talk} />}
    </Feed>
  );
}

function TalkText({ talk }: { readonly talk: Talk }) {
  const start = toDate(talk.startAt);
  return (
    <>
      <p className="font-medium wrap-anywhere">
        {talk.eventId ? (
          <Link to="/events/$eventId/talks" params={{ eventId: talk.eventId }} className="hover:underline">
            {talkName(talk)}
          </Link>
        ) : (
          talkName(talk)
        )}
      </p>
      <p className="text-xs text-muted">
        {start ? momentIn(start, talk.timeZone).local : talkStrings.notScheduled} · {text.votes(talk.points)}
      </p>
    </>
  );
}
