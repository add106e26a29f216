import { Redo2, Undo2, X } from "lucide-react";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "../ui/class-names.ts";
import { buttonLook, HELP, LINK, MUTED, WARN } from "./look.ts";

/** Tool panel beside the timeline. Focuses its title when it opens. */
export function SideTool({
  title,
  titleRef: givenRef,
  closeLabel,
  onClose,
  children,
}: {
  readonly title: string;
  /** Ref to the title, for callers that focus it again later. */
  readonly titleRef?: RefObject<HTMLHeadingElement | null>;
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const ownRef = useRef<HTMLHeadingElement>(null);
  const titleRef = givenRef ?? ownRef;
  useEffect(() => {
    titleRef.current?.focus();
    titleRef.current?.scrollIntoView?.({ block: "nearest" });
  }, [titleRef]);
  return (
    <section className="flex flex-col gap-3.5 border-b pb-4.5" aria-label={title}>
      <div className="flex items-center justify-between">
        <h2 ref={titleRef} tabIndex={-1} className="text-[13px] font-semibold outline-none">
          {title}
        </h2>
        <button type="button" className={SMALL_ICON} aria-label={closeLabel} onClick={onClose}>
          <X size={14} aria-hidden="true" />
        </button>
      </div>
      {children}
    </section>
  );
}

/** Placeholder for a tool's content: shows that it loads, or why it could not be loaded. */
export function NotYet({
  problem,
  notLoaded,
  onRetry,
}: {
  readonly problem: unknown;
  readonly notLoaded: (why: string) => string;
  readonly onRetry: () => void;
}) {
  if (!problem)
    return (
      <p role="status" className={MUTED}>
        {strings.loading}
      </p>
    );
  return (
    <p role="alert" className={cx(HELP, WARN)}>
      {notLoaded(plainErrorText(problem))}{" "}
      <button type="button" className={LINK} onClick={onRetry}>
        {strings.retry}
      </button>
    </p>
  );
}

/** Undo and redo buttons. */
export function UndoRedo({
  steps: { past, future },
  labels,
  keys,
  onAct,
}: {
  readonly steps: { readonly past: readonly unknown[]; readonly future: readonly unknown[] };
  readonly labels: { readonly undo: string; readonly redo: string };
  /** Values of aria-keyshortcuts, if keys trigger the same actions. */
  readonly keys?: { readonly undo: string; readonly redo: string };
  readonly onAct: (act: "undo" | "redo") => void;
}) {
  const buttons = [
    { act: "undo", Icon: Undo2, steps: past },
    { act: "redo", Icon: Redo2, steps: future },
  ] as const;
  return buttons.map(({ act, Icon, steps }) => (
    <button
      key={act}
      type="button"
      className={SMALL_ICON}
      aria-label={labels[act]}
      title={labels[act]}
      aria-keyshortcuts={keys?.[act]}
      disabled={steps.length === 0}
      onClick={() => onAct(act)}
    >
      <Icon size={14} aria-hidden="true" />
    </button>
  ));
}

const SMALL_ICON = buttonLook({ icon: true, small: true });
