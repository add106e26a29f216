import { useState } from "react";
import { useWatch } from "react-hook-form";
import { errorSentence, isNotFound, refusedField } from "../lib/errors.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields.tsx";
import { FormDialog, useDialogForm } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { PeoplePicker, type PickedPerson } from "../ui/people-picker.tsx";
import { showToast } from "../ui/toast.tsx";
import { MOST_REASON, amountError, parseAmount } from "./amount-rules.ts";
import { RECEIVERS, useMoveGold, type Holder } from "./accounting.queries.ts";
import { goldStrings } from "./accounting.strings.ts";

const text = goldStrings.form;

export type MoveKind = "grant" | "spend" | "transfer";

const WORDS = {
  grant: { title: text.grantTitle, submit: text.submitGrant },
  spend: { title: text.spendTitle, submit: text.submitSpend },
  transfer: { title: text.transferTitle, submit: text.submitTransfer },
} as const;

/**
 * Grants, spends or transfers gold. The button says what it does with how much; who will have what stands above it. A
 * refusal of the server stands under the field it is about.
 */
export function MoveDialog({
  kind,
  holder,
  balance,
  onClose,
}: {
  readonly kind: MoveKind;
  readonly holder: Holder;
  readonly balance: bigint;
  readonly onClose: () => void;
}) {
  const move = useMoveGold();
  const { register, handleSubmit, control, formState } = useDialogForm({ amount: "", reason: "" });
  const { errors, isDirty, submitCount } = formState;
  const [receiver, setReceiver] = useState<PickedPerson>();
  const isMissing = kind === "transfer" && !receiver;
  const most = kind === "grant" ? undefined : balance;
  const amount = parseAmount(useWatch({ control, name: "amount" }), most);
  const { title, submit: label } = WORDS[kind];
  const refusal = refusalOf(move.error, kind);
  const choose = (person: PickedPerson | undefined) => {
    setReceiver(person);
    move.reset();
  };
  const submit = handleSubmit((typed) => {
    const asked = parseAmount(typed.amount, most);
    if (asked === undefined || isMissing) return;
    const fields = { userId: holder.id, amount: asked, reason: typed.reason.trim() };
    move.mutate(kind === "transfer" ? { kind, ...fields, toUserId: receiver?.id ?? "" } : { kind, ...fields }, {
      onSuccess: () => {
        onClose();
        showToast(doneWords(kind, holder.name, asked, receiver));
      },
    });
  });
  return (
    <FormDialog
      dirty={isDirty || receiver !== undefined}
      title={title(holder.name)}
      submitLabel={label(amount === undefined ? text.gold : goldStrings.pieces(amount))}
      pendingLabel={text.moving}
      pending={move.isPending}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <FormError error={refusal.ofForm} />
      {kind === "transfer" &&
        (receiver ? (
          <Receiver person={receiver} error={refusal.ofReceiver} onChange={() => choose(undefined)} />
        ) : (
          <PeoplePicker
            source={RECEIVERS}
            text={text}
            except={[holder.id]}
            error={submitCount > 0 ? text.peopleRequired : undefined}
            onChoose={choose}
          />
        ))}
      <TextField
        autoFocus={kind !== "transfer"}
        inputMode="numeric"
        label={text.amount}
        hint={text.amountHint}
        error={errors.amount?.message ?? refusal.ofAmount}
        {...register("amount", {
          validate: (typed) => amountError(typed, most) ?? true,
          // What the server said was about the amount before.
          onChange: () => refusal.ofAmount && move.reset(),
        })}
      />
      <TextField label={text.reason} most={MOST_REASON} {...register("reason", { maxLength: MOST_REASON })} />
      <p role="status" className="min-h-4 text-xs wrap-anywhere text-muted">
        {amount !== undefined && outlook(kind, holder.name, balance, amount, receiver)}
      </p>
    </FormDialog>
  );
}

function Receiver({
  person: { name, below },
  error,
  onChange,
}: {
  readonly person: PickedPerson;
  readonly error: string | undefined;
  readonly onChange: () => void;
}) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs font-medium">{text.to}</p>
      <div className="flex items-center justify-between gap-3 rounded-md border px-2 py-1.5">
        <span className="min-w-0">
          <span className="block wrap-anywhere">{name}</span>
          {below && <span className="block truncate text-xs text-muted">{below}</span>}
        </span>
        <Button onClick={onChange}>{text.change}</Button>
      </div>
      {error && (
        <p role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

interface Refusal {
  readonly ofForm?: unknown;
  readonly ofAmount?: string;
  readonly ofReceiver?: string;
}

/** Where a failure is shown: at its field, or above the form. */
function refusalOf(error: unknown, kind: MoveKind): Refusal {
  if (!error) return {};
  const refused = refusedField(error);
  if (refused?.field === "amount") return { ofAmount: refused.why };
  if (kind === "transfer" && refused?.field === "toUserId") return { ofReceiver: refused.why };
  // The one who gives is looked at; only the other can be a purged person meanwhile.
  if (kind === "transfer" && isNotFound(error)) return { ofReceiver: errorSentence(error) };
  return { ofForm: error };
}

/** Who will have what. */
function outlook(kind: MoveKind, name: string, balance: bigint, amount: bigint, receiver: PickedPerson | undefined) {
  if (kind === "grant") return text.willHave(name, balance + amount);
  if (kind === "transfer" && receiver) return text.willGive(name, amount, receiver.name, balance - amount);
  return text.willHave(name, balance - amount);
}

function doneWords(kind: MoveKind, name: string, amount: bigint, receiver: PickedPerson | undefined): string {
  if (kind === "transfer") return text.transferred(name, amount, receiver?.name ?? "");
  return kind === "grant" ? text.granted(name, amount) : text.spent(name, amount);
}
