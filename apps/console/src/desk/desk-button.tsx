import type { ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import { TOUCH } from "../ui/touch.ts";
import { shownValue, type DeskView } from "./desk-line.ts";
import { deskStrings as text } from "./desk.strings.ts";

const OFF = {
  plain: "border-border bg-raised text-fg hover:border-muted",
  danger: "border-border bg-raised text-danger hover:border-danger",
} as const;
const ON = { plain: "border-accent bg-accent/20 text-fg", danger: "border-danger bg-danger text-accent-fg" } as const;

/** Who has a control, or that the press waits. */
export function ownerText({ state, waiting }: DeskView, control: string): string {
  if (waiting.has(control)) return text.waiting;
  const hand = state?.hands[control];
  if (!hand) return "";
  return hand.owner === state?.you ? text.you : text.by(hand.owner_name);
}

/** A button of the desk: says whether its control is in a hand, and in whose. */
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
  /** For what acts only while it is pressed. */
  readonly onUp?: () => void;
  readonly look?: keyof typeof ON;
  /** Its name for screen readers, who also hear whose it is. */
  readonly label: string;
  readonly className?: string;
  /** What it says; its name when left out. */
  readonly children?: ReactNode;
}) {
  const owner = ownerText(view, control);
  const touch = onUp && {
    onPointerDown: (event: React.PointerEvent<HTMLButtonElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      onDown();
    },
    onPointerUp: onUp,
    onPointerCancel: onUp,
    onKeyDown: ({ key, repeat }: React.KeyboardEvent) => (key === " " || key === "Enter") && !repeat && onDown(),
    onKeyUp: ({ key }: React.KeyboardEvent) => (key === " " || key === "Enter") && onUp(),
    onBlur: onUp,
    // A long press would open the phone's menu.
    onContextMenu: (event: React.MouseEvent) => event.preventDefault(),
  };
  return (
    <button
      type="button"
      aria-label={label}
      aria-description={owner || undefined}
      aria-pressed={isOn}
      {...(touch ?? { onClick: onDown })}
      className={cx(TOUCH, "flex-col py-0.5 select-none", isOn ? ON[look] : OFF[look], onUp && "touch-none", className)}
    >
      {children ?? label}
      {owner && <span className="-mt-2 max-w-full truncate text-xs font-normal opacity-80">{owner}</span>}
    </button>
  );
}
