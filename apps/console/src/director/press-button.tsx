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
/** What is typed in the strip; 16 px keep a phone from zooming in. */
export const FIELD = "min-h-12 w-full min-w-0 rounded-lg border bg-bg px-3 py-2.5 text-base text-fg";

/** A button that says what became of its press: a turning ring, then a tick. */
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
  /** Names the press; one for each thing a button does. */
  readonly name: string;
  readonly presses: Presses;
  readonly onPress: () => unknown;
  readonly look?: keyof typeof LOOKS;
  /** Where the text alone does not say what it is for. */
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
      // Pressed again while the answer is on its way, it would ask for the same.
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

/** One block of the strip. */
export function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{title}</h2>
      {children}
    </section>
  );
}
