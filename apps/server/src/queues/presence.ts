import type { DownloaderState } from "@followspot/contract";
import type { NatsConnection, Subscription } from "@nats-io/nats-core";

/** What a process says about itself while it lives. */
export interface PresenceMessage {
  readonly id: string;
  readonly kind: "api" | "worker";
  /** Of a worker: what it downloads links with, and of its machine. */
  readonly downloader?: DownloaderState;
  readonly cores?: number;
}

const SUBJECT = "presence";
const SAY_EVERY_MS = 2000;
const AWAY_AFTER_MS = 5000;

/** Keeps saying that this process lives and how it is; a leaving process says so at once. */
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

/** Who is alive. A durable consumer outlives its workers, so JetStream's own count cannot tell. */
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

  /** What those of a kind that are alive said last. */
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
