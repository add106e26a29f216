import {
  CLOSE,
  eventsClientMessageSchema,
  HELLO_SECONDS,
  type ClientHello,
  type Envelope,
  type EventsClientMessage,
  type ServerAck,
} from "@followspot/contract";
import { newId } from "../database/ids.ts";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { Caller } from "../caller.ts";

/** Number of unsent bytes above which a client is disconnected as too slow. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
const MAX_TOPICS = 1000;
const MAX_MESSAGES_PER_SECOND = 300;
/**
 * Time for the close frame of a client without a hello, ms; `ws` would otherwise wait half a minute for a peer that
 * never responds.
 */
const TURNED_AWAY_MS = 1000;
/** Crockford base 32: 48 bits of time and 80 random bits. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Envelopes since the last one a client received, and whether they are complete. */
export interface Replay {
  readonly envelopes: readonly Envelope[];
  readonly complete: boolean;
  /** Stream sequence of the last one the client received. */
  readonly after?: number | undefined;
}

export interface ConnectionPorts {
  /** Authenticates a hello; an empty token refers to the cookie of the upgrade request. */
  readonly authenticate: (token: string) => Promise<Caller | undefined>;
  readonly mayListen: (caller: Caller, topic: string) => Promise<boolean>;
  readonly replay: (topic: string, afterId: string) => Promise<Replay>;
  readonly heartbeatSeconds: number;
  readonly helloSeconds: number | undefined;
  /** Called once the client has authenticated. */
  readonly onHello: () => void;
  readonly onListen: (topic: string) => void;
  readonly onIgnore: (topic: string) => void;
  readonly onClose: () => void;
}

/** State of a subscription: live, or holding back new envelopes while missed ones are sent. */
type Listening = { readonly held: { envelope: Envelope; frame: Buffer }[] } | "live";

/** One socket of `/ws/events`. The client sends a hello first, then subscribes to topics. */
export class EventsConnection {
  caller: Caller | undefined;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;
  readonly #ports: ConnectionPorts;
  readonly #topics = new Map<string, Listening>();
  readonly #helloTimer: NodeJS.Timeout;
  #isAlive = true;
  #second = 0;
  #messagesThisSecond = 0;
  /**
   * Number of memberships that this user has lost; an authorization check that began before the last loss is repeated.
   */
  #endings = 0;
  /** Messages are processed one at a time. */
  #queue: Promise<void> = Promise.resolve();

  /**
   * @param socket the connection below `ws`; without compression, so that prebuilt frames may be written between those
   *   of `ws`
   */
  constructor(ws: WebSocket, socket: Duplex, ports: ConnectionPorts) {
    this.#ws = ws;
    this.#socket = socket;
    this.#ports = ports;
    const helloMs = (ports.helloSeconds ?? HELLO_SECONDS) * 1000;
    this.#helloTimer = setTimeout(() => this.#turnAway(CLOSE.helloTimeout, "Say ClientHello first"), helloMs);
    ws.on("message", (data, isBinary) => this.#receive(data, isBinary));
    ws.on("pong", () => (this.#isAlive = true));
    ws.on("error", () => ws.terminate());
    ws.on("close", () => this.#end());
  }

  /** Disconnects a peer that did not respond to the previous ping, and pings it again. */
  beat(): void {
    if (!this.#isAlive) return this.#ws.terminate();
    this.#isAlive = false;
    this.#ws.ping();
  }

  /** @param frame the envelope as a prebuilt frame */
  deliver(envelope: Envelope, frame: Buffer): void {
    const listening = this.#topics.get(envelope.topic);
    if (listening === "live") this.#write(frame);
    else listening?.held.push({ envelope, frame });
  }

  /** Tells the client to reload its topics, because envelopes were lost. */
  resetAll(): void {
    for (const topic of this.#topics.keys()) this.#say("Reset", { topic });
  }

  /** Reports a problem of the server itself. */
  complain(code: string, message: string): void {
    if (this.caller) this.#refuse(code, message);
  }

  /** Ends a subscription after the user has lost access to the topic. */
  endListening(topic: string): void {
    this.#endings += 1;
    if (!this.#topics.has(topic)) return;
    this.#ignore(topic);
    this.#refuse("permission_denied", "You may not listen to this topic any more", topic);
  }

  /** Closes the socket because its session has ended. */
  dismiss(): void {
    this.#ws.close(CLOSE.unauthenticated, "The session has ended");
  }

  goAway(): void {
    this.#ws.close(1001, "The server stops");
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) return this.#ws.close(1003, "Text only");
    if (this.#isFlood()) return this.#ws.close(1008, "Too many messages");
    // Fragments of one message arrive joined: `ws` passes a Buffer by default.
    const text = (data as Buffer).toString();
    this.#queue = this.#queue
      .then(() => this.#handle(text))
      .catch(() => this.#ws.close(1011, "Something went wrong on our side"));
  }

  async #handle(text: string): Promise<void> {
    if (!this.#isOpen()) return;
    const message = parseMessage(text);
    if (!this.caller) {
      if (message?.type !== "ClientHello") return this.#turnAway(CLOSE.unauthenticated, "Say ClientHello first");
      return this.#greet(message.payload);
    }
    if (!message) return this.#refuse("invalid_argument", "This is not a message of the protocol");
    switch (message.type) {
      case "ClientHello":
        return this.#ws.close(CLOSE.unauthenticated, "ClientHello was said before");
      case "Subscribe":
        return this.#listen(this.caller, message.payload.topic, message.payload.last_event_id);
      case "Unsubscribe":
        this.#ignore(message.payload.topic);
        return this.#say("Unsubscribed", { topic: message.payload.topic });
      case "Ping":
        return this.#say("Pong", {});
      default:
        message satisfies never;
    }
  }

  async #greet(hello: ClientHello): Promise<void> {
    const caller = await this.#ports.authenticate(hello.token);
    if (!this.#isOpen()) return;
    if (!caller) return this.#turnAway(CLOSE.unauthenticated, "Sign in first");
    clearTimeout(this.#helloTimer);
    this.caller = caller;
    this.#ports.onHello();
    this.#say("ServerAck", {
      connection_id: newId(),
      heartbeat_sec: this.#ports.heartbeatSeconds,
    } satisfies ServerAck);
    for (const topic of hello.subscriptions ?? []) await this.#listen(caller, topic, undefined);
  }

  /** Closes the socket of a client without a hello, with a time limit for the peer. */
  #turnAway(code: number, reason: string): void {
    this.#ws.close(code, reason);
    setTimeout(() => this.#ws.terminate(), TURNED_AWAY_MS).unref();
  }

  async #listen(caller: Caller, topic: string, lastEventId: string | undefined): Promise<void> {
    if (!this.#isOpen()) return;
    const isAllowed = await this.#isAllowed(caller, topic);
    // If the socket is already closed, a subscription added now would never be removed.
    if (!this.#isOpen()) return;
    if (!isAllowed) return this.#refuse("permission_denied", "You may not listen to this topic", topic);
    if (lastEventId && !ULID.test(lastEventId))
      return this.#refuse("invalid_argument", "last_event_id is not an id", topic);
    if (!this.#topics.has(topic) && this.#topics.size >= MAX_TOPICS) {
      return this.#refuse("resource_exhausted", `At most ${MAX_TOPICS} topics`, topic);
    }
    this.#ports.onListen(topic);
    if (!lastEventId) {
      this.#topics.set(topic, "live");
      return this.#say("Subscribed", { topic });
    }
    await this.#catchUp(topic, lastEventId);
  }

  /** Checks the authorization again if the user has lost a membership during the check. */
  async #isAllowed(caller: Caller, topic: string): Promise<boolean> {
    for (;;) {
      const asked = this.#endings;
      const isAllowed = await this.#ports.mayListen(caller, topic);
      if (!isAllowed || asked === this.#endings) return isAllowed;
    }
  }

  /** Sends missed envelopes, then those that arrived during this: nothing lost, nothing duplicated. */
  async #catchUp(topic: string, lastEventId: string): Promise<void> {
    const held: { envelope: Envelope; frame: Buffer }[] = [];
    const listening: Listening = { held };
    this.#topics.set(topic, listening);
    let replay: Replay = { envelopes: [], complete: false };
    try {
      replay = await this.#ports.replay(topic, lastEventId);
    } catch {
      // The stream is unavailable: the client is told to reload.
    }
    // The user lost access while the missed envelopes were read.
    if (this.#topics.get(topic) !== listening) return;
    this.#say("Subscribed", { topic });
    if (!replay.complete) this.#say("Reset", { topic });
    const sent = new Set([lastEventId]);
    for (const envelope of replay.envelopes) {
      sent.add(envelope.id);
      this.#send(JSON.stringify(envelope));
    }
    // Envelopes that arrived during the replay may precede the client's last one: another replica can be ahead of this one.
    const { after = 0 } = replay;
    for (const { envelope, frame } of held) {
      if (!sent.has(envelope.id) && (envelope.sequence ?? Infinity) > after) this.#write(frame);
    }
    if (this.#isOpen()) this.#topics.set(topic, "live");
  }

  #ignore(topic: string): void {
    if (this.#topics.delete(topic)) this.#ports.onIgnore(topic);
  }

  #refuse(code: string, message: string, topic?: string): void {
    this.#say("Error", { code, message, ...(topic !== undefined && { topic }) });
  }

  #say(type: string, payload: object): void {
    const envelope: Envelope = { id: newId(), topic: "control", type, ts: new Date().toISOString(), payload };
    this.#send(JSON.stringify(envelope));
  }

  #send(text: string): void {
    if (this.#takesMore()) this.#ws.send(text);
  }

  #write(frame: Buffer): void {
    if (this.#takesMore()) this.#socket.write(frame);
  }

  #isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  #takesMore(): boolean {
    if (!this.#isOpen()) return false;
    if (this.#ws.bufferedAmount <= MAX_BUFFERED_BYTES) return true;
    this.#ws.close(CLOSE.tooSlow, "Reading too slowly");
    return false;
  }

  #isFlood(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) this.#messagesThisSecond = 0;
    this.#second = second;
    return ++this.#messagesThisSecond > MAX_MESSAGES_PER_SECOND;
  }

  #end(): void {
    clearTimeout(this.#helloTimer);
    for (const topic of this.#topics.keys()) this.#ports.onIgnore(topic);
    this.#topics.clear();
    this.#ports.onClose();
  }
}

function parseMessage(text: string): EventsClientMessage | undefined {
  try {
    return eventsClientMessageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON
  }
}
