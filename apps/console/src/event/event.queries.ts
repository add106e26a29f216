import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod, createConnectQueryKey, useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { EventService, type Event } from "@followspot/contract/event";
import { useMutation as usePlainMutation, useQueryClient } from "@tanstack/react-query";
import { fileBase64 } from "../lib/base64.ts";

const rpc = EventService.method;

export interface EventFields {
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  readonly location: string;
  readonly address: string;
  readonly lat: number;
  readonly lng: number;
  readonly banner: File | undefined;
}

export const useEvents = () => useQuery(rpc.listEvents, { includeDeleted: true });

export function useSaveEvent(existing: Event | undefined) {
  const transport = useTransport();
  const refresh = useRefreshEvents();
  return usePlainMutation({
    mutationFn: async ({ start, end, banner, ...rest }: EventFields): Promise<void> => {
      const fields = {
        ...rest,
        startsAt: timestampFromDate(start),
        endsAt: timestampFromDate(end),
        ...(banner && { bannerBase64: await fileBase64(banner) }),
      };
      if (!existing) {
        await callUnaryMethod(transport, rpc.createEvent, fields);
        return;
      }
      if (!existing.id) throw new Error("Event ID is required for update");
      await callUnaryMethod(transport, rpc.updateEvent, { eventId: existing.id, ...fields });
    },
    onSettled: refresh,
  });
}

export const useDeleteEvent = () => useMutation(rpc.deleteEvent, { onSuccess: useRefreshEvents() });
export const useRestoreEvent = () => useMutation(rpc.restoreEvent, { onSuccess: useRefreshEvents() });

function useRefreshEvents() {
  const cache = useQueryClient();
  return () =>
    cache.invalidateQueries({ queryKey: createConnectQueryKey({ schema: rpc.listEvents, cardinality: "finite" }) });
}
