import { useQuery } from "@connectrpc/connect-query";
import { EventService } from "@followspot/contract/event";
import { TalkService, type Feedback, type Talk } from "@followspot/contract/talk";
import { useChange } from "../lib/list-refresh.ts";
import { countsOf, pagesOf, type ListSource } from "../lib/list-source.ts";

const rpc = TalkService.method;

export const talksOf = (eventId: string): ListSource<Talk> => ({
  name: "talks",
  ...pagesOf(rpc.listTalks, ({ talks }) => talks, { eventId }),
  id: ({ id }) => id,
  scope: eventId,
  count: countsOf(rpc.countTalks, { eventId }),
  one: async (call, talkId) => (await call(rpc.getTalk, { talkId })).talk,
});

/** For the heading, and to know whether there is such an event. */
export const useEvent = (eventId: string) => useQuery(EventService.method.getEvent, { eventId });

/** What can be done to a talk as a whole. */
export function useTalkCalls(eventId: string) {
  const change = useChange(talksOf(eventId));
  return {
    remove: ({ id }: Talk) => change(rpc.deleteTalk, { talkId: id }),
    restore: ({ id }: Talk) => change(rpc.restoreTalk, { talkId: id }),
  };
}

export const feedbackOf = (talkId: string): ListSource<Feedback> => ({
  name: "feedback",
  ...pagesOf(rpc.listFeedback, ({ feedback }) => feedback, { talkId }),
  id: ({ userId }) => userId,
  scope: talkId,
});

/** How much was said of a talk, and how it was rated. */
export const useFeedbackCounts = (talkId: string) => useQuery(rpc.countFeedback, { talkId });
