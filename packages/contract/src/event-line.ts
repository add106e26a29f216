import type { Envelope, EventsClientMessage, ServerAck } from "./sockets.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Attempts that may fail before the line counts as offline. */
const ATTEMPTS_IN_HOPE = 4;
/** The server greets within this time, or the line is dead. */
const GREETING_MS = 10_000;
/** Beats the server may miss before the line counts as dead. */
const MISSED_BEATS = 2.5;
const USUAL_BEAT_SECONDS = 30;
const UNAUTHENTICATED = 4401;

/** Whether what is told follows the server by itself right now. */
export type LiveState = "live" | "reconnecting" | "offline";

/** What the owner of a line is told. */
export interface EventLinePorts {
  /** Of `/ws/events`, as `wss://host/ws/events`. */
  readonly url: string;
  /** Bearer token; left out by a page that is signed in by its cookie. */
  readonly token?: string;
  readonly onEnvelope: (envelope: Envelope) => void;
  /** What happened on a topic cannot be told any more: read what it is about again. */
  readonly onReset: (topic: string) => void;
  /** The server does not let this person hear a topic, or not any more; the line follows it no longer. */
  readonly onRefused?: (topic: string, message: string) => void;
  readonly onState: (state: LiveState) => void;
  /** The server does not know who this is. */
  readonly onUnauthenticated: () => void;
  readonly isOnline: () => boolean;
}

/** One socket of the line; a later one takes its place, and then it is told nothing more. */
interface Wire {
  readonly socket: WebSocket;
  heardAt: number;
  beat?: ReturnType<typeof setInterval>;
}

/**
 * Follows topics of /ws/events for as long as it is open: greets, beats, comes back with growing, jittered waits, and
 * asks each topic for what it missed. Knows nothing of lists or of React.
 */
export class EventLine {
  readonly #ports: EventLinePorts;
  /** Followed topics, with the last envelope seen of each. */
  readonly #topics = new Map<string, string | undefined>();
  #wire: Wire | undefined;
  #reconnect: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  /** Sockets opened so far: what came before the first greeting is in the lists, what came between two is not. */
  #opened = 0;
  #isLive = false;
  #isClosed = false;

  constructor(ports: EventLinePorts, topics: Iterable<string>) {
    this.#ports = ports;
    for (const topic of topics) this.#topics.set(topic, undefined);
    this.#open();
  }

  /** Follows a topic from now on. */
  follow(topic: string): void {
    if (this.#topics.has(topic)) return;
    this.#topics.set(topic, undefined);
    if (this.#isLive) this.#say({ type: "Subscribe", payload: { topic } });
  }

  ignore(topic: string): void {
    if (this.#topics.delete(topic) && this.#isLive) this.#say({ type: "Unsubscribe", payload: { topic } });
  }

  /** The network is back: no reason to wait. */
  openNow(): void {
    if (this.#isLive || this.#isClosed) return;
    this.#drop();
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
    this.#ports.onState("offline");
  }

  #open(): void {
    this.#opened += 1;
    this.#ports.onState(this.#ports.isOnline() ? "reconnecting" : "offline");
    const wire: Wire = { socket: new WebSocket(this.#ports.url), heardAt: Date.now() };
    this.#wire = wire;
    const { socket } = wire;
    const { token = "" } = this.#ports;
    socket.onopen = () => this.#say({ type: "ClientHello", payload: { token, platform: "web", subscriptions: [] } });
    socket.onmessage = ({ data }) => wire === this.#wire && this.#hear(wire, data);
    // An earlier socket may close after a later one is open: it ends nothing but itself.
    socket.onclose = ({ code }) => wire === this.#wire && this.#comeBack(code);
    this.#watch(wire, GREETING_MS, () => undefined);
  }

  #hear(wire: Wire, data: unknown): void {
    wire.heardAt = Date.now();
    const envelope = parseEnvelope(data);
    if (!envelope) return;
    if (envelope.topic === "control") return this.#hearControl(wire, envelope);
    // One without a place in the stream is kept nowhere: nobody could go on from it.
    if (envelope.sequence !== undefined && this.#topics.has(envelope.topic)) {
      this.#topics.set(envelope.topic, envelope.id);
    }
    this.#ports.onEnvelope(envelope);
  }

  #hearControl(wire: Wire, { type, payload }: Envelope): void {
    if (type === "ServerAck") return this.#greeted(wire, payload as ServerAck);
    if (type === "Error") return this.#refused(payload as { readonly topic?: string; readonly message: string });
    if (type !== "Reset") return;
    const { topic } = payload as { readonly topic?: string };
    for (const each of topic === undefined ? this.#topics.keys() : [topic]) this.#ports.onReset(each);
  }

  #refused({ topic, message }: { readonly topic?: string; readonly message: string }): void {
    if (topic === undefined) return;
    this.#topics.delete(topic);
    this.#ports.onRefused?.(topic, message);
  }

  #greeted(wire: Wire, { heartbeat_sec }: ServerAck): void {
    this.#isLive = true;
    this.#attempt = 0;
    for (const [topic, lastSeen] of this.#topics) {
      this.#say({ type: "Subscribe", payload: { topic, ...(lastSeen !== undefined && { last_event_id: lastSeen }) } });
      // Nothing was seen of it, so nothing can be asked for: what happened meanwhile is only in the lists.
      if (lastSeen === undefined && this.#opened > 1) this.#ports.onReset(topic);
    }
    const beatMs = Math.max(1, heartbeat_sec || USUAL_BEAT_SECONDS) * 1000;
    this.#watch(wire, beatMs, () => this.#say({ type: "Ping" }));
    this.#ports.onState("live");
  }

  /** Beats, and gives the socket up when nothing was heard for too long: a dead line may never say that it closed. */
  #watch(wire: Wire, beatMs: number, beat: () => void): void {
    clearInterval(wire.beat);
    wire.beat = setInterval(() => {
      const silent = Date.now() - wire.heardAt;
      if (!this.#isLive || silent > beatMs * MISSED_BEATS) this.#comeBack(undefined);
      else beat();
    }, beatMs);
  }

  #comeBack(code: number | undefined): void {
    this.#drop();
    if (this.#isClosed) return;
    this.#attempt += 1;
    const isHopeful = this.#ports.isOnline() && this.#attempt < ATTEMPTS_IN_HOPE;
    this.#ports.onState(isHopeful ? "reconnecting" : "offline");
    if (code === UNAUTHENTICATED) this.#ports.onUnauthenticated();
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#attempt - 1));
    this.#reconnect = setTimeout(() => this.#open(), wait * (0.5 + Math.random() / 2));
  }

  /** Lets go of the socket and of everything that waits for it. */
  #drop(): void {
    clearTimeout(this.#reconnect);
    const wire = this.#wire;
    this.#wire = undefined;
    this.#isLive = false;
    if (!wire) return;
    clearInterval(wire.beat);
    wire.socket.close();
  }

  #say(message: EventsClientMessage): void {
    const socket = this.#wire?.socket;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
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
