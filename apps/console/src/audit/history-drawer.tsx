import { useMemo, useState } from "react";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Drawer } from "../ui/drawer.tsx";
import { Feed } from "../ui/feed.tsx";
import { auditOf } from "./audit.queries.ts";
import { auditStrings as text } from "./audit.strings.ts";
import { EntryText } from "./entry-text.tsx";

/** What was done to one thing. @param target its noun and id: `talk 01J…` */
export function HistoryDrawer({
  name,
  onClose,
  ...of
}: {
  readonly target: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  return (
    <Drawer title={text.historyOf(name)} onClose={onClose}>
      <History {...of} />
    </Drawer>
  );
}

/** The same where a drawer is open already. */
export function History({ target }: { readonly target: string }) {
  const list = useListScreen(
    useMemo(() => auditOf(target), [target]),
    useState<ListSearch>({}),
  );
  return (
    <Feed list={list} label={text.entries} text={text}>
      {(entry) => <EntryText entry={entry} />}
    </Feed>
  );
}
