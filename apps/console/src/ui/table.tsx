import type { ComponentProps, ReactNode } from "react";
import { cx } from "./class-names.ts";
import { RefreshBar } from "./progress.tsx";

/** A table in its own scroll area, so that the page stays put. */
export function TableFrame({
  label,
  refreshing = false,
  whole = false,
  children,
}: {
  readonly label: string;
  readonly refreshing?: boolean;
  /** Every row stands on the page; the page scrolls instead. */
  readonly whole?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={`relative flex min-h-0 shrink-0 flex-col overflow-hidden rounded-lg border bg-surface ${whole ? "" : "md:shrink"}`}
    >
      <div className="absolute inset-x-0 top-0 z-20">
        <RefreshBar active={refreshing} />
      </div>
      {/* Scrolls, so the keyboard has to reach it. */}
      <div className="min-h-0 overflow-auto" tabIndex={0} role="group" aria-label={label}>
        {children}
      </div>
    </div>
  );
}

export function Table({ className, ...rest }: ComponentProps<"table">) {
  return <table className={cx("w-full border-collapse text-left", className)} {...rest} />;
}

export function HeadCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cx(
        "sticky top-0 z-10 h-9 bg-raised px-3 text-xs font-medium whitespace-nowrap text-muted shadow-[inset_0_-1px_var(--border)]",
        className,
      )}
      {...rest}
    />
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return <tr className={cx("border-b last:border-b-0 hover:bg-raised/50", className)} {...rest} />;
}

export function Cell({ className, ...rest }: ComponentProps<"td">) {
  return <td className={cx("px-3 py-1.5", className)} {...rest} />;
}

/** The buttons of a row, always visible, at its end. */
export function ActionsCell({ children }: { readonly children: ReactNode }) {
  return (
    <Cell>
      <div className="flex items-center justify-end gap-1.5">{children}</div>
    </Cell>
  );
}
