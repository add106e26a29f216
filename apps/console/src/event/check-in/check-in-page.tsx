import { EventService, type CheckIn, type Event } from "@followspot/contract/event";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Printer } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useCan } from "../../auth/can.ts";
import { isNotFound } from "../../lib/errors.ts";
import { dateTime, isoTime, toDate } from "../../lib/formatting.ts";
import { strings } from "../../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../../lib/use-list-screen.ts";
import { buttonClass } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Page } from "../../ui/page.tsx";
import { RowActions, RowTitle } from "../../ui/row-parts.tsx";
import { EmptyState } from "../../ui/states.tsx";
import type { TableColumn } from "../../ui/table-columns.ts";
import { ClockNote } from "../clock-note.tsx";
import { useEvent } from "../event.queries.ts";
import { asksForRegistration, doorTimes } from "../event-rules.ts";
import { checkInsOf, unsettledOf, useCheckInCount, useDoor, useUndo } from "./check-in.queries.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import { nearTime } from "./door-rules.ts";
import { ScanPanel } from "./scan-panel.tsx";
import { UnsettledPanel } from "./unsettled-panel.tsx";

const NO_FILTERS = { "": text.title };

/** Check-in page of one event: scan codes, list attendees, undo a check-in. */
export function CheckInPage() {
  const { eventId } = useParams({ from: "/shell/events/$eventId/check-in" });
  const can = useCan();
  const { data, error } = useEvent(eventId);
  const isGone = isNotFound(error) || data?.event?.deletedAt !== undefined;
  const back = (
    <Link to="/events" className={buttonClass()}>
      <ArrowLeft aria-hidden size={14} /> {text.back}
    </Link>
  );
  if (isGone || !can(EventService.method.scanQr))
    return (
      <Page title={text.title} tools={back}>
        <EmptyState text={isGone ? goneText(unsettledOf(eventId)) : strings.notAllowed} />
      </Page>
    );
  return <DoorScreen key={eventId} eventId={eventId} event={data?.event} />;
}

const goneText = (unsettled: number) => (unsettled > 0 ? text.goneUnsettled(unsettled) : text.deleted);

function DoorScreen({ eventId, event }: { readonly eventId: string; readonly event: Event | undefined }) {
  const list = useListScreen(
    useMemo(() => checkInsOf(eventId), [eventId]),
    useUrlSearch(),
  );
  const count = useCheckInCount(eventId);
  const { door, scans, readAt, isSafe, ...state } = useDoor(eventId, event, count ?? 0);
  const asks = asksForRegistration(event);
  const undo = useUndo(eventId);
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  return (
    <ListPage
      list={list}
      text={text}
      title={event ? text.titleAt(event.title) : text.title}
      filters={asks ? text.filters : NO_FILTERS}
      columns={columns(asks, event?.timeZone, (row) => (
        <RowActions id={row.id} actions={[{ label: text.undo, act: () => open("undo", row) }]} />
      ))}
      rowHeight={44}
      beside={
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-sm">
          {count !== undefined && <span className="font-medium text-ok">{text.count(count, event?.places ?? 0)}</span>}
          {event && <span className="text-muted">{doorsText(event)}</span>}
          <ClockNote event={event} />
        </span>
      }
      tools={
        <>
          <Link to="/events/$eventId/codes" params={{ eventId }} className={buttonClass()}>
            <Printer aria-hidden size={14} /> {text.printCodes}
          </Link>
          <Link to="/events" className={buttonClass()}>
            <ArrowLeft aria-hidden size={14} /> {text.back}
          </Link>
        </>
      }
      above={
        <>
          <UnsettledPanel
            {...state}
            readAt={readAt}
            zone={event?.timeZone}
            isSafe={isSafe}
            onClear={() => door.clearConflicts()}
          />
          <ScanPanel
            scans={scans}
            onScan={(code) => void door.scan(code)}
            onAdmit={(code) => void door.scan(code, true)}
          />
        </>
      }
    >
      {dialog?.what === "undo" && shown && (
        <DeleteDialog
          title={text.undoTitle}
          question={text.undoQuestion(shown.userName)}
          label={text.undo}
          pendingLabel={text.undoing}
          done={text.undone(shown.userName)}
          remove={() => undo(shown)}
          onClose={close}
        />
      )}
    </ListPage>
  );
}

function doorsText(event: Event): string {
  const { timeZone } = event;
  const { opensAt, closesAt } = doorTimes(event);
  return opensAt && closesAt ? text.doors(nearTime(opensAt, timeZone), nearTime(closesAt, timeZone)) : "";
}

const wordOf = <Words extends Readonly<Record<string, string>>>(words: Words, name: string): string =>
  Object.hasOwn(words, name) ? words[name]! : "";

const registrationColumn: TableColumn<CheckIn> = {
  id: "registration",
  head: text.columns.registration,
  width: 150,
  hideBelow: 760,
  cell: ({ registration }) => wordOf(text.registrations, registration) || "—",
  csv: ({ registration }) => wordOf(text.registrations, registration),
};

/**
 * Columns of the list.
 * @param asks whether the event uses registration
 * @param zone time zone of the event
 */
const columns = (
  asks: boolean,
  zone: string | undefined,
  actions: (row: CheckIn) => ReactNode,
): readonly TableColumn<CheckIn>[] => [
  {
    id: "name",
    head: text.columns.name,
    width: { min: 140, share: 2 },
    narrow: "title",
    sort: "name",
    cell: ({ id, userName, admitted }) => <RowTitle id={id} title={userName} below={wordOf(text.admitted, admitted)} />,
    csv: ({ userName }) => userName,
  },
  ...(asks ? [registrationColumn] : []),
  {
    id: "at",
    head: text.columns.at,
    width: 190,
    narrow: "line",
    sort: "checked_in_at",
    cell: ({ checkedInAt }) => {
      const at = toDate(checkedInAt);
      return <span className="block truncate">{at ? dateTime(at, zone) : "—"}</span>;
    },
    csv: ({ checkedInAt }) => isoTime(checkedInAt),
  },
  {
    id: "by",
    head: text.columns.by,
    width: { min: 100, share: 1 },
    hideBelow: 640,
    cell: ({ checkedInBy }) => <span className="block truncate text-muted">{checkedInBy || text.deletedPerson}</span>,
    csv: ({ checkedInBy }) => checkedInBy,
  },
  { id: "actions", head: strings.actions, width: 90, align: "end", narrow: "actions", cell: actions },
];
