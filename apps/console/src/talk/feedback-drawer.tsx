import type { Feedback, Talk } from "@followspot/contract/talk";
import { useMemo, useState } from "react";
import { errorSentence } from "../lib/errors.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Button } from "../ui/button.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { Feed } from "../ui/feed.tsx";
import { Ago } from "../ui/row-parts.tsx";
import { Skeleton } from "../ui/states.tsx";
import { talkName } from "./talk-name.ts";
import { feedbackOf, useFeedbackCounts } from "./talk.queries.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.feedback;

/** What people said of a talk: how many, how they rated it on average, and their words. */
export function FeedbackDrawer({ talk, onClose }: { readonly talk: Talk; readonly onClose: () => void }) {
  const list = useListScreen(
    useMemo(() => feedbackOf(talk.id), [talk.id]),
    useState<ListSearch>({}),
  );
  return (
    <Drawer
      title={text.title(talkName(talk))}
      onClose={onClose}
      above={
        <div className="shrink-0 border-b px-4 py-3">
          <Summary talkId={talk.id} />
        </div>
      }
    >
      <Feed list={list} label={text.list} text={text}>
        {(feedback) => <FeedbackText feedback={feedback} />}
      </Feed>
    </Drawer>
  );
}

function Summary({ talkId }: { readonly talkId: string }) {
  const { data, error, refetch } = useFeedbackCounts(talkId);
  if (data) {
    const countOf = (filter: string) => data.counts.find((each) => each.filter === filter)?.count ?? 0;
    const [said, rated] = [countOf(""), countOf("rated")];
    if (said === 0) return <p className="text-xs text-muted">{text.unrated}</p>;
    return (
      <div role="status">
        <p className="flex flex-wrap items-baseline gap-x-2">
          {rated > 0 && <span className="text-2xl leading-7 tabular-nums">{text.average(data.averageRating)}</span>}
          <span className="text-xs text-muted">{rated > 0 ? text.ratings(rated) : text.unrated}</span>
        </p>
        <p className="text-xs text-muted">{text.said(said)}</p>
      </div>
    );
  }
  if (error) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p role="alert" className="min-w-0 text-sm wrap-anywhere text-danger">
          {text.countFailed(errorSentence(error))}
        </p>
        <Button onClick={() => void refetch()}>{text.countAgain}</Button>
      </div>
    );
  }
  return <Skeleton className="my-1 h-9 w-40" />;
}

function FeedbackText({ feedback: { userName, rating, createdAt, text: said } }: { readonly feedback: Feedback }) {
  return (
    <>
      <p className="flex items-baseline gap-3">
        <span className="min-w-0 truncate font-medium">{userName}</span>
        {rating > 0 && <span className="shrink-0 tabular-nums">{text.rating(rating)}</span>}
        <span className="ml-auto shrink-0 text-xs">
          <Ago at={createdAt} />
        </span>
      </p>
      <p className="wrap-anywhere whitespace-pre-wrap">{said}</p>
    </>
  );
}
