import { useMutation, useQuery } from "@connectrpc/connect-query";
import { UserService, type SignUp } from "@followspot/contract/user";
import { useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { ConfirmDialog, Dialog, DialogActions, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { LinkPanel } from "../ui/link-panel.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { userStrings } from "./user.strings.ts";

const rpc = UserService.method;
const text = userStrings.signUp;

const MODES = ["closed", "invitation", "open"] as const;
type Mode = (typeof MODES)[number];

/** Setting for self-registration: closed, by invitation link, or open. */
export function SignUpDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, isPending, error, refetch } = useQuery(rpc.getSignUp, {}, { staleTime: 0 });
  const [chosen, setChosen] = useState<Mode>();
  const signUp = data?.signUp;
  const isChanged = chosen !== undefined && signUp !== undefined && chosen !== signUp.mode;
  const save = useMutation(rpc.setSignUp, {
    onSuccess: async () => {
      await refetch();
      setChosen(undefined);
      showToast(text.saved);
    },
  });
  return (
    <Dialog open title={text.title} dirty={isChanged} onClose={onClose}>
      <DialogBody>
        {isPending && <Loading rows={3} />}
        {error && !data && <ErrorState prefix={text.loadError} error={error} onRetry={() => void refetch()} />}
        {signUp && (
          <>
            <Modes saved={signUp.mode} chosen={chosen ?? signUp.mode} onChoose={setChosen} />
            {isChanged && <p className="text-sm">{text.change[chosen]}</p>}
            {!isChanged && signUp.invitationPath !== "" && <Invitation signUp={signUp} refetch={refetch} />}
          </>
        )}
        <FormError error={save.error} />
      </DialogBody>
      {isChanged ? (
        <SaveActions
          label={text.save}
          pending={save.isPending}
          onSave={() => save.mutate({ mode: chosen })}
          onClose={onClose}
        />
      ) : (
        <DialogActions>
          <Button large onClick={onClose}>
            {text.close}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

interface ModesProps {
  readonly saved: string;
  readonly chosen: string;
  readonly onChoose: (mode: Mode) => void;
}

function Modes({ saved, chosen, onChoose }: ModesProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 text-xs font-medium">{text.legend}</legend>
      {MODES.map((mode) => (
        <label
          key={mode}
          className={cx("flex gap-3 rounded-md px-2 py-2", chosen === mode ? "bg-accent/10" : "hover:bg-raised")}
        >
          <input
            type="radio"
            name={id}
            aria-labelledby={`${id}-${mode}`}
            aria-describedby={`${id}-${mode}-says`}
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={chosen === mode}
            onChange={() => onChoose(mode)}
          />
          <span className="flex min-w-0 flex-col gap-0.5">
            <span className="text-sm font-medium">
              <span id={`${id}-${mode}`}>{text.modes[mode].name}</span>
              {saved === mode && <span className="ml-2 text-xs font-normal text-muted">{text.now}</span>}
            </span>
            <span id={`${id}-${mode}-says`} className="text-xs text-muted">
              {text.modes[mode].says}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface InvitationProps {
  readonly signUp: SignUp;
  readonly refetch: () => Promise<unknown>;
}

/** Invitation link, with a button that replaces it. */
function Invitation({ signUp, refetch }: InvitationProps) {
  const [isAsking, setIsAsking] = useState(false);
  const renew = useMutation(rpc.renewInvitation, {
    onSuccess: async () => {
      await refetch();
      setIsAsking(false);
      showToast(text.renewed);
    },
  });
  return (
    <>
      <p className="text-xs text-muted">{text.linkHint}</p>
      <LinkPanel path={signUp.invitationPath} page={text.page} />
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => setIsAsking(true)}>{text.renew}</Button>
        <p className="min-w-0 flex-1 text-xs text-muted">{text.renewHint}</p>
      </div>
      <ConfirmDialog
        open={isAsking}
        title={text.renewTitle}
        message={text.renewQuestion}
        confirmLabel={text.renew}
        pending={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate({})}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
