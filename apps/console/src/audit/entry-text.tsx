import { ArrowRight } from "lucide-react";
import { dateTime, toDate } from "../lib/formatting.ts";
import { Ago } from "../ui/row-parts.tsx";
import { actionWords, changeWords, fieldWords, type NamedEntry } from "./audit-words.ts";
import { auditStrings as text } from "./audit.strings.ts";

/** One change: who, what and when, then field by field what it was and what it became. */
export function EntryText({ entry, isExact = false }: { readonly entry: NamedEntry; readonly isExact?: boolean }) {
  const at = toDate(entry.at);
  return (
    <>
      <div className="flex items-baseline gap-3">
        <p className="min-w-0 flex-1 wrap-anywhere">
          <span className="font-medium">{actionWords(entry.action)}</span>{" "}
          <span className="text-muted">· {entry.userName || text.purgedPerson}</span>
        </p>
        <span className="shrink-0 text-xs">
          {isExact && at ? <span className="text-muted">{dateTime(at)}</span> : <Ago at={entry.at} />}
        </span>
      </div>
      {entry.changes.length > 0 && (
        <dl className="mt-2 grid grid-cols-[minmax(5rem,auto)_1fr] gap-x-3 gap-y-1 text-xs">
          {entry.changes.map((change) => {
            const { before, after } = changeWords(change, entry.names);
            return (
              <div key={change.field} className="contents">
                <dt className="text-muted">{fieldWords(change.field, entry.action)}</dt>
                <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">
                  {before && (
                    <>
                      <del className="text-muted no-underline">{before}</del>{" "}
                      <ArrowRight aria-label={text.becomes} size={12} className="inline text-muted" />{" "}
                    </>
                  )}
                  <ins className="no-underline">{after}</ins>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </>
  );
}
