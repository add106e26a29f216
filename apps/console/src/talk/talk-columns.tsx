import type { Talk } from "@followspot/contract/talk";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { serverPath } from "../lib/base-path.ts";
import { dateTime, isoTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { RowTitle } from "../ui/row-parts.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { talkName } from "./talk-name.ts";
import { warningWords } from "./talk-warnings.tsx";
import type { TalkWarning } from "./talk-times.ts";
import { talkStrings as text } from "./talk.strings.ts";

export const talkColumns = (
  actions: (talk: Talk, isNarrow: boolean) => ReactNode,
  warnings: (talk: Talk) => readonly TalkWarning[],
  /** Of their event. */
  zone: string | undefined,
): readonly TableColumn<Talk>[] => [
  {
    id: "image",
    head: text.columns.image,
    width: 84,
    cell: ({ imageUrl }) =>
      imageUrl ? (
        <img
          src={serverPath(imageUrl)}
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
    cell: (talk, isNarrow) => (
      <>
        <RowTitle
          id={talk.id}
          title={talkName(talk)}
          below={isNarrow ? momentWords(toDate(talk.startAt), text.notScheduled, zone) : talk.body}
        />
        {isNarrow && <Warnings of={warnings(talk)} />}
      </>
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
    width: { min: 210, share: 2 },
    sort: "start_at",
    cell: (talk) => (
      <>
        <Moment at={toDate(talk.startAt)} none={text.notScheduled} zone={zone} />
        <Warnings of={warnings(talk)} />
      </>
    ),
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
  { id: "actions", head: strings.actions, width: 192, align: "end", narrow: "actions", cell: actions },
];

function Moment({
  at,
  none,
  zone,
  isQuiet = false,
}: {
  readonly at: Date | undefined;
  readonly none: string;
  /** Left out: the reader's own. */
  readonly zone?: string | undefined;
  readonly isQuiet?: boolean;
}) {
  return (
    <span className={isQuiet ? "block truncate text-muted" : "block truncate"}>{momentWords(at, none, zone)}</span>
  );
}

const momentWords = (at: Date | undefined, none: string, zone?: string): string => (at ? dateTime(at, zone) : none);

/** Two lines, which hold all of it unless titles are long; a hover shows the rest, and the form too. */
function Warnings({ of }: { readonly of: readonly TalkWarning[] }) {
  const words = of.map(warningWords).join(" · ");
  if (words === "") return null;
  return (
    <span title={words} className="flex gap-1.5 text-xs text-warn">
      <TriangleAlert aria-hidden size={12} className="mt-0.5 shrink-0" />
      <span className="line-clamp-2 min-w-0 wrap-anywhere">{words}</span>
    </span>
  );
}
