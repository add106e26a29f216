import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import { Skeleton } from "../ui/states.tsx";

export const CARD = "flex min-w-0 flex-col gap-1 rounded-lg border bg-surface p-4";

/** Cards side by side under a small title. */
export function Cards({
  title,
  isPlaceholder = false,
  children,
}: {
  readonly title: string;
  /** Holds the room until it is known whether there is anything to show. */
  readonly isPlaceholder?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      aria-hidden={isPlaceholder || undefined}
      className={cx("flex shrink-0 flex-col gap-2", isPlaceholder && "invisible")}
    >
      <h2 className="text-xs font-medium text-muted">{title}</h2>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">{children}</div>
    </section>
  );
}

/** One number with its caption. It has its full size from the first moment: nothing jumps when the number comes. */
export function NumberCard({
  title,
  value,
  caption,
  failed,
  bad = false,
  isLong = false,
  unit,
  corner,
  beside,
  ...link
}: {
  readonly title: string;
  readonly value: number | undefined;
  readonly caption?: ReactNode;
  readonly failed?: string | null;
  readonly bad?: boolean;
  /** The caption takes three lines on a narrow screen. */
  readonly isLong?: boolean;
  readonly unit?: string;
  /** Stands to the right of the title: what a plot below it shows. */
  readonly corner?: ReactNode;
  /** Stands to the right of the number: a state, or how the number went. */
  readonly beside?: ReactNode;
} & Pick<LinkProps, "to" | "search">) {
  const body = (
    <>
      <span className="flex justify-between gap-2 text-xs text-muted">
        <span className="truncate">{title}</span>
        {corner && <span className="shrink-0">{corner}</span>}
      </span>
      {value === undefined && failed ? (
        <span className="line-clamp-3 text-xs wrap-anywhere text-danger">{failed}</span>
      ) : (
        <>
          <span className={cx("flex h-7 items-center text-2xl font-semibold", bad && "text-danger")}>
            {value === undefined ? <Skeleton className="h-5 w-14" /> : value.toLocaleString("en")}
            {value !== undefined && unit && <span className="ml-1.5 text-xs font-normal text-muted">{unit}</span>}
            {beside && <span className="ml-auto text-xs font-normal">{beside}</span>}
          </span>
          <span className={cx("text-xs text-muted", isLong ? "min-h-12 md:min-h-4" : "min-h-4")}>
            {value !== undefined && caption}
          </span>
        </>
      )}
    </>
  );
  if (!link.to) return <div className={CARD}>{body}</div>;
  return (
    <Link {...link} className={cx(CARD, "transition-colors hover:border-muted")}>
      {body}
    </Link>
  );
}
