import { isoTime } from "../lib/formatting.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { Drawer } from "../ui/drawer.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { Ago, RowTitle } from "../ui/row-parts.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { actionWords, changeWords, fieldWords, thingWords, type NamedEntry } from "./audit-words.ts";
import { WHOLE_LOG } from "./audit.queries.ts";
import { auditStrings as text } from "./audit.strings.ts";
import { EntryText } from "./entry-text.tsx";

/** Every change of every person, newest first. */
export function AuditPage() {
  const list = useListScreen(WHOLE_LOG, useUrlSearch());
  const { dialog, open, close } = list;
  const shown = dialog?.row;
  return (
    <ListPage
      list={list}
      text={text}
      filters={text.filters}
      columns={COLUMNS}
      rowHeight={44}
      onOpen={(entry) => open("entry", entry)}
    >
      {dialog?.what === "entry" && shown && (
        <Drawer title={thingWords(shown)} onClose={close}>
          <div className="p-4">
            <EntryText entry={shown} isExact />
            <p className="mt-3 font-mono text-xs wrap-anywhere text-muted">{shown.target}</p>
          </div>
        </Drawer>
      )}
    </ListPage>
  );
}

const COLUMNS: readonly TableColumn<NamedEntry>[] = [
  {
    id: "when",
    head: text.columns.when,
    width: 130,
    sort: "at",
    narrow: "actions",
    cell: ({ at }) => <Ago at={at} />,
    csv: ({ at }) => isoTime(at),
  },
  {
    id: "what",
    head: text.columns.what,
    width: { min: 150, share: 1 },
    narrow: "title",
    cell: (entry, isNarrow) => (
      <RowTitle
        id={String(entry.id)}
        title={isNarrow ? `${actionWords(entry.action)}: ${thingWords(entry)}` : actionWords(entry.action)}
      />
    ),
    csv: ({ action }) => action,
  },
  {
    id: "thing",
    head: text.columns.thing,
    width: { min: 130, share: 2 },
    hideBelow: 720,
    cell: (entry) => <span className="block truncate">{thingWords(entry)}</span>,
    csv: ({ target }) => target,
  },
  {
    id: "changes",
    head: text.columns.changes,
    width: { min: 160, share: 3 },
    hideBelow: 980,
    cell: (entry) => <span className="block truncate text-muted">{summary(entry)}</span>,
    csv: (entry) => entry.changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`).join("; "),
  },
  {
    id: "who",
    head: text.columns.who,
    width: { min: 120, share: 1 },
    narrow: "line",
    cell: ({ userName }) => <span className="block truncate">{userName || text.purgedPerson}</span>,
    csv: ({ userId }) => userId,
  },
];

/** The first change in words, and how many more there are. */
function summary({ action, changes, names }: NamedEntry): string {
  const [first, ...more] = changes;
  if (!first) return "";
  const said = `${fieldWords(first.field, action)}: ${changeWords(first, names).after}`;
  return more.length > 0 ? `${said}, ${text.moreFields(more.length)}` : said;
}
