import { EventService, type CheckIn } from "@followspot/contract/event";
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
import { useEvent } from "../event.queries.ts";
import { checkInsOf, useCheckInCount, useScans, useUndo } from "./check-in.queries.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import { ScanPanel } from "./scan-panel.tsx";

const FILTERS = { "": text.title };

/** The door of one event: scan, see who came, take one back. */
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
        <EmptyState text={isGone ? text.gone : strings.notAllowed} />
      </Page>
    );
  return <Door key={eventId} eventId={eventId} title={data?.event?.title} />;
}

function Door({ eventId, title }: { readonly eventId: string; readonly title: string | undefined }) {
  const list = useListScreen(
    useMemo(() => checkInsOf(eventId), [eventId]),
    useUrlSearch(),
  );
  const count = useCheckInCount(eventId);
  const { scans, scan } = useScans(eventId);
  const undo = useUndo(eventId);
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  return (
    <ListPage
      list={list}
      text={text}
      title={title ? text.titleAt(title) : text.title}
      filters={FILTERS}
      columns={columns((row) => (
        <RowActions id={row.id} actions={[{ label: text.undo, act: () => open("undo", row) }]} />
      ))}
      rowHeight={44}
      beside={count !== undefined && <span className="text-sm font-medium text-ok">{text.count(count)}</span>}
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
      above={<ScanPanel scans={scans} onScan={scan} />}
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

const columns = (actions: (row: CheckIn) => ReactNode): readonly TableColumn<CheckIn>[] => [
  {
    id: "name",
    head: text.columns.name,
    width: { min: 140, share: 2 },
    narrow: "title",
    sort: "name",
    cell: ({ id, userName }) => <RowTitle id={id} title={userName} />,
    csv: ({ userName }) => userName,
  },
  {
    id: "at",
    head: text.columns.at,
    width: 190,
    narrow: "line",
    sort: "checked_in_at",
    cell: ({ checkedInAt }) => {
      const at = toDate(checkedInAt);
      return <span className="block truncate">{at ? dateTime(at) : "—"}</span>;
    },
    csv: ({ checkedInAt }) => isoTime(checkedInAt),
  },
  {
    id: "by",
    head: text.columns.by,
    width: { min: 100, share: 1 },
    hideBelow: 640,
    cell: ({ checkedInBy }) => <span className="block truncate text-muted">{checkedInBy || text.nobody}</span>,
    csv: ({ checkedInBy }) => checkedInBy,
  },
  { id: "actions", head: strings.actions, width: 90, align: "end", narrow: "actions", cell: actions },
];
