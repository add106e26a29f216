import { ChatService } from "@followspot/contract/chat";
import type { PeopleSource } from "../ui/people-picker.tsx";

const method = ChatService.method.findPeople;

/** Search source of community members, available to every member. */
export const MEMBERS: PeopleSource = {
  method,
  find: async (call, query) =>
    (await call(method, { query })).people.map(({ userId, name, photoUrl }) => ({ id: userId, name, photoUrl })),
};
