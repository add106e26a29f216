import { useQuery as useCall } from "@connectrpc/connect-query";
import { ChatService } from "@followspot/contract/chat";
import { EventService, type Registration } from "@followspot/contract/event";
import { useMutation } from "@tanstack/react-query";
import { useChange } from "../../lib/list-refresh.ts";
import { countsOf, pagesOf, type ListSource } from "../../lib/list-source.ts";
import type { PeopleSource } from "../../ui/people-picker.tsx";

const rpc = EventService.method;

export const registrationsOf = (eventId: string): ListSource<Registration> => ({
  name: "registrations",
  ...pagesOf(rpc.listRegistrations, ({ registrations }) => registrations, { eventId }),
  id: ({ userId }) => userId,
  scope: eventId,
  count: countsOf(rpc.countRegistrations, { eventId }),
});

export const PEOPLE: PeopleSource = {
  method: ChatService.method.findPeople,
  find: async (call, query) =>
    (await call(ChatService.method.findPeople, { query })).people.map(({ userId, name, photoUrl }) => ({
      id: userId,
      name,
      photoUrl,
    })),
};

export function useRegistrationCalls(eventId: string) {
  // The numbers of the event change with its list.
  const change = useChange(registrationsOf(eventId), { method: rpc.getEvent });
  return {
    takeOff: (userId: string) => change(rpc.cancelRegistration, { eventId, userId }),
    register: async (userId: string, overPlaces: boolean) =>
      (await change(rpc.registerPerson, { eventId, userId, overPlaces })).registration,
  };
}

export function useInvitation(eventId: string) {
  const change = useChange({ method: rpc.getEventInvitation });
  const renew = useMutation({ mutationFn: () => change(rpc.renewEventInvitation, { eventId }) });
  return { ...useCall(rpc.getEventInvitation, { eventId }), renew };
}
