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
import { RegistrationList } from "./registration-list.tsx";
import { registrationStrings as text } from "./registrations.strings.ts";

/** Page with the registrations of one event. */
export function RegistrationsPage() {
  const { eventId } = useParams({ from: "/shell/events/$eventId/registrations" });
  const can = useCan();
  const { data, error } = useEvent(eventId);
  const event = data?.event;
  const isGone = isNotFound(error) || event?.deletedAt !== undefined;
  const back = (
    <Link to="/events" className={buttonClass()}>
      <ArrowLeft aria-hidden size={14} /> {text.back}
    </Link>
  );
  if (isGone || !can(EventService.method.registerPerson))
    return (
      <Page title={text.title} tools={back}>
        <EmptyState text={isGone ? text.deleted : strings.notAllowed} />
      </Page>
    );
  return <RegistrationList key={eventId} eventId={eventId} event={event} back={back} />;
}
