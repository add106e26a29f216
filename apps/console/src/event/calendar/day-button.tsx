import type { CSSProperties } from "react";
import { cx } from "../../ui/class-names.ts";
import { eventStrings } from "../event.strings.ts";
import { dayName, type Day } from "./calendar-days.ts";

/** Day of a calendar; a click on its free area creates an event. */
export function DayButton({
  day,
  isToday,
  isNumbered = true,
  onNew,
  className,
  style,
}: {
  readonly day: Day;
  readonly isToday: boolean;
  readonly isNumbered?: boolean;
  readonly onNew: ((day: Day) => void) | undefined;
  readonly className?: string;
  readonly style?: CSSProperties;
}) {
  const number = isNumbered && <DayNumber day={day} isToday={isToday} />;
  if (!onNew)
    return (
      <div className={cx("flex", className)} style={style}>
        {number}
      </div>
    );
  return (
    <button
      type="button"
      aria-label={eventStrings.calendar.newOn(dayName(day))}
      aria-current={isToday ? "date" : undefined}
      onClick={() => onNew(day)}
      className={cx("flex hover:bg-raised", className)}
      style={style}
    >
      {number}
    </button>
  );
}

export const DayNumber = ({ day, isToday }: { readonly day: Day; readonly isToday: boolean }) => (
  <span
    className={cx(
      "grid h-5 min-w-5 place-items-center rounded-full px-1 text-xs tabular-nums",
      isToday && "bg-accent font-semibold text-accent-fg",
    )}
  >
    {Number(day.slice(8))}
  </span>
);
