import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { VenueService, type Box, type LampPart } from "@followspot/contract/venue";
import { useQueryClient } from "@tanstack/react-query";
import { errorSentence } from "../lib/errors.ts";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { showToast } from "../ui/toast.tsx";
import { boxStateStrings as text } from "./box-state.strings.ts";

const LOOK_MS = 5000;
const VENUES = createConnectQueryKey({ schema: VenueService, cardinality: undefined });

/**
 * On a venue server: state of the connection to the office. With a standby: which of the two machines drives the
 * fixtures.
 */
export function BoxState() {
  const { data } = useQuery(
    VenueService.method.getBox,
    {},
    // An installation cannot become a venue server or standby while a page is open, so others stop polling.
    { staleTime: 0, refetchInterval: ({ state: { data: told } }) => (told?.box || told?.lamps ? LOOK_MS : false) },
  );
  return (
    <>
      {data?.lamps && <LampsState lamps={data.lamps} />}
      {data?.box && <OfficeState box={data.box} />}
    </>
  );
}

/** Shows which of two machines drives the fixtures, with the button to change it. */
function LampsState({ lamps: { part, since, otherAnswers, says } }: { readonly lamps: LampPart }) {
  const cache = useQueryClient();
  const onSuccess = () => void cache.invalidateQueries({ queryKey: VENUES });
  const onError = (error: Error) => showToast(errorSentence(error), { bad: true });
  const take = useMutation(VenueService.method.takeLamps, { onSuccess, onError });
  const handBack = useMutation(VenueService.method.handBackLamps, { onSuccess, onError });
  const from = toDate(since);
  const line = text.lamps[part as keyof typeof text.lamps];
  if (!line) return null;
  const press = part === "leads" ? handBack : take;
  const isAlone = !otherAnswers && part !== "yields";
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Dot tone={part === "follows" && !isAlone && !says ? "ok" : "warn"} />
      <span>{line.says(from ? timeOfDay(from) : "")}</span>
      {isAlone && <span className="text-warn">{text.firstSilent}</span>}
      {says && <span className="wrap-anywhere text-warn">{says}</span>}
      <Button disabled={press.isPending || (part === "leads" && isAlone)} onClick={() => press.mutate({})}>
        {line.press}
      </Button>
    </p>
  );
}

function OfficeState({ box }: { readonly box: Box }) {
  const { office, venue, says, holds } = box;
  const cutSince = toDate(box.cutSince);
  const waits = holds?.waiting ?? 0;
  const isHere = holds?.wholeAt !== undefined;
  const state = cutSince ? text.cut(timeOfDay(cutSince)) : isHere ? text.whole : text.fetching;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Dot tone={says || cutSince ? "warn" : isHere ? "ok" : "muted"} />
      <span>{office === "" ? text.unknown : text.of(office, venue)}</span>
      <span className="text-muted">{state}</span>
      {waits > 0 && <span className="text-muted">{text.waits(waits)}</span>}
      {says && <span className="wrap-anywhere text-warn">{says}</span>}
    </p>
  );
}

const TONES = { ok: "bg-ok", warn: "bg-warn", muted: "bg-muted" } as const;
const Dot = ({ tone }: { readonly tone: keyof typeof TONES }) => (
  <span aria-hidden className={cx("size-2 shrink-0 rounded-full", TONES[tone])} />
);
