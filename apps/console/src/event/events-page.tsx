import type { Event } from "@followspot/contract/event";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CalendarDays, Plus } from "lucide-react";
import { useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { strings } from "../lib/strings.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { SearchField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { pageOf, Pager } from "../ui/pager.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, ErrorState, Loading, NoMatch } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { ActionsCell, Cell, HeadCell, Row, Table, TableFrame } from "../ui/table.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { showToast } from "../ui/toast.tsx";
import { EventDialog } from "./event-dialog.tsx";
import { useDeleteEvent, useEvents, useRestoreEvent } from "./event.queries.ts";
import { eventStrings as text } from "./event.strings.ts";

type EventFilter = keyof typeof text.filters;
type Doing = { readonly what: "edit" | "delete"; readonly event: Event } | { readonly what: "create" };

const isOver = (event: Event) => (toDate(event.endsAt)?.getTime() ?? 0) < Date.now();
const FILTERS: Record<EventFilter, (event: Event) => boolean> = {
  all: () => true,
  upcoming: (event) => !event.deletedAt && !isOver(event),
  past: (event) => !event.deletedAt && isOver(event),
  deleted: (event) => event.deletedAt !== undefined,
};

const route = getRouteApi("/shell/events");

export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const events = useEvents();
  const restore = useRestoreEvent();
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const change = (next: ListSearch) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });

  const all = events.data?.events ?? [];
  const filter = (Object.keys(FILTERS) as EventFilter[]).find((each) => each === search.show) ?? "all";
  const matching = all.filter((event) => FILTERS[filter](event) && matches(event, search.q));
  const { rows, page, pages } = pageOf(matching, search.page ?? 1);
  const bringBack = ({ id }: Event) =>
    restore.mutate({ eventId: id }, { onError: (error) => showToast(plainErrorText(error), { bad: true }) });

  return (
    <Page
      title={text.title}
      beside={
        <Segments
          label={text.filterLabel}
          value={filter}
          onChange={(value) => change({ show: value === "all" ? undefined : value })}
          segments={(Object.keys(FILTERS) as EventFilter[]).map((value) => ({
            value,
            label: text.filters[value],
            ...(events.data && { count: all.filter(FILTERS[value]).length }),
          }))}
        />
      }
      tools={
        <>
          <SearchField
            label={text.search}
            hint={text.searchHint}
            value={search.q ?? ""}
            onSearch={(q) => change({ q: q || undefined })}
          />
          <Button variant="primary" onClick={() => setDoing({ what: "create" })}>
            <Plus aria-hidden size={14} /> {text.create}
          </Button>
        </>
      }
    >
      {events.isPending ? (
        <Loading />
      ) : events.isError && !events.data ? (
        <ErrorState prefix={text.loadError} error={events.error} onRetry={() => void events.refetch()} />
      ) : all.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : matching.length === 0 ? (
        <NoMatch onClear={() => change({ show: undefined, q: undefined })} />
      ) : (
        <>
          <TableFrame label={text.title} refreshing={events.isFetching}>
            <Table>
              <thead>
                <tr>
                  <HeadCell>{text.columns.banner}</HeadCell>
                  <HeadCell>{text.columns.title}</HeadCell>
                  <HeadCell>{text.columns.start}</HeadCell>
                  <HeadCell>{text.columns.end}</HeadCell>
                  <HeadCell>{text.columns.address}</HeadCell>
                  <HeadCell>{strings.created}</HeadCell>
                  <HeadCell className="text-right">{strings.actions}</HeadCell>
                </tr>
              </thead>
              <tbody>
                {rows.map((event) => (
                  <EventRow
                    key={event.id}
                    event={event}
                    onDo={(what) => setDoing({ what, event })}
                    onRestore={() => bringBack(event)}
                  />
                ))}
              </tbody>
            </Table>
          </TableFrame>
          <Pager page={page} pages={pages} onPage={(next) => change({ page: next })} />
        </>
      )}
      {(doing?.what === "create" || doing?.what === "edit") && (
        <EventDialog event={doing.what === "edit" ? doing.event : undefined} onClose={close} />
      )}
      {doing?.what === "delete" && (
        <DeleteDialog event={doing.event} onClose={close} onUndo={() => bringBack(doing.event)} />
      )}
    </Page>
  );
}

function EventRow({
  event,
  onDo,
  onRestore,
}: {
  readonly event: Event;
  readonly onDo: (what: "edit" | "delete") => void;
  readonly onRestore: () => void;
}) {
  const [start, end, created] = [toDate(event.startsAt), toDate(event.endsAt), toDate(event.createdAt)];
  const titleId = `event-${event.id}`;
  const button = (action: string) => ({ "aria-describedby": titleId, children: action });
  return (
    <Row className="h-13">
      <Cell className="w-15">
        <Thumbnail src={event.bannerUrl} fallback={<CalendarDays size={16} />} />
      </Cell>
      <Cell className="min-w-36">
        <span id={titleId} className="line-clamp-1 font-medium wrap-anywhere">
          {event.title}
        </span>
        {event.deletedAt ? (
          <Status tone="bad">{text.deletedBadge}</Status>
        ) : (
          <span className="line-clamp-1 text-xs wrap-anywhere text-muted">{event.location}</span>
        )}
      </Cell>
      <Cell className="whitespace-nowrap">{start ? dateTime(start) : "—"}</Cell>
      <Cell className="whitespace-nowrap">{end ? dateTime(end) : "—"}</Cell>
      <Cell className="min-w-32">
        <span className="line-clamp-2 wrap-anywhere">{event.address || "—"}</span>
      </Cell>
      <Cell className="whitespace-nowrap text-muted" title={created && dateTime(created)}>
        {created ? relativeTime(created) : "—"}
      </Cell>
      <ActionsCell>
        <Link
          to="/events/$eventId/talks"
          params={{ eventId: event.id }}
          className={buttonClass()}
          aria-describedby={titleId}
        >
          {text.talks}
        </Link>
        <Button {...button(strings.edit)} onClick={() => onDo("edit")} />
        {event.deletedAt ? (
          <Button {...button(text.restore)} onClick={onRestore} />
        ) : (
          <Button variant="danger" {...button(strings.delete)} onClick={() => onDo("delete")} />
        )}
      </ActionsCell>
    </Row>
  );
}

function DeleteDialog({
  event,
  onClose,
  onUndo,
}: {
  readonly event: Event;
  readonly onClose: () => void;
  readonly onUndo: () => void;
}) {
  const remove = useDeleteEvent();
  return (
    <ConfirmDialog
      open
      title={text.deleteTitle}
      message={text.deleteQuestion(event.title)}
      confirmLabel={remove.isPending ? text.deleting : strings.delete}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { eventId: event.id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.deleted(event.title), { undo: onUndo });
            },
          },
        )
      }
    />
  );
}

function matches({ title, location, address }: Event, query: string | undefined): boolean {
  if (!query) return true;
  const wanted = query.trim().toLowerCase();
  return [title, location, address].some((text) => text.toLowerCase().includes(wanted));
}
