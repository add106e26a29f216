import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { Refusal } from "./call.ts";

/** Input with its label above and its error below. */
export function Field({
  label,
  hint,
  problem,
  ...rest
}: {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
} & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className="guest-field"
        autoComplete="off"
        {...rest}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : hint ? `${id}-hint` : undefined}
      />
      {hint && !problem && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

export function Button({
  look = "plain",
  ...rest
}: { readonly look?: "plain" | "primary" | "danger" } & ComponentProps<"button">) {
  return <button type="button" className="guest-button" data-look={look} {...rest} />;
}

export function Section({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold">
        {title} {note && <span className="ml-1 text-sm font-normal text-muted">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <p className="py-2 text-sm text-muted">{children}</p>
);

/** Runs an action, and tracks whether it is in progress and how it failed. */
export function useAct() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem("");
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setProblem(error.message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { act, isBusy, problem, setProblem };
}

export const Problem = ({ says }: { readonly says: string }) =>
  says ? (
    <p role="alert" className="text-sm text-danger">
      {says}
    </p>
  ) : null;
