import { subjects, type Envelope } from "@followspot/contract";
import type { NatsConnection } from "@nats-io/transport-node";
import { newId } from "../database/ids.ts";

/** Publishes an envelope to current subscribers of a topic; `type` is `noun.verb_past`. */
export type TellNow = (topic: string, type: string, payload: object) => void;

/**
 * Transient envelopes, such as typing notifications: published to the sockets of every replica and not stored. They
 * have no `sequence`, and no client can replay them.
 */
export class PassingEnvelopes {
  readonly #onEnvelope: (envelope: Envelope) => void;
  #connection: NatsConnection | undefined;

  constructor(onEnvelope: (envelope: Envelope) => void) {
    this.#onEnvelope = onEnvelope;
  }

  /** Subscribes to the envelopes of the other replicas. Ends with the connection. */
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
    // The broker delivers our own messages back to us.
    if (connection && !connection.isClosed()) connection.publish(subjects.passing, JSON.stringify(envelope));
    else this.#onEnvelope(envelope);
  };
}
