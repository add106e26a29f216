import { errorSentence, errorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import type { ListView } from "../lib/use-list-screen.ts";
import { Button } from "./button.tsx";

/** Reports that the displayed rows are stale, and why. */
export function ListNotice<Row>({ list: { behind, error, retry } }: { readonly list: ListView<Row> }) {
  if (behind === undefined) return null;
  const texts = {
    offline: strings.lists.offline,
    failed: strings.lists.stale(errorSentence(error)),
    changed: strings.lists.changed,
  };
  return (
    <div role="status" className="flex shrink-0 items-center gap-3 border-b bg-raised px-3 py-1.5 text-xs">
      <span className="min-w-0 wrap-anywhere text-warn">{texts[behind]}</span>
      {behind !== "offline" && (
        <Button className="ml-auto" onClick={retry}>
          {behind === "changed" ? strings.lists.readAgain : strings.retry}
        </Button>
      )}
    </div>
  );
}

/** Row after the loaded rows: the next page is loading or has failed. */
export function MoreRow<Row>({ list: { isLoadingMore, moreError, loadMore } }: { readonly list: ListView<Row> }) {
  if (moreError !== undefined)
    return (
      <div role="alert" className="flex shrink-0 items-center gap-3 border-t px-3 py-1.5 text-xs">
        <span className="min-w-0 wrap-anywhere text-danger">{strings.lists.moreFailed(errorText(moreError))}</span>
        <Button className="ml-auto" onClick={loadMore}>
          {strings.retry}
        </Button>
      </div>
    );
  return isLoadingMore ? (
    <p role="status" className="shrink-0 border-t px-3 py-1 text-xs text-muted">
      {strings.lists.loadingMore}
    </p>
  ) : null;
}
