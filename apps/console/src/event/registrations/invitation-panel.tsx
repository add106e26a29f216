import { useState } from "react";
import { errorSentence } from "../../lib/errors.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { LinkPanel } from "../../ui/link-panel.tsx";
import { useInvitation } from "./registrations.queries.ts";
import { registrationStrings as text } from "./registrations.strings.ts";

/** The link of an event by invitation. */
export function InvitationPanel({ eventId }: { readonly eventId: string }) {
  const { data, error, renew } = useInvitation(eventId);
  const [isAsking, setAsking] = useState(false);
  const path = data?.path;
  return (
    <section
      aria-label={text.invitation}
      className="flex max-w-xl shrink-0 flex-col gap-2 rounded-lg border bg-surface p-3"
    >
      <h2 className="text-sm font-semibold">{text.invitation}</h2>
      {(error ?? renew.error) && (
        <p role="alert" className="text-danger">
          {errorSentence(error ?? renew.error)}
        </p>
      )}
      {data && <p className="text-muted">{path ? text.hasInvitation : text.noInvitation}</p>}
      {path && <LinkPanel path={path} page={text.invitationPage} />}
      {data && (
        <Button
          className="self-start"
          disabled={renew.isPending}
          onClick={() => (path ? setAsking(true) : renew.mutate())}
        >
          {path ? text.renewInvitation : text.makeInvitation}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={text.renewInvitation}
        message={text.renewQuestion}
        confirmLabel={text.renewInvitation}
        onConfirm={() => {
          setAsking(false);
          renew.mutate();
        }}
        onClose={() => setAsking(false)}
      />
    </section>
  );
}
