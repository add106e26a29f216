import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { useBlocker, useRouter } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { cx } from "./class-names.ts";
import { dialogStrings as text } from "./dialog.strings.ts";
import { FormError } from "./form-error.tsx";
import { ReturnFocus } from "./return-focus.tsx";

/** Classes of the backdrop behind a layer. */
export const BACKDROP =
  "fixed inset-0 z-40 bg-black/60 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0";
const POPUP =
  "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-1/2 flex-col overflow-hidden rounded-lg border bg-surface shadow-2xl shadow-black/40 transition-[opacity,transform] data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0";

/** A modal dialog; Escape and a click outside close it. */
export function Dialog({
  title,
  open,
  onClose,
  dirty = false,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  /** Called to close; without it the dialog stays open until its task is done. */
  readonly onClose?: () => void;
  /** Whether unsaved text would be lost: closing it or leaving the page then asks first. */
  readonly dirty?: boolean;
  /** "full" covers the page except for a margin. */
  readonly wide?: boolean | "full";
  readonly children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const close = () => (dirty ? setAsking(true) : onClose?.());
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={BACKDROP} />
        <BaseDialog.Popup
          className={cx(POPUP, wide === "full" ? "max-w-[1600px]" : wide ? "max-w-2xl" : "max-w-md")}
          // The library mistakes an autofocused field for the element that had the focus before the dialog.
          finalFocus={false}
        >
          <ReturnFocus />
          <div className="flex shrink-0 items-center justify-between gap-3 border-b py-3 pr-3 pl-4">
            <BaseDialog.Title className="text-sm font-semibold">{title}</BaseDialog.Title>
            {onClose && (
              <BaseDialog.Close
                className="rounded-md p-1 text-muted hover:bg-raised hover:text-fg"
                aria-label={text.close}
              >
                <X aria-hidden size={16} />
              </BaseDialog.Close>
            )}
          </div>
          {children}
          <DiscardDialog
            open={asking}
            onDiscard={() => {
              setAsking(false);
              onClose?.();
            }}
            onStay={() => setAsking(false)}
          />
          {open && dirty && <LeaveGuard />}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** Scrolling body of a dialog. */
export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className="flex min-h-0 flex-col gap-3 overflow-auto p-4">{children}</div>;
}

/** Buttons at the foot of a dialog; the primary one comes last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div data-dialog-buttons className="flex shrink-0 flex-wrap justify-end gap-2 border-t px-4 py-3">
      {children}
    </div>
  );
}

/** Footer of a form: Cancel and the submit button. */
export function SaveActions({
  label,
  pendingLabel = strings.saving,
  pending,
  disabled = false,
  onSave,
  onClose,
}: {
  readonly label: string;
  readonly pendingLabel?: string | undefined;
  readonly pending: boolean;
  readonly disabled?: boolean;
  /** Called on save, if there is no form to submit. */
  readonly onSave?: () => void;
  readonly onClose: () => void;
}) {
  return (
    <DialogActions>
      <Button large onClick={onClose}>
        {text.cancel}
      </Button>
      <Button
        large
        type={onSave ? "button" : "submit"}
        variant="primary"
        disabled={disabled}
        pending={pending}
        onClick={onSave}
      >
        {pending ? pendingLabel : label}
      </Button>
    </DialogActions>
  );
}

/** Confirms a destructive action. Cancel has the focus; the confirm button names the action. */
export function ConfirmDialog({
  title,
  message,
  confirmLabel,
  typeToConfirm,
  open,
  pending = false,
  error,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly message: string;
  readonly confirmLabel: string;
  /** Text that has to be typed first, for irreversible actions. */
  readonly typeToConfirm?: string | undefined;
  readonly open: boolean;
  readonly pending?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState("");
  const blocked = typeToConfirm !== undefined && typed.trim() !== typeToConfirm;
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={cx(POPUP, "max-w-md")} initialFocus={cancel}>
          <ReturnFocus />
          <div className="flex flex-col gap-2 overflow-auto p-4">
            <AlertDialog.Title className="text-sm font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="text-sm wrap-anywhere text-muted">{message}</AlertDialog.Description>
            {typeToConfirm !== undefined && (
              <label className="mt-1 flex flex-col gap-1 text-xs text-muted">
                {text.typeToConfirm(typeToConfirm)}
                <input
                  className="h-8 rounded-md border bg-bg px-2 text-sm text-fg"
                  value={typed}
                  onChange={(change) => setTyped(change.target.value)}
                />
              </label>
            )}
            <FormError error={error} />
          </div>
          <DialogActions>
            <Button large ref={cancel} onClick={onClose}>
              {text.cancel}
            </Button>
            <Button large variant="solid-danger" pending={pending} disabled={blocked} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </DialogActions>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface DiscardProps {
  readonly open: boolean;
  readonly onDiscard: () => void;
  readonly onStay: () => void;
}

function DiscardDialog({ open, onDiscard, onStay }: DiscardProps) {
  return (
    <ConfirmDialog
      title={text.unsaved.title}
      message={text.unsaved.message}
      confirmLabel={text.unsaved.discard}
      open={open}
      onConfirm={onDiscard}
      onClose={onStay}
    />
  );
}

/** History actions of the page itself; all others come from the browser's buttons. */
const CHANGES: readonly string[] = ["PUSH", "REPLACE"];

/** Blocks Back, links and closing the tab while they would discard the dialog's text. */
function LeaveGuard() {
  return useRouter({ warn: false }) ? <RouteGuard /> : null;
}

function RouteGuard() {
  const leaving = useBlocker({
    // A dialog in the address closes by a change of that address; only Back changes it without a request by the dialog.
    shouldBlockFn: ({ action, current, next }) => !CHANGES.includes(action) || current.pathname !== next.pathname,
    enableBeforeUnload: true,
    withResolver: true,
  });
  return (
    <DiscardDialog
      open={leaving.status === "blocked"}
      onDiscard={() => leaving.proceed?.()}
      onStay={() => leaving.reset?.()}
    />
  );
}
