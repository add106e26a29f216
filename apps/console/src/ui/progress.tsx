import { cx } from "./class-names.ts";

/** Progress bar from 0 to 1; indeterminate without `value`. */
export function Progress({ label, value }: { readonly label: string; readonly value?: number }) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1 w-full overflow-hidden rounded-full bg-border"
    >
      <div
        className={cx("h-full rounded-full bg-accent", percent === undefined && "w-1/4 animate-slide")}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}

/** Bar of 2 px above rows that are being refetched; the rows stay visible. */
export function RefreshBar({ active }: { readonly active: boolean }) {
  return (
    <div aria-hidden className="h-0.5 shrink-0 overflow-hidden">
      {active && <div className="h-full w-1/4 animate-slide bg-accent" />}
    </div>
  );
}
