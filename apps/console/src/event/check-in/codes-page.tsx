import { groupShortCode } from "@followspot/contract";
import "./codes.css";
import type { AttendeeCode } from "@followspot/contract/event";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Printer } from "lucide-react";
import { useState, type CSSProperties } from "react";
import { cx } from "../../ui/class-names.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Options } from "../../ui/options.tsx";
import { useDocumentTitle } from "../../ui/page.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { EmptyState, ErrorState, Loading } from "../../ui/states.tsx";
import { useEvent } from "../event.queries.ts";
import { asksForRegistration } from "../event-rules.ts";
import { useCodes } from "./check-in.queries.ts";
import { checkInStrings } from "./check-in.strings.ts";
import { inPages } from "./scans.ts";
import { bySurname, surnameFirst } from "./tick-list.ts";

const text = checkInStrings.codes;
/** Codes per sheet: columns and rows. */
const LAYOUTS = { 6: [2, 3], 12: [3, 4], 24: [4, 6], 40: [5, 8] } as const;
type PerPage = keyof typeof LAYOUTS;
/**
 * Maximum number of codes that are drawn and printed at once, in half a second; thousands would block the page. A
 * multiple of every layout, so that all sheets are full.
 */
export const MOST_CODES = 480;
/** Names on a page of the list: two columns of rows of 6.5 mm. */
const NAMES_PER_PAGE = 80;
const SELECT = "h-7 rounded-md border bg-bg px-2 text-sm text-fg";

/** Codes of all attendees on A4 sheets, without the tab bar. Everything below the first line is printed. */
export function CodesPage({ eventId }: { readonly eventId: string }) {
  const [perPage, setPerPage] = useState<PerPage>(24);
  const [chosen, setFilter] = useState<string>();
  const event = useEvent(eventId);
  const title = event.data?.event?.title;
  // Attendees on the waitlist cannot use a code yet.
  const filters: Readonly<Record<string, string>> = asksForRegistration(event.data?.event)
    ? text.listedFilters
    : text.filters;
  const filter = chosen ?? Object.keys(filters)[0]!;
  const codes = useCodes(eventId, filter, { isReady: !event.isPending });
  const [wanted, setWanted] = useState(0);
  const [isList, setIsList] = useState(false);
  const names = isList ? inPages((codes.data?.codes ?? []).toSorted(bySurname), NAMES_PER_PAGE) : [];
  const parts = inPages(codes.data?.codes ?? [], MOST_CODES);
  const part = Math.min(wanted, parts.length - 1);
  const pages = inPages(parts[part] ?? [], perPage);
  const pageCount = Math.ceil((codes.data?.codes.length ?? 0) / perPage);
  const firstPage = part * (MOST_CODES / perPage) + 1;
  const heading = title ? text.titleAt(title) : text.title;
  useDocumentTitle(heading);
  return (
    <main>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface p-3 print:hidden">
        <Link to="/events/$eventId/check-in" params={{ eventId }} className={buttonClass()}>
          <ArrowLeft aria-hidden size={14} /> {text.back}
        </Link>
        <h1 className="text-lg font-semibold wrap-anywhere">{heading}</h1>
        {codes.data && (
          <p role="status" className="text-muted">
            {isList
              ? text.countNames(codes.data.codes.length, names.length)
              : text.count(codes.data.codes.length, pageCount)}
          </p>
        )}
        <div className="ml-auto flex max-w-full min-w-0 flex-wrap items-center gap-2 max-sm:ml-0">
          <select
            aria-label={text.what}
            className={SELECT}
            value={isList ? "list" : "codes"}
            onChange={({ target }) => setIsList(target.value === "list")}
          >
            <Options of={Object.entries(text.kinds)} />
          </select>
          <select
            aria-label={text.who}
            className={SELECT}
            value={filter}
            onChange={({ target }) => {
              setFilter(target.value);
              setWanted(0);
            }}
          >
            <Options of={Object.entries(filters)} />
          </select>
          {!isList && parts.length > 1 && (
            <label className="flex max-w-full min-w-0 items-center gap-2">
              {text.part}
              <select
                className={cx(SELECT, "min-w-0 truncate")}
                value={part}
                onChange={({ target }) => setWanted(Number(target.value))}
              >
                <Options
                  of={parts.map((each, index) => [
                    index,
                    text.partOf(index + 1, parts.length, each[0]?.userName ?? "", each.at(-1)?.userName ?? ""),
                  ])}
                />
              </select>
            </label>
          )}
          {!isList && (
            <label className="flex items-center gap-2">
              {text.perPage}
              <select
                className={SELECT}
                value={perPage}
                onChange={({ target }) => setPerPage(Number(target.value) as PerPage)}
              >
                {Object.keys(LAYOUTS).map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
          )}
          <Button variant="primary" disabled={pages.length === 0} onClick={() => window.print()}>
            <Printer aria-hidden size={14} /> {!isList && parts.length > 1 ? text.printPart : text.print}
          </Button>
        </div>
      </header>
      {codes.isPending && <Loading />}
      {codes.error && <ErrorState prefix={text.loadError} error={codes.error} onRetry={() => void codes.refetch()} />}
      {codes.data?.codes.length === 0 && <EmptyState text={text.empty} />}
      {pages.length > 0 && (
        <div className="code-sheets max-sm:overflow-x-auto">
          {names.map((page, index) => (
            <TickSheet key={page[0]?.userId} label={text.page(index + 1, names.length)} people={page} />
          ))}
          {(isList ? [] : pages).map((page, index) => (
            <Sheet
              key={page[0]?.userId}
              label={text.page(firstPage + index, pageCount)}
              codes={page}
              layout={LAYOUTS[perPage]}
            />
          ))}
        </div>
      )}
    </main>
  );
}

function Sheet({
  label,
  codes,
  layout: [across, down],
}: {
  readonly label: string;
  readonly codes: readonly AttendeeCode[];
  readonly layout: readonly [number, number];
}) {
  return (
    <ul aria-label={label} className="code-sheet" style={{ "--across": across, "--down": down } as CSSProperties}>
      {codes.map(({ userId, userName, code, shortCode }) => (
        <li key={userId} data-code={code}>
          <QrCode text={code} label={text.label(userName)} />
          <p className="line-clamp-1 wrap-anywhere">{userName}</p>
          {shortCode && <p className="font-mono font-semibold">{groupShortCode(shortCode)}</p>}
        </li>
      ))}
    </ul>
  );
}

/** Page of names with a box to tick, for a door without a device. */
function TickSheet({ label, people }: { readonly label: string; readonly people: readonly AttendeeCode[] }) {
  return (
    <ol aria-label={label} className="tick-sheet">
      {people.map(({ userId, userName, shortCode, registration, checkedInAt }) => (
        <li key={userId}>
          <span aria-hidden className="tick-box">
            {checkedInAt && "✓"}
          </span>
          <span className="min-w-0 flex-1 truncate">{surnameFirst(userName)}</span>
          {registration === "waiting" && <em>{text.waiting}</em>}
          <span className="font-mono">{shortCode && groupShortCode(shortCode)}</span>
        </li>
      ))}
    </ol>
  );
}
