import { subjects, type Envelope } from "@followspot/contract";
import type { NatsConnection } from "@nats-io/transport-node";
import { newId } from "../platform/ids.ts";

/** Tells the clients that listen to a topic right now; `type` is `noun.verb_past`. */
export type TellNow = (topic: string, type: string, payload: object) => void;

/**
 * Envelopes that are worth something only now, such as that a person types: told to the sockets of every replica, and
 * kept nowhere. They have no `sequence`, and no client can ask for them later.
 */
export class PassingEnvelopes {
  readonly #onEnvelope: (envelope: Envelope) => void;
  #connection: NatsConnection | undefined;

  constructor(onEnvelope: (envelope: Envelope) => void) {
    this.#onEnvelope = onEnvelope;
  }

  /** From now on those of the other replicas are told here as well. Ends with the connection. */
  join(connection: NatsConnection): void {
    this.#connection = connection;
    connection.subscribe(subjects.passing, {
      callback: (error, message) => {
        if (!error) this.#onEnvelope(message.json<Envelope>());
      },
    });
  }

  readonly tell: TellNow = (topic, type, payload) => {
    const envelope: Envelope = { id: newId(), topic, type, ts: new Date().toISOString(), payload };
    const connection = this.#connection;
    // What we say comes back to us like what others say.
    if (connection && !connection.isClosed()) connection.publish(subjects.passing, JSON.stringify(envelope));
    else this.#onEnvelope(envelope);
  };
}
