import { useState } from "react";
import { TextField } from "../../ui/fields.tsx";
import { patchStrings } from "../patch.strings.ts";
import { newStep } from "./history.ts";

const text = patchStrings.plan;

/** A number that is taken over while it is typed, as soon as it is one within its limits. */
export function NumberField({
  label,
  value,
  limits: [least, most],
  disabled = false,
  hint,
  onValue,
}: {
  readonly label: string;
  /** Undefined where several differ. */
  readonly value: number | undefined;
  readonly limits: readonly [least: number, most: number];
  readonly disabled?: boolean;
  readonly hint?: string | undefined;
  /** @param step what is typed while the field has the focus is one step */
  readonly onValue: (value: number, step: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const [step, setStep] = useState(newStep);
  const shown = typed ?? (value === undefined ? "" : String(value));
  const isWrong = typed !== undefined && typed.trim() !== "" && numberIn(typed, least, most) === undefined;
  return (
    <TextField
      label={label}
      inputMode="decimal"
      placeholder={value === undefined && !disabled ? text.mixed : undefined}
      value={disabled ? "" : shown}
      disabled={disabled}
      hint={hint}
      error={isWrong ? text.between(least, most) : undefined}
      className="tabular-nums"
      onFocus={() => setStep(newStep())}
      onBlur={() => setTyped(undefined)}
      onChange={(event) => {
        setTyped(event.target.value);
        const next = numberIn(event.target.value, least, most);
        if (next !== undefined) onValue(next, step);
      }}
    />
  );
}

/** "2.5" or "2,5"; undefined for what is no number within the limits. */
function numberIn(typed: string, least: number, most: number): number | undefined {
  const value = Number(typed.trim().replace(",", ".").replace("−", "-"));
  return typed.trim() !== "" && value >= least && value <= most ? value : undefined;
}
