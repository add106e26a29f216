import { useState } from "react";
import { TextField } from "../../ui/fields.tsx";
import { patchStrings } from "../patch.strings.ts";
import { newStep } from "./history.ts";

const text = patchStrings.plan;

/** Number field that applies the typed value as soon as it is a number within the limits. */
export function NumberField({
  label,
  value,
  limits: [least, most],
  disabled = false,
  hint,
  onValue,
}: {
  readonly label: string;
  /** Current value; undefined if the selected fixtures differ. */
  readonly value: number | undefined;
  readonly limits: readonly [least: number, most: number];
  readonly disabled?: boolean;
  readonly hint?: string | undefined;
  /** @param step undo step; all typing during one focus of the field has the same step */
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

/** Parses a number with a decimal point or comma; undefined if it is invalid or out of range. */
function numberIn(typed: string, least: number, most: number): number | undefined {
  const value = Number(typed.trim().replace(",", ".").replace("−", "-"));
  return typed.trim() !== "" && value >= least && value <= most ? value : undefined;
}
