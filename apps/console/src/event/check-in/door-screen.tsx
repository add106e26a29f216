import type { Event } from "@followspot/contract/event";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Printer } from "lucide-react";
import { groupShortCode } from "@followspot/contract";
import { dateTime } from "../../lib/formatting.ts";
import { strings } from "../../lib/strings.ts";
import { useLocalList } from "../../lib/use-local-list.ts";
import { useUrlSearch } from "../../lib/use-list-screen.ts";
import { buttonClass } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { RowActions, RowTitle, type RowAction } from "../../ui/row-parts.tsx";
import { Status } from "../../ui/status.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { TableColumn } from "../../ui/table-columns.ts";
import { ClockNote } from "../clock-note.tsx";
import { asksForRegistration, doorTimes } from "../event-rules.ts";
import { ATTENDEES, countsOf, type Attendee } from "./attendees.ts";
import { useCheckInCount, useDoor, useUndo } from "./check-in.queries.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import { nearTime } from "./door-rules.ts";
import { ScanPanel } from "./scan-panel.tsx";
import { UnsettledPanel } from "./unsettled-panel.tsx";

/** Door of one event: scan or type codes, find attendees by name, check them in, undo a check-in. Works offline. */
export function DoorScreen({ eventId, event }: { readonly eventId: string; readonly event: Event | undefined }) {
  const peopleIn = useCheckInCount(eventId);
  const { door, scans, readAt, isSafe, list: loaded, ...state } = useDoor(eventId, event, peopleIn ?? 0);
  const list = useLocalList(ATTENDEES, loaded, useUrlSearch());
  const asks = asksForRegistration(event);
  const undo = useUndo(eventId);
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  const counts = loaded.rows && countsOf(loaded.rows);
  const takeBack = ({ code, name }: Attendee) => {
    if (door.takeBack(code)) showToast(text.undone(name));
    else showToast(text.undoLater(name), { bad: true });
  };
  const actionOf = (row: Attendee): RowAction => {
    if (row.state === "in") return { label: text.undo, act: () => open("undo", row) };
    if (row.state === "unsettled") return { label: text.undo, act: () => takeBack(row) };
    return { label: text.scan, act: () => door.scan(row.code) };
  };
  return (
    <ListPage
      list={list}
      text={text}
      title={event ? text.titleAt(event.title) : text.title}
      filters={asks ? text.filters : text.unlistedFilters}
      columns={columns(asks, event?.timeZone, actionOf)}
      rowHeight={44}
      beside={
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-sm">
          {counts && (
            <span className="font-medium text-ok">{text.count(counts.here, counts.expected, event?.places ?? 0)}</span>
          )}
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
          question={text.undoQuestion(shown.name)}
          label={text.undo}
          pendingLabel={text.undoing}
          done={text.undone(shown.name)}
          remove={() => undo(shown.userId)}
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

const belowName = ({ shortCode, admitted }: Attendee): string =>
  [shortCode && groupShortCode(shortCode), wordOf(text.admitted, admitted)].filter(Boolean).join(" · ");

const registrationColumn: TableColumn<Attendee> = {
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
  actionOf: (row: Attendee) => RowAction,
): readonly TableColumn<Attendee>[] => [
  {
    id: "name",
    head: text.columns.name,
    width: { min: 140, share: 2 },
    narrow: "title",
    sort: "name",
    cell: (row) => <RowTitle id={row.userId} title={row.name} below={belowName(row)} />,
    csv: ({ name }) => name,
  },
  ...(asks ? [registrationColumn] : []),
  {
    id: "at",
    head: text.columns.at,
    width: 190,
    narrow: "line",
    sort: "checked_in_at",
    cell: ({ state, at, registration }) =>
      state === "missing" ? (
        <Status tone={registration === "waiting" ? "wait" : "off"}>
          {registration === "waiting" ? text.registrations.waiting : text.missing}
        </Status>
      ) : (
        <Status tone={state === "in" ? "ok" : "wait"}>{at ? dateTime(at, zone) : text.in}</Status>
      ),
    csv: ({ at }) => (at ? at.toISOString() : ""),
  },
  {
    id: "by",
    head: text.columns.by,
    width: { min: 100, share: 1 },
    hideBelow: 640,
    cell: ({ state, by }) => (
      <span className="block truncate text-muted">
        {state === "in" ? by || text.deletedPerson : state === "unsettled" ? text.thisDoor : "—"}
      </span>
    ),
    csv: ({ by }) => by,
  },
  {
    id: "actions",
    head: strings.actions,
    width: 110,
    align: "end",
    narrow: "actions",
    cell: (row) => <RowActions id={row.userId} actions={[actionOf(row)]} />,
  },
];
