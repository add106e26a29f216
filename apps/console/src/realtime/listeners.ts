import type { Envelope } from "@followspot/contract";
import { createStore } from "../lib/store.ts";

interface Listener {
  readonly hear: (envelope: Envelope) => void;
  readonly miss: () => void;
}

const listeners = new Map<string, Set<Listener>>();

/** Topics with listeners beside the lists; the socket follows them. */
export const listenedTopics = createStore<readonly string[]>([]);

/**
 * Hears what comes on a topic, such as `song.{id}`, for as long as it is needed; the socket follows the topic while
 * there are listeners. Lists are kept true without it. Returns the function that ends it.
 *
 * @param miss envelopes were lost: what the listener knows may be old
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

/** For the events socket: an envelope has come. */
export function tellListeners(envelope: Envelope): void {
  for (const { hear } of listeners.get(envelope.topic) ?? []) hear(envelope);
}

/** For the events socket: what was said on a topic meanwhile cannot be told any more. */
export function tellReset(topic: string): void {
  for (const { miss } of listeners.get(topic) ?? []) miss();
}
