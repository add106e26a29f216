import { useState } from "react";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Button } from "../ui/button.tsx";
import { showToast } from "../ui/toast.tsx";
import { useDismiss, type Dismissal } from "./failures.queries.ts";
import { failuresStrings as text } from "./failures.strings.ts";

/** Selection of failures and the pending dismissal. */
export interface Dismissing {
  readonly selected: ReadonlyMap<string, Dismissal>;
  readonly select: (key: string, one: Dismissal, isOn: boolean) => void;
  readonly clear: () => void;
  /** Dismissals awaiting confirmation; undefined if there are none. */
  readonly asking: readonly Dismissal[] | undefined;
  readonly ask: (dismissals: readonly Dismissal[] | undefined) => void;
}

/** Manages which failures are selected, and which await confirmation of their dismissal. */
export function useDismissing(): Dismissing {
  const [selected, setSelected] = useState<ReadonlyMap<string, Dismissal>>(new Map());
  const [asking, ask] = useState<readonly Dismissal[]>();
  const select = (key: string, one: Dismissal, isOn: boolean) => {
    const others = [...selected].filter(([each]) => each !== key);
    setSelected(new Map(isOn ? [...others, [key, one]] : others));
  };
  return { selected, select, clear: () => setSelected(new Map()), asking, ask };
}

/** Toolbar with the number of selected failures and their actions. */
export function SelectionBar({ dismissing: { selected, clear, ask } }: { readonly dismissing: Dismissing }) {
  if (selected.size === 0) return null;
  const chosen = [...selected.values()];
  return (
    <div
      role="group"
      aria-label={text.selected(total(chosen))}
      className="flex flex-wrap items-center gap-2 border-b px-4 py-2"
    >
      <span role="status" className="mr-auto">
        {text.selected(total(chosen))}
      </span>
      <Button onClick={() => ask(chosen)}>{text.dismiss}</Button>
      <Button onClick={clear}>{text.clearSelection}</Button>
    </div>
  );
}

/** Asks for confirmation before failures are dismissed, which cannot be undone. */
export function DismissDialog({ dismissing, query }: { readonly dismissing: Dismissing; readonly query: string }) {
  const { asking, ask, clear } = dismissing;
  const dismiss = useDismiss(query);
  const close = () => {
    dismiss.reset();
    ask(undefined);
  };
  const confirm = async () => {
    const { dismissed } = await dismiss.run(asking ?? []);
    close();
    clear();
    showToast(text.dismissed(dismissed));
  };
  return (
    <ConfirmDialog
      title={text.dismissTitle(total(asking ?? []))}
      message={text.dismissWhy}
      confirmLabel={text.dismiss}
      open={asking !== undefined}
      pending={dismiss.isPending}
      error={dismiss.error ?? undefined}
      // The dialog shows the error.
      onConfirm={() => void confirm().catch(() => undefined)}
      onClose={close}
    />
  );
}

const total = (dismissals: readonly Dismissal[]): number => dismissals.reduce((sum, { count }) => sum + count, 0);
