import { useId, useState } from "react";
import { errorSentence, isDenied } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { SearchField } from "../ui/fields.tsx";
import { Segments } from "../ui/segments.tsx";
import { DismissDialog, SelectionBar, useDismissing } from "./dismissing.tsx";
import { FailureGroupRow } from "./failure-group-row.tsx";
import { FailureRow } from "./failure-row.tsx";
import { shown, useFailureGroups, useNewestFailures } from "./failures.queries.ts";
import { failuresStrings as text } from "./failures.strings.ts";

type View = keyof typeof text.views;
const VIEWS = (["grouped", "newest"] as const).map((value) => ({ value, label: text.views[value] }));
const LIST = "max-h-[400px] overflow-auto";

/** Recent failures, grouped by cause or individually. */
export function RecentFailures() {
  const heading = useId();
  const [view, setView] = useState<View>("grouped");
  const [query, setQuery] = useState("");
  const dismissing = useDismissing();
  const search = (words: string) => {
    // The selection belongs to the previous search.
    dismissing.clear();
    setQuery(words);
  };
  const choose = (next: View) => {
    // Hidden rows must not stay selected, or they would be dismissed.
    dismissing.clear();
    setView(next);
  };
  const groups = useFailureGroups(query, view === "grouped");
  const newest = useNewestFailures(view === "newest");
  const { isPending, error } = view === "grouped" ? groups : newest;
  const all = groups.data?.pages.at(-1);
  const count = view === "grouped" ? (all?.failures ?? 0) : (newest.data?.length ?? 0);
  if (isPending && query === "") return null;
  return (
    <section aria-labelledby={heading} className="shrink-0 rounded-lg border border-border bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-4 py-2">
        <h2 id={heading} className="text-sm font-semibold">
          {text.title} {count > 0 && <span className="font-normal text-danger">{count.toLocaleString("en")}</span>}
        </h2>
        {!isDenied(error) && (
          <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full">
            {view === "grouped" && (
              <SearchField label={text.search} hint={text.searchHint} value={query} onSearch={search} />
            )}
            <Segments label={text.view} segments={VIEWS} value={view} onChange={choose} />
          </div>
        )}
      </header>
      <SelectionBar dismissing={dismissing} />
      <DismissDialog dismissing={dismissing} query={query} />
      {isDenied(error) ? (
        <p className="px-4 py-6 text-center text-muted">{strings.denied}</p>
      ) : count === 0 && query === "" ? (
        <NoFailures problem={error} />
      ) : view === "newest" ? (
        <ul tabIndex={0} aria-labelledby={heading} className={LIST}>
          {newest.data?.map((failure, i) => (
            <FailureRow
              key={String(failure.sequence ?? `${failure.subject}:${JSON.stringify(failure.data)}:${i}`)}
              failure={failure}
              dismissing={dismissing}
            />
          ))}
        </ul>
      ) : (
        <div tabIndex={0} role="group" aria-labelledby={heading} className={LIST}>
          {query !== "" && (
            <p role="status" className="px-4 pt-2 text-xs text-muted">
              {count > 0 ? text.found(count, all?.totalGroups ?? 0) : text.noMatch}{" "}
              <button type="button" className="underline hover:text-fg" onClick={() => search("")}>
                {text.clearSearch}
              </button>
            </p>
          )}
          {Boolean(error) && <Unread problem={error} />}
          <ul>
            {groups.data?.pages.flatMap((page) =>
              page.groups.map((group) =>
                group.count === 1 && group.newest ? (
                  <FailureRow key={group.key} failure={shown(group.newest)} dismissing={dismissing} />
                ) : (
                  <FailureGroupRow key={group.key} group={group} query={query} dismissing={dismissing} />
                ),
              ),
            )}
          </ul>
          {groups.hasNextPage && (
            <p className="px-4 py-2">
              <Button
                aria-busy={groups.isFetchingNextPage}
                onClick={() => !groups.isFetchingNextPage && void groups.fetchNextPage()}
              >
                {text.moreGroups}
              </Button>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** Notice that there are no failures, or that they could not be loaded. */
function NoFailures({ problem }: { readonly problem: unknown }) {
  return (
    <div className="px-4 py-4 text-center text-muted">
      {problem ? <Unread problem={problem} /> : <p>{text.none}</p>}
    </div>
  );
}

function Unread({ problem }: { readonly problem: unknown }) {
  return (
    <p role="alert" className="px-4 py-1 text-warn">
      {text.unread(errorSentence(problem))}
    </p>
  );
}
