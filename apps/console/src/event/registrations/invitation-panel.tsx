import { useState } from "react";
import { errorSentence } from "../../lib/errors.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { LinkPanel } from "../../ui/link-panel.tsx";
import { useInvitation } from "./registrations.queries.ts";
import { registrationStrings as text } from "./registrations.strings.ts";

/** Invitation link of an event. */
export function InvitationPanel({ eventId }: { readonly eventId: string }) {
  const { data, error, renew } = useInvitation(eventId);
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState<boolean>();
  const path = data?.path;
  return (
    <details
      // Open while there is no link, otherwise closed to leave room for the list.
      open={isOpen ?? path === ""}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="max-w-xl shrink-0 rounded-lg border bg-surface p-3"
    >
      <summary className="cursor-pointer text-sm font-semibold">{text.invitation}</summary>
      <div className="mt-2 flex flex-col gap-2">
        {(error ?? renew.error) && (
          <p role="alert" className="text-danger">
            {errorSentence(error ?? renew.error)}
          </p>
        )}
        {data && <p className="text-muted">{path ? text.hasInvitation : text.noInvitation}</p>}
        {data?.warning && <p className="text-warn">{data.warning}</p>}
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
      </div>
    </details>
  );
}
