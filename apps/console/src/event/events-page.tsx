import { AuditService } from "@followspot/contract/audit";
import { DirectorService } from "@followspot/contract/director";
import { EventService, type Event } from "@followspot/contract/event";
import { NightService } from "@followspot/contract/night";
import { TalkService } from "@followspot/contract/talk";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useChangeSearch } from "../lib/change-search.ts";
import { CalendarPlus, Plus } from "lucide-react";
import { useMemo } from "react";
import { auditStrings } from "../audit/audit.strings.ts";
import { HistoryDrawer } from "../audit/history-drawer.tsx";
import { useCan } from "../auth/can.ts";
import { strings } from "../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DeleteDialog, sayWhy } from "../ui/delete-dialog.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { RowActions } from "../ui/row-parts.tsx";
import { Segments } from "../ui/segments.tsx";
import { bulkDelete } from "../ui/selection-bar.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { DuplicateDialog } from "./duplicate-dialog.tsx";
import { eventColumns } from "./event-columns.tsx";
import { Calendar } from "./calendar/calendar.tsx";
import { today, weeksOf } from "./calendar/calendar-days.ts";
import { useReadEventsOn } from "./calendar/calendar.queries.ts";
import { EventDialog } from "./event-dialog.tsx";
import { eventSearch, type EventSearch } from "./event-search.ts";
import { EVENTS, OPEN_EVENTS, useEventCalls } from "./event.queries.ts";
import { eventStrings as text } from "./event.strings.ts";
import { useCalendarFile } from "./use-calendar-file.ts";

const rpc = EventService.method;
/** Default order: upcoming events start with the next one, all others with the latest. */
const ownOrder = (filter: string) => (filter === "upcoming" || filter === "live" ? "" : "starts_at desc");
const { deleted: _deleted, active: _active, ...openFilters } = text.filters;

export function EventsPage() {
  const can = useCan();
  const seesDeleted = can(rpc.restoreEvent);
  const list = useListScreen(seesDeleted ? EVENTS : OPEN_EVENTS, useUrlSearch(), { ownOrder });
  const { view, day = today(), on } = eventSearch(useSearch({ strict: false }));
  const calls = useEventCalls();
  const { mutate: writeFile, isPending: isWriting } = useCalendarFile();
  const navigate = useNavigate();
  const runsStage = can(DirectorService.method.goHome);
  const runsDoor = can(rpc.scanQr);
  const runsList = can(rpc.registerPerson);
  /** Users with edit permission have a crowded row; stage screen and check-in are in its menu. */
  const isCrowded = can(rpc.updateEvent);
  const { dialog, open } = list;
  const shown = dialog?.row;
  const place: (next: EventSearch) => void = useChangeSearch();
  const close = () => place({ open: undefined, on: undefined });
  const question = { query: list.search.q?.trim() ?? "", filter: list.search.show ?? "", includeDeleted: seesDeleted };
  const readEventsOn = useReadEventsOn();
  const readShown = async () => {
    if (view) return readEventsOn(weeksOf(view, day).flat(), question);
    const rows: Event[] = [];
    for await (const page of list.everyRow(new AbortController().signal)) rows.push(...page);
    return rows;
  };
  const columns = useMemo(
    () =>
      eventColumns((event: Event, isNarrow: boolean) => (
        <span className="flex justify-end gap-1.5">
          <PageLink event={event} to="talks" />
          {runsStage && !isCrowded && <PageLink event={event} to="stage" />}
          {runsDoor && !isCrowded && <PageLink event={event} to="check-in" />}
          <RowActions
            id={event.id}
            isNarrow={isNarrow}
            actions={[
              can(rpc.updateEvent) && { label: strings.edit, act: () => open("edit", event) },
              can(rpc.restoreEvent) &&
                event.deletedAt && { label: strings.restore, act: () => calls.restore(event).catch(sayWhy) },
              can(rpc.deleteEvent) &&
                !event.deletedAt && { label: strings.delete, isDanger: true, act: () => open("delete", event) },
            ]}
            more={[
              can(TalkService.method.createTalk) &&
                !event.deletedAt && {
                  label: text.addTalk,
                  onSelect: () =>
                    void navigate({
                      to: "/events/$eventId/talks",
                      params: { eventId: event.id },
                      search: { open: "new" },
                    }),
                },
              can(rpc.duplicateEvent) &&
                !event.deletedAt && { label: text.duplicate.open, onSelect: () => open("duplicate", event) },
              { label: text.calendarFile.one, onSelect: () => writeFile(async () => [event]) },
              runsStage &&
                isCrowded &&
                !event.deletedAt && {
                  label: text.stage,
                  onSelect: () => void navigate({ to: "/events/$eventId/stage", params: { eventId: event.id } }),
                },
              runsDoor &&
                isCrowded &&
                !event.deletedAt && {
                  label: text.checkIn,
                  onSelect: () => void navigate({ to: "/events/$eventId/check-in", params: { eventId: event.id } }),
                },
              runsList &&
                !event.deletedAt && {
                  label: text.registrations,
                  onSelect: () =>
                    void navigate({ to: "/events/$eventId/registrations", params: { eventId: event.id } }),
                },
              can(NightService.method.getNightReport) && {
                label: text.report,
                onSelect: () => void navigate({ to: "/events/$eventId/report", params: { eventId: event.id } }),
              },
              can(AuditService.method.listAuditEntries) && {
                label: auditStrings.history,
                onSelect: () => open("history", event),
              },
            ]}
          />
        </span>
      )),
    [can, calls, isCrowded, navigate, open, runsDoor, runsList, runsStage, writeFile],
  );
  return (
    <ListPage
      list={list}
      text={text}
      filters={seesDeleted ? text.filters : openFilters}
      columns={columns}
      rowHeight={52}
      whenEmpty={
        can(rpc.createEvent) && (
          <Button variant="primary" onClick={() => open("new")}>
            {text.createFirst}
          </Button>
        )
      }
      onOpen={({ id }) => void navigate({ to: "/events/$eventId/talks", params: { eventId: id } })}
      bulk={can(rpc.deleteEvent) ? [bulkDelete(text, calls, ({ deletedAt }) => !deletedAt)] : []}
      beside={
        <Segments
          label={text.view.label}
          value={view ?? "list"}
          onChange={(next) => place({ view: next === "list" ? undefined : next })}
          segments={[
            { value: "list", label: text.view.list },
            { value: "month", label: text.view.month },
            { value: "week", label: text.view.week },
          ]}
        />
      }
      instead={
        view && (
          <Calendar
            view={view}
            day={day}
            question={question}
            onDay={(next) => place({ day: next })}
            onOpen={(event) =>
              can(rpc.updateEvent)
                ? open("edit", event)
                : void navigate({ to: "/events/$eventId/talks", params: { eventId: event.id } })
            }
            onNew={can(rpc.createEvent) ? (next) => place({ open: "new", on: next }) : undefined}
          />
        )
      }
      tools={
        <>
          <Button aria-label={text.calendarFile.shownLabel} pending={isWriting} onClick={() => writeFile(readShown)}>
            <CalendarPlus aria-hidden size={14} /> {text.calendarFile.shown}
          </Button>
          {can(rpc.createEvent) && (
            <Button variant="primary" onClick={() => open("new")}>
              <Plus aria-hidden size={14} /> {text.create}
            </Button>
          )}
        </>
      }
    >
      {dialog?.what === "new" && <EventDialog event={undefined} day={on} onClose={close} />}
      {dialog?.what === "edit" && shown && <EventDialog key={shown.id} event={shown} onClose={close} />}
      {dialog?.what === "duplicate" && shown && <DuplicateDialog key={shown.id} event={shown} onClose={close} />}
      {dialog?.what === "history" && shown && (
        <HistoryDrawer target={`event ${shown.id}`} name={shown.title} onClose={close} />
      )}
      {dialog?.what === "delete" && shown && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(shown.title)}
          done={text.deleted(shown.title)}
          remove={() => calls.remove(shown)}
          restore={() => calls.restore(shown)}
          onClose={close}
        />
      )}
    </ListPage>
  );
}

const PAGES = { talks: text.talks, stage: text.stage, "check-in": text.checkIn } as const;

function PageLink({ event, to }: { readonly event: Event; readonly to: keyof typeof PAGES }) {
  return (
    <Link
      to={`/events/$eventId/${to}`}
      params={{ eventId: event.id }}
      className={buttonClass()}
      aria-describedby={rowTitleId(event.id)}
    >
      {PAGES[to]}
    </Link>
  );
}
