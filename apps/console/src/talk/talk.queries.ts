import { timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { EventService, type Event } from "@followspot/contract/event";
import { TalkService, type Feedback, type Talk } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";
import { useMutation } from "@tanstack/react-query";
import { useCallback } from "react";
import { fileBase64 } from "../lib/base64.ts";
import { useChange } from "../lib/list-refresh.ts";
import { countsOf, pagesOf, type ListSource, type ReadableSource } from "../lib/list-source.ts";
import type { PeopleSource } from "../ui/people-picker.tsx";

const rpc = TalkService.method;

export const talksOf = (eventId: string): ReadableSource<Talk> => ({
  name: "talks",
  ...pagesOf(rpc.listTalks, ({ talks }) => talks, { eventId }),
  id: ({ id }) => id,
  scope: eventId,
  count: countsOf(rpc.countTalks, { eventId }),
  one: async (call, talkId) => (await call(rpc.getTalk, { talkId })).talk,
});

/** What one person speaks about, at whatever event. */
export const talksOfSpeaker = (userId: string): ListSource<Talk> => ({
  name: "talks of a speaker",
  ...pagesOf(rpc.listTalks, ({ talks }) => talks, { userId }),
  id: ({ id }) => id,
  scope: `speaker ${userId}`,
});

/** For the heading, and to know whether there is such an event. */
export const useEvent = (eventId: string) => useQuery(EventService.method.getEvent, { eventId });

/** Events that a talk may belong to, the latest first; `own` is one of them, however old it is. */
export function useEvents(own: Event): readonly Event[] {
  const { data } = useQuery(EventService.method.listEvents, {
    list: { orderBy: "starts_at desc", pageSize: MOST_EVENTS },
  });
  const events = data?.events ?? [];
  return events.some(({ id }) => id === own.id) ? events : [own, ...events];
}
/** The most the contract gives at once. */
const MOST_EVENTS = 200;

/** People who may speak, with what tells namesakes apart. */
export const SPEAKERS: PeopleSource = {
  method: UserService.method.listUsers,
  find: async (call, query) => {
    const list = { query, filter: "active", orderBy: "name", pageSize: MOST_FOUND };
    const { users } = await call(UserService.method.listUsers, { list });
    return users.map(({ id, name, photoUrl, email, phone }) => ({ id, name, photoUrl, below: email || phone }));
  },
};
const MOST_FOUND = 20;

export interface TalkFields {
  readonly title: string;
  readonly body: string;
  readonly eventId: string;
  /** Empty: no person. */
  readonly userId: string;
  /** Undefined: not scheduled. */
  readonly start: Date | undefined;
  /** A new picture; undefined leaves what there is. */
  readonly image: File | undefined;
  readonly clearImage: boolean;
}

/** Creates a talk; changes one only as it was when `existing` was read. */
export function useSaveTalk(existing: Talk | undefined) {
  const change = useChange(talksOf(""));
  return useMutation({
    mutationFn: async ({ start, image, clearImage, ...rest }: TalkFields) => {
      const fields = {
        ...rest,
        ...(start && { startAt: timestampFromDate(start) }),
        ...(image && { imageBase64: await fileBase64(image) }),
      };
      if (!existing) return (await change(rpc.createTalk, fields)).talk;
      const { talk } = await change(rpc.updateTalk, {
        ...fields,
        talkId: existing.id,
        clearStart: !start,
        clearImage,
        ...(existing.updatedAt && { ifUpdatedAt: existing.updatedAt }),
      });
      return talk;
    },
  });
}

/** Gives a talk another start, or takes it away; answers with the talk as it is then. */
export function useMoveTalk() {
  const change = useChange(talksOf(""));
  return useCallback(
    async ({ id }: Talk, startAt: Timestamp | undefined) =>
      (await change(rpc.updateTalk, { talkId: id, ...(startAt ? { startAt } : { clearStart: true }) })).talk,
    [change],
  );
}

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
