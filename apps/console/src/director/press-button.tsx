import { Check, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import { TOUCH } from "../ui/touch.ts";
import type { Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";

const LOOKS = {
  plain: "border-border bg-raised text-fg not-disabled:hover:border-muted",
  primary: "border-transparent bg-accent text-accent-fg not-disabled:hover:brightness-110",
  warn: "border-border bg-raised text-warn not-disabled:hover:border-warn",
  danger: "border-border bg-raised text-danger not-disabled:hover:border-danger",
} as const;
/** Style of text fields. Text of 16 px prevents phones from zooming in. */
export const FIELD = "min-h-12 w-full min-w-0 rounded-lg border bg-bg px-3 py-2.5 text-base text-fg";

/** Button that shows the state of its press: a spinner while it is pending, then a check mark. */
export function PressButton({
  name,
  presses,
  onPress,
  look = "plain",
  label,
  disabled = false,
  className,
  children,
}: {
  /** Unique name of the press. */
  readonly name: string;
  readonly presses: Presses;
  readonly onPress: () => unknown;
  readonly look?: keyof typeof LOOKS;
  /** Accessible name; undefined if the button's text is sufficient. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const isPending = presses.isPending(name);
  return (
    <button
      type="button"
      aria-label={label}
      aria-busy={isPending}
      disabled={disabled}
      // Ignores repeated presses while the request is pending.
      onClick={() => !isPending && void onPress()}
      className={cx(TOUCH, LOOKS[look], className)}
    >
      {isPending && <LoaderCircle aria-hidden size={18} className="animate-spin" />}
      {presses.taken === name && (
        <>
          <Check aria-hidden size={18} className="text-ok" />
          <span role="status" className="sr-only">
            {text.shownNow}
          </span>
        </>
      )}
      {children}
    </button>
  );
}

/** Titled block of controls. */
export function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{title}</h2>
      {children}
    </section>
  );
}
