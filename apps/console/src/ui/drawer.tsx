import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";
import { BACKDROP } from "./dialog.tsx";
import { dialogStrings as text } from "./dialog.strings.ts";
import { ReturnFocus } from "./return-focus.tsx";

/** A side panel as high as the window; Escape and a click outside close it. */
export function Drawer({
  title,
  onClose,
  wide = false,
  above,
  children,
}: {
  readonly title: string;
  /** Whether the drawer is wide enough for rows with buttons. */
  readonly wide?: boolean;
  readonly onClose: () => void;
  /** Fixed content above the scrolling part. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <BaseDialog.Root open onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={BACKDROP} />
        <BaseDialog.Popup
          className={cx(
            wide ? "max-w-3xl" : "max-w-lg",
            "fixed inset-y-0 right-0 z-50 flex w-full flex-col border-l bg-surface shadow-2xl shadow-black/40 transition-[opacity,transform] data-ending-style:translate-x-4 data-ending-style:opacity-0 data-starting-style:translate-x-4 data-starting-style:opacity-0",
          )}
        >
          <ReturnFocus />
          <div className="flex shrink-0 items-center justify-between gap-3 border-b py-3 pr-3 pl-4">
            <BaseDialog.Title className="min-w-0 text-sm font-semibold wrap-anywhere">{title}</BaseDialog.Title>
            <BaseDialog.Close
              className="shrink-0 rounded-md p-1 text-muted hover:bg-raised hover:text-fg"
              aria-label={text.close}
            >
              <X aria-hidden size={16} />
            </BaseDialog.Close>
          </div>
          {above}
          <div className="min-h-0 flex-1 overflow-auto">{children}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
