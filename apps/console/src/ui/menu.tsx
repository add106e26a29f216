import { Menu as BaseMenu } from "@base-ui/react/menu";
import { ChevronDown, Ellipsis } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { cx } from "./class-names.ts";

export interface MenuAction {
  readonly label: string;
  readonly onSelect: () => void;
  readonly disabled?: boolean;
  readonly isDanger?: boolean;
}

const POPUP =
  "z-50 min-w-40 rounded-lg border bg-raised p-1 shadow-xl shadow-black/30 outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0";
export const MENU_ITEM =
  "flex cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-accent data-highlighted:text-accent-fg";

/** A button that opens a list of actions. `describedBy` is the ID of the element that describes their target. */
export function Menu({
  text,
  isIcon = false,
  describedBy,
  actions,
  disabled = false,
}: {
  readonly text: string;
  /** Shows three dots instead of the text; screen readers still read the text. */
  readonly isIcon?: boolean;
  readonly describedBy?: string;
  readonly actions: readonly MenuAction[];
  readonly disabled?: boolean;
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger className={buttonClass()} disabled={disabled} aria-describedby={describedBy}>
        <span className={isIcon ? "sr-only" : undefined}>{text}</span>{" "}
        {isIcon ? <Ellipsis aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
      </BaseMenu.Trigger>
      <MenuPopup>
        {actions.map((action) => (
          <BaseMenu.Item
            key={action.label}
            className={action.isDanger ? cx(MENU_ITEM, "text-danger") : MENU_ITEM}
            onClick={action.onSelect}
            disabled={action.disabled ?? false}
          >
            {action.label}
          </BaseMenu.Item>
        ))}
      </MenuPopup>
    </BaseMenu.Root>
  );
}

/**
 * Container of menus: the topmost dialog, otherwise the screen. Never a notice, because a notice disappears on its own.
 */
const LANDMARK = {
  get current() {
    return [...document.querySelectorAll<HTMLElement>("main, [role=dialog]:not([data-notice])")].at(-1) ?? null;
  },
};

/** The popup list. `finalFocus` controls whether the button gets the focus when it closes. */
export function MenuPopup({
  children,
  className,
  finalFocus,
}: {
  readonly children: ReactNode;
  readonly className?: string;
  readonly finalFocus?: ComponentProps<typeof BaseMenu.Popup>["finalFocus"];
}) {
  return (
    // `contents`: gaps and padding of the container do not affect it.
    <BaseMenu.Portal container={LANDMARK} className="contents">
      <BaseMenu.Positioner sideOffset={4} align="end" positionMethod="fixed" className="z-50">
        <BaseMenu.Popup className={cx(POPUP, className)} finalFocus={finalFocus}>
          {children}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  );
}
