import { X } from "lucide-react";
import { useEffect } from "react";
import { createStore, useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";

const SHOWN_MS = 8000;

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
  readonly undo?: (() => void) | undefined;
}

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Says something in the corner for eight seconds; with `undo` it can be taken back, also by Ctrl+Z. */
export function showToast(text: string, { undo, bad = false }: { undo?: () => void; bad?: boolean } = {}): void {
  const id = ++lastId;
  toasts.set([...toasts.get().slice(-2), { id, text, bad, undo }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

function takeBack(toast: Toast): void {
  dismiss(toast.id);
  toast.undo?.();
}

export function Toasts() {
  const shown = useStore(toasts);
  useEffect(() => {
    const undoNewest = (key: KeyboardEvent) => {
      if (key.key.toLowerCase() !== "z" || !(key.ctrlKey || key.metaKey) || key.shiftKey || isTyping(key.target))
        return;
      const newest = toasts.get().findLast((toast) => toast.undo);
      if (!newest) return;
      key.preventDefault();
      takeBack(newest);
    };
    window.addEventListener("keydown", undoNewest);
    return () => window.removeEventListener("keydown", undoNewest);
  }, []);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-start gap-2">
      {shown.map((toast) => (
        <div
          key={toast.id}
          className="pointer-events-auto flex max-w-full animate-rise items-center gap-3 rounded-lg border bg-raised py-2 pr-2 pl-3 shadow-xl shadow-black/30"
        >
          <span className={toast.bad ? "wrap-anywhere text-danger" : "wrap-anywhere"}>{toast.text}</span>
          {toast.undo && <Button onClick={() => takeBack(toast)}>{strings.undo}</Button>}
          <button
            type="button"
            aria-label={strings.dismiss}
            className="rounded-md p-1 text-muted hover:text-fg"
            onClick={() => dismiss(toast.id)}
          >
            <X aria-hidden size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
