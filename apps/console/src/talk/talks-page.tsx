import type { Talk } from "@followspot/contract/talk";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { dateTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { ActionsCell, Cell, HeadCell, Row, Table, TableFrame } from "../ui/table.tsx";
import { showToast } from "../ui/toast.tsx";
import { useDeleteTalk, useEvent, useTalks } from "./talk.queries.ts";
import { talkStrings as text } from "./talk.strings.ts";

const route = getRouteApi("/shell/events/$eventId/talks");

export function TalksPage() {
  const { eventId } = route.useParams();
  const talks = useTalks(eventId);
  const eventTitle = useEvent(eventId).data?.event?.title;
  const [deleting, setDeleting] = useState<Talk>();
  const rows = talks.data?.talks ?? [];
  return (
    <Page
      title={eventTitle ? text.titleAt(eventTitle) : text.title}
      tools={
        <Link to="/events" className={buttonClass()}>
          <ArrowLeft aria-hidden size={14} /> {text.back}
        </Link>
      }
    >
      {talks.isPending ? (
        <Loading />
      ) : talks.isError && !talks.data ? (
        <ErrorState prefix={text.loadError} error={talks.error} onRetry={() => void talks.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : (
        <TableFrame label={text.title} refreshing={talks.isFetching}>
          <Table>
            <thead>
              <tr>
                <HeadCell>{text.columns.image}</HeadCell>
                <HeadCell>{text.columns.title}</HeadCell>
                <HeadCell>{text.columns.speaker}</HeadCell>
                <HeadCell>{text.columns.start}</HeadCell>
                <HeadCell>{strings.created}</HeadCell>
                <HeadCell className="text-right">{strings.actions}</HeadCell>
              </tr>
            </thead>
            <tbody>
              {rows.map((talk) => (
                <TalkRow key={talk.id} talk={talk} onDelete={() => setDeleting(talk)} />
              ))}
            </tbody>
          </Table>
        </TableFrame>
      )}
      {deleting && <DeleteDialog talk={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

function TalkRow({ talk, onDelete }: { readonly talk: Talk; readonly onDelete: () => void }) {
  const [start, created] = [toDate(talk.startAt), toDate(talk.createdAt)];
  const title = talk.title || text.noTitle;
  const titleId = `talk-${talk.id}`;
  return (
    <Row className="h-13">
      <Cell className="w-20">
        {talk.imageUrl ? (
          <img
            src={talk.imageUrl}
            alt=""
            width={48}
            height={36}
            loading="lazy"
            className="h-9 w-12 rounded-md border object-cover"
          />
        ) : (
          <span className="text-xs whitespace-nowrap text-muted">{text.noImage}</span>
        )}
      </Cell>
      <Cell className="min-w-40">
        <span id={titleId} className="line-clamp-1 font-medium wrap-anywhere">
          {title}
        </span>
        <span className="line-clamp-1 max-w-prose text-xs wrap-anywhere text-muted">{talk.body}</span>
      </Cell>
      <Cell className="min-w-28">{talk.userName || text.noSpeaker}</Cell>
      <Cell className="whitespace-nowrap">{start ? dateTime(start) : text.notScheduled}</Cell>
      <Cell className="whitespace-nowrap text-muted">{created ? dateTime(created) : text.unknown}</Cell>
      <ActionsCell>
        <Button variant="danger" aria-describedby={titleId} onClick={onDelete}>
          {strings.delete}
        </Button>
      </ActionsCell>
    </Row>
  );
}

function DeleteDialog({ talk, onClose }: { readonly talk: Talk; readonly onClose: () => void }) {
  const remove = useDeleteTalk();
  const title = talk.title || text.noTitle;
  return (
    <ConfirmDialog
      open
      title={text.deleteTitle}
      message={text.deleteQuestion(title)}
      confirmLabel={remove.isPending ? text.deleting : strings.delete}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { talkId: talk.id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.deleted(title));
            },
          },
        )
      }
    />
  );
}
