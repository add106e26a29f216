import type { Event, Registration } from "@followspot/contract/event";
import { Plus } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { dateTime, isoTime, toDate } from "../../lib/formatting.ts";
import { strings } from "../../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../../lib/use-list-screen.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteDialog, sayWhy } from "../../ui/delete-dialog.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { RowActions, RowTitle } from "../../ui/row-parts.tsx";
import { Status } from "../../ui/status.tsx";
import type { TableColumn } from "../../ui/table-columns.ts";
import { showToast } from "../../ui/toast.tsx";
import { ClockNote } from "../clock-note.tsx";
import { asksForRegistration } from "../event-rules.ts";
import { AddPersonDialog } from "./add-person-dialog.tsx";
import { InvitationPanel } from "./invitation-panel.tsx";
import { registrationsOf, useRegistrationCalls } from "./registrations.queries.ts";
import { StaffCodes } from "./staff-codes.tsx";
import { registrationStrings as text } from "./registrations.strings.ts";

/**
 * List of registered and waitlisted attendees, with actions to add and remove them.
 * @param back link that leaves the list
 */
export function RegistrationList({
  eventId,
  event,
  back,
}: {
  readonly eventId: string;
  readonly event: Event | undefined;
  readonly back?: ReactNode;
}) {
  const list = useListScreen(
    useMemo(() => registrationsOf(eventId), [eventId]),
    useUrlSearch(),
  );
  const calls = useRegistrationCalls(eventId);
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  const asks = asksForRegistration(event);
  const sayWhere = ({ userName, state, placeInLine }: Registration) =>
    showToast(state === "waiting" ? text.waits(userName, placeInLine) : text.gotPlace(userName));
  const givePlace = (userId: string) =>
    calls.register(userId, true).then((registration) => registration && sayWhere(registration), sayWhy);
  return (
    <ListPage
      list={list}
      text={event && !asks ? { ...text, empty: text.emptyUnasked } : text}
      title={event ? text.titleAt(event.title) : text.title}
      filters={text.filters}
      columns={columns(event?.timeZone, (row, isNarrow) => (
        <RowActions
          id={row.userId}
          isNarrow={isNarrow}
          actions={[
            row.state === "waiting" && { label: text.givePlace, act: () => void givePlace(row.userId) },
            !row.checkedInAt && { label: text.takeOff, isDanger: true, act: () => open("off", row) },
          ]}
        />
      ))}
      rowHeight={44}
      beside={
        <>
          {event && asks && (
            <span className="text-sm font-medium text-muted">{text.places(event.registered, event.places)}</span>
          )}
          <ClockNote event={event} />
        </>
      }
      tools={
        <>
          {back}
          {asks && (
            <Button variant="primary" onClick={() => open("new")}>
              <Plus aria-hidden size={14} /> {text.add}
            </Button>
          )}
        </>
      }
      above={
        event &&
        (asks ? (
          <>
            <StaffCodes />
            {event.registration === "invitation" && <InvitationPanel eventId={eventId} />}
          </>
        ) : (
          <p className="shrink-0 text-warn">{text.notAsked}</p>
        ))
      }
    >
      {dialog?.what === "new" && (
        <AddPersonDialog
          eventId={eventId}
          onClose={close}
          onDone={(registration) => {
            close();
            sayWhere(registration);
          }}
        />
      )}
      {dialog?.what === "off" && shown && (
        <DeleteDialog
          title={text.takeOffTitle}
          question={text.takeOffQuestion(shown.userName)}
          label={text.takeOff}
          pendingLabel={text.takingOff}
          done={text.takenOff(shown.userName)}
          remove={() => calls.takeOff(shown.userId)}
          onClose={close}
        />
      )}
    </ListPage>
  );
}

const stateText = ({ state, placeInLine }: Registration) =>
  state === "waiting" ? text.waiting(placeInLine) : text.registered;

/**
 * Columns of the list.
 * @param zone time zone of the event
 */
const columns = (
  zone: string | undefined,
  actions: (row: Registration, isNarrow: boolean) => ReactNode,
): readonly TableColumn<Registration>[] => [
  {
    id: "name",
    head: text.columns.name,
    width: { min: 140, share: 2 },
    narrow: "title",
    sort: "name",
    cell: ({ userId, userName }) => <RowTitle id={userId} title={userName} />,
    csv: ({ userName }) => userName,
  },
  {
    id: "state",
    head: text.columns.state,
    width: 170,
    narrow: "line",
    cell: (row) => <Status tone={row.state === "waiting" ? "wait" : "ok"}>{stateText(row)}</Status>,
    csv: stateText,
  },
  {
    id: "at",
    head: text.columns.at,
    width: 190,
    hideBelow: 760,
    sort: "registered_at",
    cell: ({ registeredAt }) => <Moment at={toDate(registeredAt)} zone={zone} />,
    csv: ({ registeredAt }) => isoTime(registeredAt),
  },
  {
    id: "in",
    head: text.columns.in,
    width: 190,
    hideBelow: 900,
    cell: ({ checkedInAt }) => <Moment at={toDate(checkedInAt)} zone={zone} />,
    csv: ({ checkedInAt }) => isoTime(checkedInAt),
  },
  { id: "actions", head: strings.actions, width: 210, align: "end", narrow: "actions", cell: actions },
];

const Moment = ({ at, zone }: { readonly at: Date | undefined; readonly zone: string | undefined }) => (
  <span className="block truncate">{at ? dateTime(at, zone) : "—"}</span>
);
