import type { GuestEventJson } from "@followspot/contract/guest";
import { useState } from "react";
import { call } from "./call.ts";
import { guestStrings } from "./guest.strings.ts";
import { invitationOf } from "./links.ts";
import type { Night } from "./night.ts";
import { Button, Problem, Section, useAct } from "./parts.tsx";

const text = guestStrings.registration;

/** Registration for an event: register, see the waitlist position, or cancel. */
export function Registration({ event, night }: { readonly event: GuestEventJson; readonly night: Night }) {
  const { act, isBusy, problem } = useAct();
  const [isAsked, setAsked] = useState(false);
  const { id: eventId = "", registration, registrationState: state = "", places = 0, registered = 0 } = event;
  if (registration !== "open" && registration !== "invitation") return null;
  const invitation = invitationOf(eventId);
  const change = async (method: "Register" | "CancelRegistration") => {
    const body = method === "Register" ? { eventId, invitation } : { eventId };
    if (await act(() => call(`event.v1.EventService/${method}`, body))) await night.refresh();
    setAsked(false);
  };
  if (state === "") {
    if (registration === "invitation" && invitation === "")
      return <p className="text-sm text-muted">{text.byInvitation}</p>;
    const free = places - registered;
    return (
      <Section title={text.title} {...(places > 0 && { note: free > 0 ? text.free(free) : text.full })}>
        {invitation && <p className="text-sm text-muted">{text.invited}</p>}
        <Problem says={problem} />
        <Button look="primary" disabled={isBusy} onClick={() => void change("Register")}>
          {text.register}
        </Button>
      </Section>
    );
  }
  return (
    <Section title={text.title}>
      <p>{state === "waiting" ? text.waiting(event.placeInLine ?? 0) : text.registered}</p>
      <Problem says={problem} />
      {event.checkedInAt === undefined &&
        (isAsked ? (
          <div className="flex gap-2">
            <Button look="danger" disabled={isBusy} onClick={() => void change("CancelRegistration")}>
              {state === "waiting" ? text.leave : text.cancel}
            </Button>
            <Button onClick={() => setAsked(false)}>{guestStrings.cancel}</Button>
          </div>
        ) : (
          <button type="button" className="self-start text-sm text-muted underline" onClick={() => setAsked(true)}>
            {state === "waiting" ? text.leave : text.cancel}
          </button>
        ))}
    </Section>
  );
}
