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
const CODE_WAYS = ["mail", "link", "staff"] as const;
type CodeWay = (typeof CODE_WAYS)[number];

/** Settings for self-registration: closed, by invitation link, or open; and how codes reach guests. */
export function SignUpDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, isPending, error, refetch } = useQuery(rpc.getSignUp, {}, { staleTime: 0 });
  const [chosen, setChosen] = useState<Mode>();
  const [way, setWay] = useState<CodeWay>();
  const signUp = data?.signUp;
  const newMode = chosen !== undefined && chosen !== signUp?.mode ? chosen : undefined;
  const newWay = way !== undefined && way !== (signUp?.codeBy || "mail") ? way : undefined;
  const isChanged = signUp !== undefined && (newMode ?? newWay) !== undefined;
  const save = useMutation(rpc.setSignUp, {
    onSuccess: async () => {
      await refetch();
      setChosen(undefined);
      setWay(undefined);
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
            <Choices
              legend={text.legend}
              of={MODES}
              texts={text.modes}
              saved={signUp.mode}
              chosen={chosen ?? signUp.mode}
              onChoose={setChosen}
            />
            {newMode && <p className="text-sm">{text.change[newMode]}</p>}
            <Choices
              legend={text.codeLegend}
              of={CODE_WAYS}
              texts={text.codeWays}
              saved={signUp.codeBy || "mail"}
              chosen={way ?? (signUp.codeBy || "mail")}
              onChoose={setWay}
            />
            {!isChanged && signUp.warning && <p className="text-sm text-warn">{signUp.warning}</p>}
            {!isChanged && signUp.invitationPath !== "" && <Invitation signUp={signUp} refetch={refetch} />}
          </>
        )}
        <FormError error={save.error} />
      </DialogBody>
      {isChanged ? (
        <SaveActions
          label={text.save}
          pending={save.isPending}
          onSave={() => save.mutate({ mode: chosen ?? signUp.mode, ...(way && { codeBy: way }) })}
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

interface ChoicesProps<Choice extends string> {
  readonly legend: string;
  readonly of: readonly Choice[];
  readonly texts: Readonly<Record<Choice, { readonly name: string; readonly says: string }>>;
  readonly saved: string;
  readonly chosen: string;
  readonly onChoose: (choice: Choice) => void;
}

/** Radio buttons with what each choice means. */
function Choices<Choice extends string>({ legend, of, texts, saved, chosen, onChoose }: ChoicesProps<Choice>) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 text-xs font-medium">{legend}</legend>
      {of.map((mode) => (
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
              <span id={`${id}-${mode}`}>{texts[mode].name}</span>
              {saved === mode && <span className="ml-2 text-xs font-normal text-muted">{text.now}</span>}
            </span>
            <span id={`${id}-${mode}-says`} className="text-xs text-muted">
              {texts[mode].says}
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
