import { useQuery } from "@connectrpc/connect-query";
import { VenueService } from "@followspot/contract/venue";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { cx } from "../ui/class-names.ts";
import { boxLineStrings as text } from "./box-line.strings.ts";

const LOOK_MS = 5000;

/** On the box of a venue: how it stands with its office. On any other installation: nothing. */
export function BoxLine() {
  const { data } = useQuery(
    VenueService.method.getBox,
    {},
    // An installation that is no box becomes none while a page is open.
    { staleTime: 0, refetchInterval: ({ state }) => (state.data?.box ? LOOK_MS : false) },
  );
  const box = data?.box;
  if (!box) return null;
  const { office, venue, says, holds } = box;
  const cutSince = toDate(box.cutSince);
  const waits = holds?.waiting ?? 0;
  const isHere = holds?.wholeAt !== undefined;
  const state = cutSince ? text.cut(timeOfDay(cutSince)) : isHere ? text.whole : text.fetching;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span
        aria-hidden
        className={cx("size-2 shrink-0 rounded-full", says || cutSince ? "bg-warn" : isHere ? "bg-ok" : "bg-muted")}
      />
      <span>{office === "" ? text.unknown : text.of(office, venue)}</span>
      <span className="text-muted">{state}</span>
      {waits > 0 && <span className="text-muted">{text.waits(waits)}</span>}
      {says && <span className="wrap-anywhere text-warn">{says}</span>}
    </p>
  );
}
