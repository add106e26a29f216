import { cx } from "./class-names.ts";

export interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Number of rows for this choice; undefined while unknown. */
  readonly count?: number | undefined;
}

/** Segmented control for a few choices, such as filters with their counts. */
export function Segments<Value extends string>({
  label,
  segments,
  value,
  onChange,
  isLarge = false,
}: {
  readonly label: string;
  readonly segments: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Whether the buttons have touch size. */
  readonly isLarge?: boolean;
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="flex max-w-full gap-0.5 overflow-x-auto rounded-md border bg-surface p-0.5"
    >
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          onClick={() => onChange(segment.value)}
          className={cx(
            isLarge ? "h-11 rounded px-3 text-sm whitespace-nowrap" : "h-6 rounded px-2 text-xs whitespace-nowrap",
            segment.value === value ? "bg-raised text-fg" : "text-muted hover:text-fg",
          )}
        >
          {segment.label}
          {segment.count !== undefined && <span className="ml-1">{segment.count.toLocaleString("en")}</span>}
        </button>
      ))}
    </div>
  );
}
