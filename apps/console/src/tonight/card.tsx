import type { ReactNode } from "react";
import { cx } from "../ui/class-names.ts";

/** A titled section of the Tonight screen. */
export function Card({
  title,
  aside,
  className,
  children,
}: {
  readonly title: string;
  /** Summary beside the title. */
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
