import { useMutation } from "@connectrpc/connect-query";
import { DirectorService } from "@followspot/contract/director";
import { useState } from "react";
import { wholeNumber } from "../lib/whole-number.ts";
import { TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { tonightStrings } from "./tonight.strings.ts";

const USUAL_SECONDS = 20;
/** Maximum display time in the contract, s. */
const MOST_SECONDS = 86_400;
const MOST_TEXT = 1000;

/** Dialog for an announcement on the event's stage screen; without an event, on the general stage screen. */
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
  const [isTried, setTried] = useState(false);
  const textProblem = said.trim() === "" ? tonightStrings.announceEmpty : undefined;
  const secondsProblem =
    wholeNumber(seconds, MOST_SECONDS) === undefined ? tonightStrings.announceSecondsWrong : undefined;
  const submit = () => {
    setTried(true);
    const shownFor = wholeNumber(seconds, MOST_SECONDS);
    if (textProblem || shownFor === undefined) return;
    announce.mutate(
      { text: said.trim(), seconds: shownFor, ...(eventId && { eventId }) },
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
        most={MOST_TEXT}
        error={isTried ? textProblem : undefined}
        onChange={({ target }) => setSaid(target.value)}
      />
      <TextField
        label={tonightStrings.announceSeconds}
        hint={tonightStrings.announceSecondsHint}
        inputMode="numeric"
        value={seconds}
        error={isTried ? secondsProblem : undefined}
        onChange={({ target }) => setSeconds(target.value)}
      />
    </FormDialog>
  );
}
