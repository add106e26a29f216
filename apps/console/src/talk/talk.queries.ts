import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { EventService } from "@followspot/contract/event";
import { TalkService } from "@followspot/contract/talk";
import { useQueryClient } from "@tanstack/react-query";

export const useTalks = (eventId: string) => useQuery(TalkService.method.listTalks, { eventId });

/** For the heading only: a list of talks is worth showing without it. */
export const useEvent = (eventId: string) => useQuery(EventService.method.getEvent, { eventId });

export function useDeleteTalk() {
  const cache = useQueryClient();
  return useMutation(TalkService.method.deleteTalk, {
    onSuccess: () =>
      cache.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: TalkService.method.listTalks, cardinality: "finite" }),
      }),
  });
}
