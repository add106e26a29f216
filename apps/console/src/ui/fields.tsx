import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useId, useState, type ComponentProps, type FormEvent, type ReactNode } from "react";
import { tooLong } from "../lib/text-limits.ts";
import { Checkbox } from "./checkbox.tsx";
import { cx } from "./class-names.ts";

const CONTROL =
  "w-full rounded-md border bg-bg px-2 text-sm text-fg disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger";

interface FieldText {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

interface Elsewhere {
  /** ID of an element elsewhere that describes the field's error. */
  readonly problemId?: string | undefined;
}

interface Limit {
  /** Maximum length, characters. Longer text is never truncated: the field shows the count. */
  readonly most?: number | undefined;
}

/** Layout of a field: label above, hint below, error under the field. */
function Field({
  id,
  label,
  hint,
  error,
  children,
}: FieldText & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns the error of a text that is too long, and the handlers that count its characters. */
function useLimit(most: number | undefined, error: string | undefined) {
  const [length, setLength] = useState(0);
  const watch = ({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    setLength(currentTarget.value.length);
  return [error ?? tooLong(length, most), watch] as const;
}

function describe(id: string, { hint, error, problemId }: Partial<FieldText & Elsewhere>) {
  const described = cx(hint && `${id}-hint`, error && `${id}-error`, problemId);
  return { id, "aria-invalid": error || problemId ? true : undefined, "aria-describedby": described || undefined };
}

export function TextField({
  label,
  hint,
  error,
  problemId,
  most,
  className,
  ...rest
}: FieldText & Elsewhere & Limit & ComponentProps<"input">) {
  const id = useId();
  const [said, watch] = useLimit(most, error);
  return (
    <Field id={id} label={label} hint={hint} error={said}>
      <input
        type="text"
        autoComplete="off"
        {...rest}
        {...describe(id, { hint, error: said, problemId })}
        data-most={most}
        onInput={watch}
        className={cx(CONTROL, "h-8", className)}
      />
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  most,
  className,
  ...rest
}: FieldText & Limit & ComponentProps<"textarea">) {
  const id = useId();
  const [said, watch] = useLimit(most, error);
  return (
    <Field id={id} label={label} hint={hint} error={said}>
      <textarea
        rows={3}
        {...rest}
        {...describe(id, { hint, error: said })}
        data-most={most}
        onInput={watch}
        className={cx(CONTROL, "py-1.5", className)}
      />
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  error,
  above,
  className,
  ...rest
}: FieldText &
  ComponentProps<"select"> & {
    /** Content between the label and the select. */
    readonly above?: ReactNode;
  }) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {above}
      <select {...rest} {...describe(id, { hint, error })} className={cx(CONTROL, "h-8", className)} />
    </Field>
  );
}

export function FileField({ label, hint, error, ...rest }: FieldText & ComponentProps<"input">) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        {...describe(id, { hint, error })}
        type="file"
        className="w-full text-xs text-muted file:mr-3 file:h-7 file:rounded-md file:border file:border-border file:bg-raised file:px-2.5 file:text-sm file:text-fg"
      />
    </Field>
  );
}

export function CheckboxField({
  label,
  ...rest
}: { readonly label: ReactNode } & Omit<ComponentProps<"input">, "type">) {
  return (
    <label className="flex min-h-7 items-center gap-2 text-sm">
      <Checkbox {...rest} />
      {label}
    </label>
  );
}

/** Delay after the last key press before the search is sent, ms. */
const SEARCH_WAIT_MS = 150;

/** Search field that sends the text after a pause in typing; Enter sends it immediately. */
export function SearchField({
  label,
  hint,
  value,
  fills = false,
  problemId,
  waitMs = SEARCH_WAIT_MS,
  onSearch,
}: Elsewhere & {
  readonly label: string;
  /** Time without a key press after which the text is searched, ms. */
  readonly waitMs?: number;
  /** Description of what is searched. */
  readonly hint: string;
  readonly value: string;
  /** Whether the field fills the width of its container. */
  readonly fills?: boolean;
  readonly onSearch: (value: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [asked, setAsked] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The value was cleared or changed elsewhere, as by the Back button. An answer to the current search does not
    // change the text.
    if (value !== asked) {
      setAsked(value);
      setTyped(value);
    }
  }
  const ask = useEffectEvent(() => {
    if (typed === asked) return;
    setAsked(typed);
    onSearch(typed);
  });
  useEffect(() => {
    const wait = setTimeout(ask, waitMs);
    return () => clearTimeout(wait);
  }, [typed, waitMs]);
  return (
    <div className={cx("relative w-full", !fills && "sm:w-60")}>
      <Search aria-hidden size={14} className="absolute top-1/2 left-2 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        {...describe(id, { problemId })}
        placeholder={hint}
        maxLength={200}
        className={cx(CONTROL, "h-7 pl-7")}
        value={typed}
        onChange={(change) => setTyped(change.target.value)}
        onKeyDown={(key) => key.key === "Enter" && ask()}
      />
    </div>
  );
}
