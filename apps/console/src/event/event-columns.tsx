import type { Event } from "@followspot/contract/event";
import { CalendarDays } from "lucide-react";
import type { ReactNode } from "react";
import { isoTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Ago, RowTitle } from "../ui/row-parts.tsx";
import { Status } from "../ui/status.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { eventStrings as text } from "./event.strings.ts";
import { momentIn } from "./own-times.ts";

export const eventColumns = (
  actions: (event: Event, isNarrow: boolean) => ReactNode,
): readonly TableColumn<Event>[] => [
  {
    id: "banner",
    head: text.columns.banner,
    width: 80,
    narrow: "lead",
    cell: ({ bannerUrl }) => <Thumbnail src={bannerUrl} fallback={<CalendarDays size={16} />} />,
  },
  {
    id: "title",
    head: text.columns.title,
    width: { min: 150, share: 3 },
    narrow: "title",
    sort: "title",
    cell: ({ id, title, location, startsAt, timeZone, deletedAt }, isNarrow) => (
      <span className="flex items-center gap-3">
        <span className="min-w-0 flex-1">
          <RowTitle
            id={id}
            title={title}
            below={isNarrow ? whenAndWhere(toDate(startsAt), timeZone, location) : location}
          />
        </span>
        {deletedAt && <Status tone="bad">{text.deletedBadge}</Status>}
      </span>
    ),
    csv: ({ title }) => title,
  },
  {
    id: "start",
    head: text.columns.start,
    width: 240,
    sort: "starts_at",
    cell: ({ startsAt, timeZone }) => <Moment at={toDate(startsAt)} zone={timeZone} />,
    csv: ({ startsAt }) => isoTime(startsAt),
  },
  {
    id: "end",
    head: text.columns.end,
    width: 240,
    hideBelow: 1092,
    cell: ({ endsAt, timeZone }) => <Moment at={toDate(endsAt)} zone={timeZone} />,
    csv: ({ endsAt }) => isoTime(endsAt),
  },
  {
    id: "address",
    head: text.columns.address,
    width: { min: 100, share: 2 },
    hideBelow: 860,
    cell: ({ address }) => (
      <span className="line-clamp-2 wrap-anywhere" title={address}>
        {address || "—"}
      </span>
    ),
    csv: ({ location, address }) => [location, address].filter(Boolean).join(", "),
  },
  {
    id: "created",
    head: strings.created,
    width: 144,
    hideBelow: 1236,
    sort: "created_at",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
    csv: ({ createdAt }) => isoTime(createdAt),
  },
  { id: "actions", head: strings.actions, width: 242, align: "end", narrow: "actions", cell: actions },
];

/** A narrow table has no column for the start, so the title cell includes it. */
const whenAndWhere = (start: Date | undefined, zone: string, location: string) => {
  const times = start && momentIn(start, zone);
  return [times?.local, times?.own, location].filter(Boolean).join(" · ");
};

function Moment({ at, zone }: { readonly at: Date | undefined; readonly zone: string }) {
  if (!at) return <span>—</span>;
  const { local, own } = momentIn(at, zone);
  return (
    <>
      <span className="block truncate" title={local}>
        {local}
      </span>
      {own && (
        <span className="block truncate text-xs text-muted" title={text.ownTimes(own)}>
          {own}
        </span>
      )}
    </>
  );
}
