import { useLocation } from "@tanstack/react-router";
import { keysInWords } from "../lib/key-table.ts";
import { Dialog } from "../ui/dialog.tsx";
import { keyMapAt, type KeySection } from "./key-map.ts";
import { keyMapStrings as text } from "./key-map.strings.ts";

/** Lists every shortcut of the console, those of the current screen first. */
export function KeyMapDialog({ onClose }: { readonly onClose: () => void }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <Dialog open wide title={text.title} onClose={onClose}>
      {/* Focusable, so that keys can scroll it. */}
      <div role="group" aria-label={text.title} tabIndex={0} className="min-h-0 overflow-auto p-4 -outline-offset-2">
        <div className="columns-1 gap-8 sm:columns-2">
          {keyMapAt(path).map((section) => (
            <Section key={section.title} section={section} isHere={section.at?.test(path) ?? false} />
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function Section({ section, isHere }: { readonly section: KeySection; readonly isHere: boolean }) {
  const uses = section.tables.flatMap((table) => Object.values(table));
  return (
    <section aria-label={section.title} className="mb-4 break-inside-avoid">
      <h3 className="mb-1.5 text-xs font-medium text-muted">
        {section.title}
        {isHere && <span className="ml-2 text-accent">{text.here}</span>}
      </h3>
      <dl className="flex flex-col gap-1">
        {uses.map((use) => (
          <div key={use.does} className="flex items-baseline justify-between gap-3">
            <dt className="order-2 shrink-0">
              <kbd className="rounded border bg-raised px-1.5 py-px font-sans text-xs">{keysInWords(use)}</kbd>
            </dt>
            <dd className="min-w-0">{use.does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
