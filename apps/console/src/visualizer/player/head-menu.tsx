import { Menu } from "@base-ui/react/menu";
import { Check, Ellipsis } from "lucide-react";
import { useRef, type RefObject } from "react";
import { cx } from "../../ui/class-names.ts";
import { MENU_ITEM, MenuPopup } from "../../ui/menu.tsx";
import { LEADERS, type LeaderKind } from "../leader/leader-settings.ts";
import { leaderStrings } from "../leader/leader.strings.ts";
import { buttonLook } from "../look.ts";
import { visualizerStrings as text } from "../visualizer.strings.ts";

export interface HeadAction {
  readonly label: string;
  readonly onSelect: () => void;
  /** Whether the option is on; undefined for an action without a state. */
  readonly isOn?: boolean;
  /** Whether the action opens something that takes the focus. */
  readonly opens?: boolean;
}

interface HeadMenuProps {
  readonly triggerRef: RefObject<HTMLButtonElement | null>;
  readonly actions: readonly HeadAction[];
  readonly leader: LeaderKind;
  readonly onLead: (kind: LeaderKind) => void;
  readonly className: string;
}

/** Menu on phones with the actions that do not fit into the header. */
export function HeadMenu({ triggerRef, actions, leader, onLead, className }: HeadMenuProps) {
  const keepsFocus = useRef(false);
  return (
    <Menu.Root onOpenChange={(isOpen) => isOpen && (keepsFocus.current = false)}>
      <Menu.Trigger ref={triggerRef} className={cx(buttonLook({ icon: true }), className)} aria-label={text.more}>
        <Ellipsis size={16} aria-hidden="true" />
      </Menu.Trigger>
      <MenuPopup className="visualizer text-fg" finalFocus={() => !keepsFocus.current}>
        {actions.map(({ label, onSelect, isOn = false, opens = false }) => (
          <Menu.CheckboxItem
            key={label}
            className={ITEM}
            checked={isOn}
            closeOnClick
            onCheckedChange={() => {
              keepsFocus.current = opens && !isOn;
              onSelect();
            }}
          >
            <Mark isOn={isOn} /> {label}
          </Menu.CheckboxItem>
        ))}
        <Menu.RadioGroup value={leader} onValueChange={(kind: LeaderKind) => onLead(kind)}>
          <p className="mt-1 border-t px-2 pt-2 pb-0.5 text-xs text-muted">{leaderStrings.ledBy}</p>
          {LEADERS.map((kind) => (
            <Menu.RadioItem key={kind} value={kind} className={ITEM} closeOnClick>
              <Mark isOn={kind === leader} /> {leaderStrings.kinds[kind]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  );
}

const ITEM = cx(MENU_ITEM, "min-h-8");

function Mark({ isOn }: { readonly isOn: boolean }) {
  return <Check size={14} aria-hidden="true" className={cx("shrink-0", !isOn && "invisible")} />;
}
