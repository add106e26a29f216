import { LIVE } from "@followspot/contract";
import { EventConnection } from "@followspot/contract/event-connection";
import type { QueryClient } from "@tanstack/react-query";
import { forgetNewsSince, newsSince, sessionKey, type SessionUser } from "../auth/session.ts";
import { socketUrl } from "../lib/socket-url.ts";
import { LiveLists } from "./live-lists.ts";
import { listenedTopics, tellListeners, tellReset } from "./listeners.ts";
import { liveState } from "./live-state.ts";

/** Subscribes to /ws/events and keeps the query cache up to date. Returns a function that stops it. */
export function followServer(cache: QueryClient): () => void {
  const lists = new LiveLists(cache);
  const { id = "", roles = [] } = cache.getQueryData<SessionUser>(sessionKey) ?? {};
  const ownTopic = `user.${id}`;
  const ofLists = new Set([...topicsFor(roles), ...(id === "" ? [] : [ownTopic])]);
  // The session gate opens a new connection if the roles have changed.
  const readSession = () => void cache.invalidateQueries({ queryKey: sessionKey });
  const connection = new EventConnection(
    {
      url: socketUrl("/ws/events"),
      since: newsSince(),
      onEnvelope: (envelope) => {
        lists.apply(envelope);
        tellListeners(envelope);
        if (envelope.topic === ownTopic && envelope.type === "user.updated") readSession();
      },
      onReset: (topic) => {
        lists.refresh(topic);
        tellReset(topic);
      },
      onState: liveState.set,
      // Refetch the session: its answer, which reaches the session gate, decides whether the session has ended.
      onUnauthenticated: readSession,
      isOnline: () => navigator.onLine,
    },
    new Set([...ofLists, ...listenedTopics.get()]),
  );

  let followed: readonly string[] = listenedTopics.get();
  const endListening = listenedTopics.subscribe(() => {
    const wanted = listenedTopics.get();
    for (const topic of wanted) connection.follow(topic);
    for (const topic of followed) if (!wanted.includes(topic) && !ofLists.has(topic)) connection.ignore(topic);
    followed = wanted;
  });
  const lost = () => liveState.set("offline");
  window.addEventListener("offline", lost);
  return () => {
    endListening();
    window.removeEventListener("offline", lost);
    connection.close();
    forgetNewsSince();
  };
}

/** Returns the topics of the lists that these roles may subscribe to. */
export function topicsFor(roles: readonly string[]): readonly string[] {
  const heard = Object.values(LIVE).filter(({ listeners }) => {
    if (roles.includes("Admin") || listeners === "everyone") return true;
    return Array.isArray(listeners) && listeners.some((role) => roles.includes(role));
  });
  return [...new Set(heard.map(({ topic }) => topic))];
}
