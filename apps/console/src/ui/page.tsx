import { useEffect, type ReactNode } from "react";
import { strings } from "../lib/strings.ts";

/** Layout of a screen: title row, then content. */
export function Page({
  title,
  subtitle,
  beside,
  tools,
  instead,
  children,
}: {
  readonly title: string;
  readonly subtitle?: string;
  /** Content next to the title: count, filters. */
  readonly beside?: ReactNode;
  /** Content at the end of the title row: search and the one primary button. */
  readonly tools?: ReactNode;
  /** Replaces the title row; the title stays for screen readers. */
  readonly instead?: ReactNode;
  readonly children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <main className="relative flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4">
      <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
        <div className={instead ? "sr-only" : undefined}>
          <h1 className="text-lg font-semibold wrap-anywhere">{title}</h1>
          {subtitle && <p className="text-xs text-muted">{subtitle}</p>}
        </div>
        {instead || (
          <>
            {beside}
            {tools && (
              <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0 max-sm:w-full">{tools}</div>
            )}
          </>
        )}
      </div>
      {children}
    </main>
  );
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === strings.product ? title : `${title} · ${strings.product}`;
  }, [title]);
}
