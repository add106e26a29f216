import { useForm, useWatch } from "react-hook-form";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { MOST_REASON, amountError, parseAmount } from "./amount-rules.ts";
import { useMoveGold, type Holder } from "./accounting.queries.ts";
import { goldStrings } from "./accounting.strings.ts";

const text = goldStrings.form;

/** Grants or spends gold. The button says what it does with how much; what will be left stands above it. */
export function MoveDialog({
  kind,
  holder,
  balance,
  onClose,
}: {
  readonly kind: "grant" | "spend";
  readonly holder: Holder;
  readonly balance: bigint;
  readonly onClose: () => void;
}) {
  const move = useMoveGold();
  const { register, handleSubmit, control, formState } = useForm({ defaultValues: { amount: "", reason: "" } });
  const { errors, isDirty } = formState;
  const most = kind === "spend" ? balance : undefined;
  const amount = parseAmount(useWatch({ control, name: "amount" }), most);
  const [title, label, told] =
    kind === "grant"
      ? [text.grantTitle, text.submitGrant, text.granted]
      : [text.spendTitle, text.submitSpend, text.spent];
  const submit = handleSubmit((typed) => {
    const asked = parseAmount(typed.amount, most);
    if (asked === undefined) return;
    move.mutate(
      { kind, userId: holder.id, amount: asked, reason: typed.reason.trim() },
      {
        onSuccess: () => {
          onClose();
          showToast(told(holder.name, asked));
        },
      },
    );
  });
  return (
    <Dialog open dirty={isDirty} title={title(holder.name)} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <FormError error={move.error} />
          <TextField
            autoFocus
            inputMode="numeric"
            label={text.amount}
            hint={text.amountHint}
            error={errors.amount?.message}
            {...register("amount", { validate: (typed) => amountError(typed, most) ?? true })}
          />
          <TextField label={text.reason} most={MOST_REASON} {...register("reason", { maxLength: MOST_REASON })} />
          <p role="status" className="min-h-4 text-xs text-muted">
            {amount !== undefined && text.willHave(holder.name, kind === "grant" ? balance + amount : balance - amount)}
          </p>
        </DialogBody>
        <DialogActions>
          <Button large onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={move.isPending}>
            {move.isPending ? text.moving : label(amount === undefined ? text.gold : goldStrings.pieces(amount))}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
