import { useQuery as useCall, useTransport } from "@connectrpc/connect-query";
import { EventService, type AttendeeCode, type CheckIn } from "@followspot/contract/event";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useChange } from "../../lib/list-refresh.ts";
import { caller, countsOf, everyPage, pagesKey, pagesOf, type ListSource } from "../../lib/list-source.ts";
import { answered, begun, outcomeOf, refusalOf, type Scan } from "./scans.ts";

const rpc = EventService.method;

export const checkInsOf = (eventId: string): ListSource<CheckIn> => ({
  name: "check-ins",
  ...pagesOf(rpc.listCheckIns, ({ checkIns }) => checkIns, { eventId }),
  id: ({ id }) => id,
  scope: eventId,
  count: countsOf(rpc.countCheckIns, { eventId }),
});

/** How many came, whatever the list below is narrowed to. */
export const useCheckInCount = (eventId: string) =>
  useCall(rpc.countCheckIns, { eventId }).data?.counts.find(({ filter }) => filter === "")?.count;

/** Scans codes one after the other, without waiting for answers in between; newest first. */
export function useScans(eventId: string): { readonly scans: readonly Scan[]; readonly scan: (code: string) => void } {
  const [scans, setScans] = useState<readonly Scan[]>([]);
  const count = useRef(0);
  const change = useChange(checkInsOf(eventId));
  const scan = async (code: string) => {
    const id = ++count.current;
    setScans((held) => begun(held, id));
    const outcome = await change(rpc.scanQr, { eventId, code }).then(outcomeOf, refusalOf);
    setScans((held) => answered(held, id, outcome));
  };
  return { scans, scan: (code) => void scan(code) };
}

export function useUndo(eventId: string): (checkIn: CheckIn) => Promise<unknown> {
  const change = useChange(checkInsOf(eventId));
  return ({ userId }) => change(rpc.undoCheckIn, { eventId, userId });
}

/** Every code, or those of people who did not come yet. */
export function useCodes(eventId: string, filter: string) {
  const transport = useTransport();
  const question = { query: "", filter, orderBy: "" };
  const source: ListSource<AttendeeCode> = {
    name: "attendee-codes",
    ...pagesOf(rpc.listAttendeeCodes, ({ codes }) => codes, { eventId }),
    id: ({ userId }) => userId,
    scope: eventId,
  };
  return useQuery({
    queryKey: [...pagesKey(source, question), "whole"],
    queryFn: async ({ signal }) => {
      const codes: AttendeeCode[] = [];
      for await (const page of everyPage(source, caller(transport, signal), question)) codes.push(...page);
      return codes;
    },
    structuralSharing: false,
  });
}
