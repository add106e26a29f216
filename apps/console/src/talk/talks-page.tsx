import { AuditService } from "@followspot/contract/audit";
import { TalkService, type Talk } from "@followspot/contract/talk";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft, Plus } from "lucide-react";
import { useMemo } from "react";
import { auditStrings } from "../audit/audit.strings.ts";
import { HistoryDrawer } from "../audit/history-drawer.tsx";
import { useCan } from "../auth/can.ts";
import { ClockNote } from "../event/clock-note.tsx";
import { isNotFound } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { useWholeList } from "../lib/use-whole-list.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { Page } from "../ui/page.tsx";
import { RowActions } from "../ui/row-parts.tsx";
import { bulkDelete } from "../ui/selection-bar.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { FeedbackDrawer } from "./feedback-drawer.tsx";
import { Schedule } from "./schedule.tsx";
import { talkColumns } from "./talk-columns.tsx";
import { TalkDialog } from "./talk-dialog.tsx";
import { talkSearch, type TalkSearch } from "./talk-search.ts";
import { warningsOf } from "./talk-times.ts";
import { bulkMoves } from "./bulk-moves.tsx";
import { talkName } from "./talk-name.ts";
import { talksOf, useEvent, useMoveTalk, useTalkCalls } from "./talk.queries.ts";
import { talkStrings as text } from "./talk.strings.ts";

const rpc = TalkService.method;

export function TalksPage() {
  const { eventId } = useParams({ from: "/shell/events/$eventId/talks" });
  const event = useEvent(eventId);
  const source = useMemo(() => talksOf(eventId), [eventId]);
  const list = useListScreen(source, useUrlSearch());
  const whole = useWholeList(source);
  const { view } = talkSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  // What a search or an order of the list hides and turns, the schedule shows by time.
  const show = (next: TalkSearch["view"]) => void navigate({ to: ".", search: { view: next }, replace: true });
  const can = useCan();
  const calls = useTalkCalls(eventId);
  const move = useMoveTalk();
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  const mayDelete = can(rpc.deleteTalk);
  const back = (
    <Link to="/events" className={buttonClass()}>
      <ArrowLeft aria-hidden size={14} /> {text.back}
    </Link>
  );
  if (isNotFound(event.error))
    return (
      <Page title={text.title} tools={back}>
        <EmptyState text={text.noEvent} />
      </Page>
    );
  const actions = (talk: Talk, isNarrow: boolean) => (
    <RowActions
      id={talk.id}
      isNarrow={isNarrow}
      actions={[
        can(rpc.updateTalk) && { label: strings.edit, act: () => open("edit", talk) },
        mayDelete && { label: strings.delete, isDanger: true, act: () => open("delete", talk) },
      ]}
      more={[
        can(rpc.listFeedback) && { label: text.feedback.open, onSelect: () => open("feedback", talk) },
        can(AuditService.method.listAuditEntries) && {
          label: auditStrings.history,
          onSelect: () => open("history", talk),
        },
      ]}
    />
  );
  const shownEvent = event.data?.event;
  const title = shownEvent?.title ? text.titleAt(shownEvent.title) : text.title;
  const create = can(rpc.createTalk) && (
    <Button variant="primary" onClick={() => open("new")}>
      <Plus aria-hidden size={14} /> {text.create}
    </Button>
  );
  const tools = (
    <>
      {back}
      {create}
    </>
  );
  const views = (
    <>
      <Segments
        label={text.view.label}
        value={view ?? "list"}
        onChange={(next) => show(next === "list" ? undefined : next)}
        segments={[
          { value: "list", label: text.view.list },
          { value: "schedule", label: text.view.schedule },
        ]}
      />
      <ClockNote event={shownEvent} />
    </>
  );
  const dialogs = (
    <>
      {dialog?.what === "new" && shownEvent && <TalkDialog talk={undefined} event={shownEvent} onClose={close} />}
      {dialog?.what === "edit" && shown && shownEvent && (
        <TalkDialog key={shown.id} talk={shown} event={shownEvent} onClose={close} />
      )}
      {dialog?.what === "feedback" && shown && <FeedbackDrawer talk={shown} onClose={close} />}
      {dialog?.what === "history" && shown && (
        <HistoryDrawer target={`talk ${shown.id}`} name={talkName(shown)} onClose={close} />
      )}
      {dialog?.what === "delete" && shown && (
        <DeleteDialog
          title={text.deleteTitle}
          question={text.deleteQuestion(talkName(shown))}
          done={text.deleted(talkName(shown))}
          remove={() => calls.remove(shown)}
          restore={() => calls.restore(shown)}
          onClose={close}
        />
      )}
    </>
  );
  if (view === "schedule")
    return (
      <Page title={title} beside={views} tools={tools}>
        {list.phase === "failed" ? (
          <ErrorState prefix={text.loadError} error={list.error} onRetry={list.retry} />
        ) : !shownEvent || !whole.isWhole ? (
          <Loading />
        ) : whole.rows.length === 0 ? (
          <EmptyState text={text.empty}>{create}</EmptyState>
        ) : (
          <Schedule
            event={shownEvent}
            talks={whole.rows}
            mayMove={can(rpc.updateTalk)}
            onOpen={(talk) => open("edit", talk)}
          />
        )}
        {dialogs}
      </Page>
    );
  const warnings = (talk: Talk) => warningsOf(talk, whole.rows, shownEvent);
  return (
    <ListPage
      list={list}
      text={text}
      title={title}
      filters={text.filters}
      columns={talkColumns(actions, warnings, shownEvent?.timeZone)}
      rowHeight={list.rows.some((talk) => warnings(talk).length > 0) ? 68 : 52}
      bulk={[...(can(rpc.updateTalk) ? bulkMoves(move) : []), ...(mayDelete ? [bulkDelete(text, calls)] : [])]}
      beside={views}
      tools={tools}
      whenEmpty={create}
    >
      {dialogs}
    </ListPage>
  );
}
