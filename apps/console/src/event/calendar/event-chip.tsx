import type { CSSProperties } from "react";
import { dateTime, timeOfDay, toDate } from "../../lib/formatting.ts";
import { isElsewhereAt, zoneName } from "../../lib/time-zone.ts";
import { cx } from "../../ui/class-names.ts";
import { eventStrings } from "../event.strings.ts";
import type { PlacedEvent } from "./calendar-layout.ts";

const DAY_MS = 86_400_000;

/** Event in a calendar; a click opens it. */
export function EventChip({
  placed: { event },
  isTall = false,
  className,
  style,
  onOpen,
}: {
  readonly placed: PlacedEvent;
  /** Whether there is room for the time above the title. */
  readonly isTall?: boolean;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly onOpen: () => void;
}) {
  const { title, location, timeZone, deletedAt } = event;
  const [start, end] = [toDate(event.startsAt), toDate(event.endsAt)];
  const zone = start && isElsewhereAt(timeZone, [start, end]) ? ` ${zoneName(start, timeZone)}` : "";
  // Times of day alone are ambiguous for an event longer than one day.
  const say = start && end && end.getTime() - start.getTime() > DAY_MS ? dateTime : timeOfDay;
  const times = start && end ? `${say(start, timeZone)} – ${say(end, timeZone)}${zone}` : "";
  const own = zone && start && end ? eventStrings.ownTimes(`${say(start)} – ${say(end)}`) : "";
  return (
    <button
      type="button"
      onClick={onOpen}
      title={[times, own, title, location, deletedAt && eventStrings.deletedBadge].filter(Boolean).join(" · ")}
      className={cx(
        "overflow-hidden rounded border border-l-2 border-l-accent bg-raised px-1 text-left text-xs hover:border-accent",
        deletedAt && "border-l-danger text-muted line-through",
        className,
      )}
      style={style}
    >
      <span className={cx("text-muted tabular-nums", isTall && "block truncate")}>
        {isTall ? times : `${start ? timeOfDay(start, timeZone) : ""}${zone}`}
      </span>{" "}
      <span className={cx("font-medium", isTall && "block truncate")}>{title}</span>
      {deletedAt && <span className="sr-only"> {eventStrings.deletedBadge}</span>}
    </button>
  );
}
