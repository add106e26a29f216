import { useMutation } from "@connectrpc/connect-query";
import { DirectorService } from "@followspot/contract/director";
import { useState } from "react";
import { TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { tonightStrings } from "./tonight.strings.ts";

const USUAL_SECONDS = 20;

/** Words for the event's stage screen; for the screen without an event while no event is on. */
export function AnnounceDialog({
  eventId,
  onClose,
}: {
  readonly eventId: string | undefined;
  readonly onClose: () => void;
}) {
  const announce = useMutation(DirectorService.method.makeAnnouncement);
  const [said, setSaid] = useState("");
  const [seconds, setSeconds] = useState(String(USUAL_SECONDS));
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    if (said.trim() === "") return setProblem(tonightStrings.announceEmpty);
    announce.mutate(
      { text: said.trim(), seconds: Math.max(0, Math.round(Number(seconds) || 0)), ...(eventId && { eventId }) },
      {
        onSuccess: () => {
          showToast(tonightStrings.announced);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={tonightStrings.announceTitle}
      submitLabel={tonightStrings.announceGo}
      pendingLabel={tonightStrings.announceGo}
      pending={announce.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={announce.error} />
      <TextField
        label={tonightStrings.announceText}
        value={said}
        maxLength={1000}
        error={problem}
        onChange={({ target }) => {
          setSaid(target.value);
          setProblem(undefined);
        }}
      />
      <TextField
        label={tonightStrings.announceSeconds}
        hint={tonightStrings.announceSecondsHint}
        inputMode="numeric"
        value={seconds}
        onChange={({ target }) => setSeconds(target.value)}
      />
    </FormDialog>
  );
}
