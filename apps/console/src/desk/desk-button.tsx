import { useId, type ReactNode } from "react";
import { isPressOfControl } from "../lib/key-target.ts";
import { cx } from "../ui/class-names.ts";
import { TOUCH } from "../ui/touch.ts";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";

const OFF = {
  plain: { ink: "text-fg", box: "border-border bg-raised hover:border-muted" },
  danger: { ink: "text-danger", box: "border-border bg-raised hover:border-danger" },
} as const;
const ON = {
  plain: { ink: "text-fg", box: "border-accent bg-accent/20" },
  danger: { ink: "text-accent-fg", box: "border-danger bg-danger" },
} as const;

/** Returns the name of the user who holds a control, or that the press waits for the connection. */
export function ownerText({ connection, state, waiting }: DeskView, control: string): string {
  if (connection !== "live" && waiting.has(control)) return text.waiting;
  const hand = state?.hands[control];
  if (!hand) return "";
  return hand.owner === state?.you ? text.you : text.by(hand.owner_name);
}

const isPress = (event: React.KeyboardEvent): boolean => event.key === "Enter" || isPressOfControl(event);

/** A button of the desk that shows whether its control is held, and by whom. */
export function DeskButton({
  view,
  control,
  isOn = shownValue(view, control) !== undefined,
  onDown,
  onUp,
  look = "plain",
  label,
  className,
  children,
}: {
  readonly view: DeskView;
  readonly control: string;
  readonly isOn?: boolean;
  readonly onDown: () => void;
  /** Called on release, for momentary controls. */
  readonly onUp?: () => void;
  readonly look?: keyof typeof ON;
  /** Accessible name; a description adds who holds the control. */
  readonly label: string;
  readonly className?: string;
  /** Visible content; the label by default. */
  readonly children?: ReactNode;
}) {
  const ownerId = useId();
  const owner = ownerText(view, control);
  const { ink, box } = (isOn ? ON : OFF)[look];
  const touch = onUp && {
    onPointerDown: (event: React.PointerEvent<HTMLButtonElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      onDown();
    },
    onPointerUp: onUp,
    onPointerCancel: onUp,
    onKeyDown: (event: React.KeyboardEvent) => isPress(event) && !event.repeat && onDown(),
    onKeyUp: (event: React.KeyboardEvent) => isPress(event) && onUp(),
    onBlur: onUp,
    // A long press would open the phone's context menu.
    onContextMenu: (event: React.MouseEvent) => event.preventDefault(),
  };
  return (
    <div className={cx("relative grid", ink)}>
      <button
        type="button"
        aria-label={label}
        aria-describedby={owner ? ownerId : undefined}
        aria-pressed={isOn}
        {...(touch ?? { onClick: onDown })}
        className={cx(TOUCH, "select-none", box, owner && "pb-4", onUp && "touch-none", className)}
      >
        {children ?? label}
      </button>
      {/* Placed over the button, not inside: the holder must not become part of its accessible name. */}
      {owner && (
        <span
          id={ownerId}
          className="pointer-events-none absolute inset-x-1 bottom-1 truncate text-center text-xs opacity-80"
        >
          {owner}
        </span>
      )}
    </div>
  );
}
