import type { Envelope } from "@followspot/contract";
import { createStore } from "../lib/store.ts";

interface Listener {
  readonly hear: (envelope: Envelope) => void;
  readonly miss: () => void;
}

const listeners = new Map<string, Set<Listener>>();

/** Topics with listeners besides the lists; the socket subscribes to them. */
export const listenedTopics = createStore<readonly string[]>([]);

/**
 * Subscribes to a topic, such as `song.{id}`. The socket follows the topic while it has listeners. Lists are kept up to
 * date without it. Returns a function that unsubscribes.
 *
 * @param miss called if envelopes were lost, so that the listener's state may be stale
 */
export function listen(topic: string, hear: Listener["hear"], miss: Listener["miss"] = () => {}): () => void {
  const listener: Listener = { hear, miss };
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

/** Delivers an envelope from the events socket to the listeners of its topic. */
export function tellListeners(envelope: Envelope): void {
  for (const { hear } of listeners.get(envelope.topic) ?? []) hear(envelope);
}

/** Notifies the listeners of a topic that envelopes were lost and cannot be replayed. */
export function tellReset(topic: string): void {
  for (const { miss } of listeners.get(topic) ?? []) miss();
}
