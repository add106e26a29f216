import type { Talk } from "@followspot/contract/talk";
import type { ReactNode } from "react";
import { dateTime, isoTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { RowTitle } from "../ui/row-parts.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { talkStrings as text } from "./talk.strings.ts";

export const talkColumns = (actions: (talk: Talk, isNarrow: boolean) => ReactNode): readonly TableColumn<Talk>[] => [
  {
    id: "image",
    head: text.columns.image,
    width: 84,
    narrow: "lead",
    cell: ({ imageUrl }) =>
      imageUrl ? (
        <img
          src={imageUrl}
          alt=""
          width={48}
          height={36}
          loading="lazy"
          className="h-9 w-12 rounded-md border object-cover"
        />
      ) : (
        <span className="text-xs whitespace-nowrap text-muted">{text.noImage}</span>
      ),
  },
  {
    id: "title",
    head: text.columns.title,
    width: { min: 160, share: 3 },
    narrow: "title",
    sort: "title",
    cell: ({ id, title, body, startAt }, isNarrow) => (
      <RowTitle
        id={id}
        title={title || text.noTitle}
        below={isNarrow ? momentWords(toDate(startAt), text.notScheduled) : body}
      />
    ),
    csv: ({ title }) => title,
  },
  {
    id: "speaker",
    head: text.columns.speaker,
    width: { min: 120, share: 1 },
    narrow: "line",
    hideBelow: 720,
    cell: ({ userName }) => <span className="block truncate">{userName || text.noSpeaker}</span>,
    csv: ({ userName }) => userName ?? "",
  },
  {
    id: "start",
    head: text.columns.start,
    width: 190,
    sort: "start_at",
    cell: ({ startAt }) => <Moment at={toDate(startAt)} none={text.notScheduled} />,
    csv: ({ startAt }) => isoTime(startAt),
  },
  {
    id: "created",
    head: strings.created,
    width: 190,
    hideBelow: 900,
    sort: "created_at",
    cell: ({ createdAt }) => <Moment at={toDate(createdAt)} none={text.unknown} isQuiet />,
    csv: ({ createdAt }) => isoTime(createdAt),
  },
  { id: "actions", head: strings.actions, width: 142, align: "end", narrow: "actions", cell: actions },
];

function Moment({
  at,
  none,
  isQuiet = false,
}: {
  readonly at: Date | undefined;
  readonly none: string;
  readonly isQuiet?: boolean;
}) {
  return <span className={isQuiet ? "block truncate text-muted" : "block truncate"}>{momentWords(at, none)}</span>;
}

const momentWords = (at: Date | undefined, none: string): string => (at ? dateTime(at) : none);
