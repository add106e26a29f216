import { Connection, openWebSocket } from "./connection.ts";
import type { Envelope, EventsClientMessage, ServerAck } from "./sockets.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Attempts that may fail before the connection counts as offline. */
const ATTEMPTS_IN_HOPE = 4;
/** The server greets within this time, or the connection is given up. */
const GREETING_MS = 10_000;
/** It answers a ping within this time, or the connection is given up. */
const ANSWER_MS = 3500;
const USUAL_BEAT_SECONDS = 30;
const UNAUTHENTICATED = 4401;

/** Whether what is told follows the server by itself right now. */
export type LiveState = "live" | "reconnecting" | "offline";

/** What the owner of a connection is told. */
export interface EventConnectionPorts {
  /** Of `/ws/events`, as `wss://host/ws/events`. */
  readonly url: string;
  /** Bearer token; left out by a page that is signed in by its cookie. */
  readonly token?: string;
  readonly onEnvelope: (envelope: Envelope) => void;
  /**
   * Id of an envelope that came before everything that was read until now, as GetSession answers it. Without it each
   * topic is reset once it is followed: what happened between the reading and the following is only in the lists.
   */
  readonly since?: string | undefined;
  /** What happened on a topic cannot be told any more: read what it is about again. */
  readonly onReset: (topic: string) => void;
  /** The server does not let this person hear a topic, or not any more; the connection follows it no longer. */
  readonly onRefused?: (topic: string, message: string) => void;
  readonly onState: (state: LiveState) => void;
  /** The server does not know who this is. */
  readonly onUnauthenticated: () => void;
  readonly isOnline: () => boolean;
}

/**
 * Follows topics of /ws/events for as long as it is open: greets, beats, comes back, and asks each topic for what it
 * missed. Knows nothing of lists or of React.
 */
export class EventConnection {
  readonly #ports: EventConnectionPorts;
  /** Followed topics, with the last envelope seen of each. */
  readonly #topics = new Map<string, string | undefined>();
  readonly #connection: Connection;
  /** The last envelope seen of any topic. */
  #latest: string | undefined;
  /** Topics that are asked for without a place in the stream. */
  readonly #unplaced = new Set<string>();
  #isLive = false;
  #beatMs = USUAL_BEAT_SECONDS * 1000;
  #beat: ReturnType<typeof setInterval> | undefined;

  constructor(ports: EventConnectionPorts, topics: Iterable<string>) {
    this.#ports = ports;
    for (const topic of topics) this.#topics.set(topic, undefined);
    this.#latest = ports.since || undefined;
    const { token = "" } = ports;
    ports.onState(ports.isOnline() ? "reconnecting" : "offline");
    this.#connection = new Connection({
      connect: (events) => openWebSocket(ports.url, events),
      silenceMs: GREETING_MS,
      firstWaitMs: FIRST_WAIT_MS,
      longestWaitMs: LONGEST_WAIT_MS,
      onOpen: () => this.#say({ type: "ClientHello", payload: { token, platform: "web", subscriptions: [] } }),
      onHeard: (text) => this.#hear(text),
      onLost: (code) => this.#lose(code),
      onWake: () => this.#ask(),
    });
  }

  /** Follows a topic from now on. */
  follow(topic: string): void {
    if (this.#topics.has(topic)) return;
    this.#topics.set(topic, undefined);
    if (this.#isLive) this.#subscribe(topic);
  }

  ignore(topic: string): void {
    if (this.#topics.delete(topic) && this.#isLive) this.#say({ type: "Unsubscribe", payload: { topic } });
  }

  /** The network is back: no reason to wait. In a browser the connection notices by itself. */
  wake(): void {
    this.#connection.wake();
  }

  close(): void {
    this.#rest();
    this.#connection.close();
    this.#ports.onState("offline");
  }

  #hear(text: string): void {
    const envelope = parseEnvelope(text);
    if (!envelope) return;
    if (envelope.topic === "control") return this.#hearControl(envelope);
    // One without a place in the stream is kept nowhere: a client cannot resume from it.
    if (envelope.sequence !== undefined && this.#topics.has(envelope.topic)) {
      this.#topics.set(envelope.topic, envelope.id);
      this.#latest = envelope.id;
    }
    this.#ports.onEnvelope(envelope);
  }

  #hearControl({ type, payload }: Envelope): void {
    if (type === "ServerAck") return this.#greeted(payload as ServerAck);
    if (type === "Error") return this.#refused(payload as { readonly topic?: string; readonly message: string });
    const { topic } = payload as { readonly topic?: string };
    if (type === "Subscribed" && topic !== undefined && this.#unplaced.delete(topic)) this.#ports.onReset(topic);
    if (type !== "Reset") return;
    for (const each of topic === undefined ? this.#topics.keys() : [topic]) this.#ports.onReset(each);
  }

  #refused({ topic, message }: { readonly topic?: string; readonly message: string }): void {
    if (topic === undefined) return;
    this.#topics.delete(topic);
    this.#ports.onRefused?.(topic, message);
  }

  #greeted({ heartbeat_sec }: ServerAck): void {
    this.#isLive = true;
    for (const topic of this.#topics.keys()) this.#subscribe(topic);
    this.#beatMs = Math.max(1, heartbeat_sec || USUAL_BEAT_SECONDS) * 1000;
    this.#connection.expectWithin(this.#beatMs + ANSWER_MS);
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#say({ type: "Ping" }), this.#beatMs);
    this.#ports.onState("live");
  }

  /** From where it was left; of one that is new what happened since the last envelope of any is told as well. */
  #subscribe(topic: string): void {
    const after = this.#topics.get(topic) ?? this.#latest;
    if (after === undefined) this.#unplaced.add(topic);
    else this.#topics.set(topic, after);
    this.#say({ type: "Subscribe", payload: { topic, ...(after !== undefined && { last_event_id: after }) } });
  }

  /** The page woke up: the connection may be lost without having said so. */
  #ask(): void {
    if (this.#isLive) {
      this.#connection.answerWithin(ANSWER_MS);
      return this.#say({ type: "Ping" });
    }
    this.#rest();
    this.#connection.reopen();
  }

  #lose(code: number): void {
    this.#rest();
    const isHopeful = this.#ports.isOnline() && this.#connection.attempt < ATTEMPTS_IN_HOPE;
    this.#ports.onState(isHopeful ? "reconnecting" : "offline");
    if (code === UNAUTHENTICATED) this.#ports.onUnauthenticated();
  }

  #rest(): void {
    this.#isLive = false;
    this.#unplaced.clear();
    clearInterval(this.#beat);
  }

  #say(message: EventsClientMessage): void {
    this.#connection.send(JSON.stringify(message));
  }
}

function parseEnvelope(data: unknown): Envelope | undefined {
  try {
    const value = JSON.parse(String(data)) as Partial<Envelope> | null;
    return value && typeof value.topic === "string" && typeof value.type === "string" ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
