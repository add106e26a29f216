import "./print-page.css";
import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { useDocumentTitle } from "./page.tsx";

/** A printable page without the tab bar; everything below its head is printed. */
export function PrintPage({
  title,
  back,
  tools,
  isReady,
  children,
}: {
  readonly title: string;
  /** Link to the screen that opened it. */
  readonly back: ReactNode;
  readonly tools?: ReactNode;
  /** Whether the content is complete and can be printed. */
  readonly isReady: boolean;
  readonly children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <main className="h-dvh overflow-auto bg-bg print:h-auto print:overflow-visible">
      <header className="flex flex-wrap items-center gap-3 border-b bg-surface px-4 py-2 print:hidden">
        {back}
        <h1 className="text-sm font-semibold wrap-anywhere">{title}</h1>
        <span className="ml-auto flex gap-2">
          {tools}
          <Button variant="primary" disabled={!isReady} onClick={() => window.print()}>
            <Printer aria-hidden size={14} /> {strings.print}
          </Button>
        </span>
      </header>
      {children}
    </main>
  );
}
