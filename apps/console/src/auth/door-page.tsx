import type { ReactNode } from "react";
import { strings } from "../lib/strings.ts";
import { useDocumentTitle } from "../ui/page.tsx";

/** Layout of a page before the console: product, title, one small form. */
export function DoorPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex w-full max-w-80 flex-col gap-4">
        <p className="text-xs font-medium tracking-wide text-muted">{strings.product}</p>
        <h1 className="text-lg font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  );
}
