import { EventService } from "@followspot/contract/event";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useCan } from "../../auth/can.ts";
import { isNotFound } from "../../lib/errors.ts";
import { strings } from "../../lib/strings.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { useEvent } from "../event.queries.ts";
import { unsettledOf } from "./check-in.queries.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import { DoorScreen } from "./door-screen.tsx";

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
