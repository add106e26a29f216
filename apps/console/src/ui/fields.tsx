import { Search } from "lucide-react";
import { useId, type ComponentProps, type ReactNode } from "react";
import { cx } from "./class-names.ts";

const CONTROL =
  "w-full rounded-md border bg-bg px-2 text-sm text-fg disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger";

interface FieldText {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** Label above, hint below, error under the field. */
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

function describe(id: string, { hint, error }: Partial<FieldText>) {
  const described = cx(hint && `${id}-hint`, error && `${id}-error`);
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined };
}

export function TextField({ label, hint, error, className, ...rest }: FieldText & ComponentProps<"input">) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        type="text"
        autoComplete="off"
        {...rest}
        {...describe(id, { hint, error })}
        className={cx(CONTROL, "h-8", className)}
      />
    </Field>
  );
}

export function TextAreaField({ label, hint, error, className, ...rest }: FieldText & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea rows={3} {...rest} {...describe(id, { hint, error })} className={cx(CONTROL, "py-1.5", className)} />
    </Field>
  );
}

export function SelectField({ label, hint, error, className, ...rest }: FieldText & ComponentProps<"select">) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
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
      <input type="checkbox" {...rest} className="size-4 accent-(--accent)" />
      {label}
    </label>
  );
}

export function SearchField({
  label,
  hint,
  value,
  onSearch,
}: {
  readonly label: string;
  /** What it looks through. */
  readonly hint: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
}) {
  return (
    <div className="relative w-full sm:w-56">
      <Search aria-hidden size={14} className="absolute top-1/2 left-2 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={hint}
        className={cx(CONTROL, "h-7 pl-7")}
        value={value}
        onChange={(change) => onSearch(change.target.value)}
      />
    </div>
  );
}
