import { useState } from "react";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Button } from "../ui/button.tsx";
import { showToast } from "../ui/toast.tsx";
import { useDismiss, type Dismissal } from "./failures.queries.ts";
import { failuresStrings as text } from "./failures.strings.ts";

/** What rows need to be chosen and dismissed. */
export interface Dismissing {
  readonly selected: ReadonlyMap<string, Dismissal>;
  readonly select: (key: string, one: Dismissal, isOn: boolean) => void;
  readonly clear: () => void;
  /** Those that the Admin is asked about. */
  readonly asking: readonly Dismissal[] | undefined;
  readonly ask: (dismissals: readonly Dismissal[] | undefined) => void;
}

/** Which failures are chosen, and which are about to go. */
export function useDismissing(): Dismissing {
  const [selected, setSelected] = useState<ReadonlyMap<string, Dismissal>>(new Map());
  const [asking, ask] = useState<readonly Dismissal[]>();
  const select = (key: string, one: Dismissal, isOn: boolean) => {
    const others = [...selected].filter(([each]) => each !== key);
    setSelected(new Map(isOn ? [...others, [key, one]] : others));
  };
  return { selected, select, clear: () => setSelected(new Map()), asking, ask };
}

/** How many are chosen, and what can be done with them. */
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

/** Asks before failures go: nothing brings them back. */
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
      // The dialog says what went wrong.
      onConfirm={() => void confirm().catch(() => undefined)}
      onClose={close}
    />
  );
}

const total = (dismissals: readonly Dismissal[]): number => dismissals.reduce((sum, { count }) => sum + count, 0);
