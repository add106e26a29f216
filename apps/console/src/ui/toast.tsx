import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useOfKey } from "../lib/key-table.ts";
import { isTyping } from "../lib/key-target.ts";
import { strings } from "../lib/strings.ts";
import { buttonClass } from "./button.tsx";
import { TOAST_KEYS } from "./toast.keys.ts";

const SHOWN_MS = 8000;
const MOST = 3;

interface ToastAction {
  readonly label: string;
  readonly act: () => void;
}

interface ToastData {
  readonly bad: boolean;
  readonly undo?: (() => void) | undefined;
  readonly action?: ToastAction;
}

const toasts = Toast.createToastManager<ToastData>();

interface ToastOptions {
  readonly undo?: () => void;
  readonly bad?: boolean;
  /** Display time, ms. */
  readonly shownMs?: number;
}

/**
 * Shows a message in the corner. With `undo` it offers to undo the reported action, also by Ctrl+Z.
 * @returns a function that closes it early
 */
export function showToast(text: string, { undo, bad = false, shownMs = SHOWN_MS }: ToastOptions = {}): () => void {
  const id = toasts.add({ title: text, timeout: shownMs, data: { bad, undo } });
  return () => toasts.close(id);
}

/** A toast that stays until it is closed. */
export interface LastingToast {
  say(text: string): void;
  end(): void;
}

/** Shows the progress of a background task, with one action. */
export function showLasting(text: string, action: ToastAction): LastingToast {
  const id = toasts.add({ title: text, timeout: 0, data: { bad: false, action } });
  return { say: (title) => toasts.update(id, { title }), end: () => toasts.close(id) };
}

/**
 * Container of toasts: at the foot of the window, or at the top while a screen, or a dialog on a phone, has its buttons
 * at the foot. The timer of a toast pauses while the pointer or the focus is on it.
 */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts} timeout={SHOWN_MS} limit={MOST}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={strings.notices}
          className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col-reverse items-start gap-2 outline-none over-buttons:top-4 over-buttons:bottom-auto over-buttons:flex-col"
        >
          <ShownToasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

type Shown = ReturnType<typeof Toast.useToastManager<ToastData>>["toasts"][number];

function ShownToasts() {
  const { toasts: shown } = Toast.useToastManager<ToastData>();
  useUndoKey(shown);
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      data-notice
      className="pointer-events-auto max-w-full animate-rise rounded-lg border bg-raised shadow-xl shadow-black/30 transition-opacity data-ending-style:opacity-0 data-limited:hidden"
    >
      <Toast.Content className="flex items-center gap-3 py-2 pr-2 pl-3">
        {/* The title, because it is also the notice's name; not a heading of the page. */}
        <Toast.Title render={<p />} className={toast.data?.bad ? "wrap-anywhere text-danger" : "wrap-anywhere"} />
        {toast.data?.undo && (
          <Toast.Action className={buttonClass()} onClick={() => takeBack(toast)}>
            {strings.undo}
          </Toast.Action>
        )}
        {toast.data?.action && (
          <Toast.Action className={buttonClass()} onClick={toast.data.action.act}>
            {toast.data.action.label}
          </Toast.Action>
        )}
        <Toast.Close aria-label={strings.dismiss} className="rounded-md p-1 text-muted hover:text-fg">
          <X aria-hidden size={14} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

function takeBack({ id, data }: Shown): void {
  toasts.close(id);
  data?.undo?.();
}

/** Ctrl+Z runs the undo of the newest toast, unless the user is typing. */
function useUndoKey(shown: readonly Shown[]): void {
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  useEffect(() => {
    const undoNewest = (key: KeyboardEvent) => {
      if (useOfKey(TOAST_KEYS, key) !== "undo" || key.defaultPrevented || isTyping(key)) return;
      const newest = latest.current.find(({ data, transitionStatus }) => data?.undo && transitionStatus !== "ending");
      if (!newest) return;
      key.preventDefault();
      takeBack(newest);
    };
    window.addEventListener("keydown", undoNewest);
    return () => window.removeEventListener("keydown", undoNewest);
  }, []);
}
