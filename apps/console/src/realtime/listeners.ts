import type { Envelope } from "@followspot/contract";

type Listener = (envelope: Envelope) => void;

const listeners = new Map<string, Set<Listener>>();

/** Hears what comes on a topic the events socket follows, beside the lists it keeps true. Returns what ends it. */
export function listen(topic: string, listener: Listener): () => void {
  const heard = listeners.get(topic) ?? new Set();
  listeners.set(topic, heard.add(listener));
  return () => void heard.delete(listener);
}

/** For the events socket: an envelope has come. */
export function tellListeners(envelope: Envelope): void {
  for (const listener of listeners.get(envelope.topic) ?? []) listener(envelope);
}
