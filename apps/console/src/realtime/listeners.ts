import type { Envelope } from "@followspot/contract";
import { createStore } from "../lib/store.ts";

type Listener = (envelope: Envelope) => void;

const listeners = new Map<string, Set<Listener>>();

/** Topics somebody listens to beside the lists; the line follows them. */
export const listenedTopics = createStore<readonly string[]>([]);

/**
 * Hears what comes on a topic, such as `song.{id}`, for as long as it is needed; the socket follows the topic while
 * anybody listens. Lists are kept true without it. Returns what ends it.
 */
export function listen(topic: string, listener: Listener): () => void {
  const heard = listeners.get(topic) ?? new Set();
  listeners.set(topic, heard.add(listener));
  listenedTopics.set([...listeners.keys()]);
  return () => {
    heard.delete(listener);
    if (heard.size > 0 || listeners.get(topic) !== heard) return;
    listeners.delete(topic);
    listenedTopics.set([...listeners.keys()]);
  };
}

/** For the events socket: an envelope has come. */
export function tellListeners(envelope: Envelope): void {
  for (const listener of listeners.get(envelope.topic) ?? []) listener(envelope);
}
