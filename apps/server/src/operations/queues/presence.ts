import type { DownloaderState } from "@followspot/contract";
import type { NatsConnection, Subscription } from "@nats-io/nats-core";

/** State that a process announces while it runs. */
export interface PresenceMessage {
  readonly id: string;
  readonly kind: "api" | "worker";
  /** Downloader of a worker and details of its machine. */
  readonly downloader?: DownloaderState;
  readonly cores?: number;
}

const SUBJECT = "presence";
const SAY_EVERY_MS = 2000;
const AWAY_AFTER_MS = 5000;

/** Announces the state of this process at an interval, and its shutdown immediately. */
export function announcePresence(connection: NatsConnection, self: () => PresenceMessage): () => void {
  const say = (kind: string) =>
    !connection.isClosed() && connection.publish(`${SUBJECT}.${kind}`, JSON.stringify(self()));
  say("here");
  const timer = setInterval(() => say("here"), SAY_EVERY_MS);
  return () => {
    clearInterval(timer);
    say("leaving");
  };
}

/** Tracks live processes. JetStream's own count is no substitute, because a durable consumer outlives its workers. */
export class Presence {
  readonly #seen = new Map<string, { readonly said: PresenceMessage; readonly at: number }>();
  #subscription: Subscription | undefined;

  listen(connection: NatsConnection): void {
    this.#subscription = connection.subscribe(`${SUBJECT}.*`, {
      callback: (error, message) => {
        if (error) return;
        const said = message.json<PresenceMessage>();
        if (message.subject.endsWith("leaving")) this.#seen.delete(said.id);
        else this.#seen.set(said.id, { said, at: performance.now() });
      },
    });
  }

  /** Returns the latest state of the live processes of a kind. */
  list(kind: PresenceMessage["kind"]): readonly PresenceMessage[] {
    const oldest = performance.now() - AWAY_AFTER_MS;
    for (const [id, seen] of this.#seen) if (seen.at < oldest) this.#seen.delete(id);
    return [...this.#seen.values()].map(({ said }) => said).filter((said) => said.kind === kind);
  }

  count(kind: PresenceMessage["kind"]): number {
    return this.list(kind).length;
  }

  close(): void {
    this.#subscription?.unsubscribe();
  }
}
