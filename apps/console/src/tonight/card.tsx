import type { ReactNode } from "react";
import { cx } from "../ui/class-names.ts";

/** A part of the night under its name. */
export function Card({
  title,
  aside,
  className,
  children,
}: {
  readonly title: string;
  /** Beside the name: what is read at a glance. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className={cx("flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-3", className)}
    >
      <div className="flex min-w-0 items-center justify-between gap-3 text-xs text-muted">
        <h2 className="font-medium">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
