import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Envelope } from "@followspot/contract";
import { mayOpenSocket, type Sessions } from "../community/auth/sessions.ts";
import { refuseUpgrade } from "../platform/http/refuse-upgrade.ts";
import { UnknownSockets } from "../platform/http/unknown-sockets.ts";
import { EventsConnection, type Replay } from "../platform/live-events/events-connection.ts";
import { textFrame } from "../platform/live-events/text-frame.ts";
import { mayListen, OWN, type Memberships } from "../platform/live-events/topics.ts";

const MAX_MESSAGE_BYTES = 64 * 1024;
export const HEARTBEAT_SECONDS = 30;
/** Limit of sockets without a hello: as many as the guests of a large night whose pages reconnect at once. */
const MOST_UNKNOWN = 5000;
/** Number of groups of a heartbeat, so that thousands of clients are not pinged simultaneously. */
const TURNS = 30;

export interface EventsSocketPorts {
  readonly sessions: Sessions;
  /** Membership checks by kind of topic; the check of a user's own topic is built in. */
  readonly memberships?: Memberships;
  /** Returns the ID of the user who loses access to the envelope's topic with this envelope. */
  readonly whoLeft?: (envelope: Envelope) => string | undefined;
  readonly replay: (topic: string, afterId: string) => Promise<Replay>;
  /** Allowed origins of other hosts, as `https://host`. */
  readonly origins?: readonly string[];
  /** Shorter in tests. */
  readonly heartbeatSeconds?: number;
  readonly helloSeconds?: number;
}

export interface EventsSocket {
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Sends an envelope to all subscribers of its topic. */
  readonly publish: (envelope: Envelope) => void;
  /** Tells all clients that envelopes were lost. */
  readonly reset: () => void;
  /** Reports a problem of the server itself to all clients. */
  readonly sayAll: (code: string, message: string) => void;
  readonly close: () => void;
  readonly connectionCount: () => number;
  /** Number of topics with subscriptions, over all sockets. */
  readonly listeningCount: () => number;
}

/** Creates the endpoint `/ws/events` of this process. */
export function createEventsSocket(ports: EventsSocketPorts): EventsSocket {
  const heartbeatSeconds = ports.heartbeatSeconds ?? HEARTBEAT_SECONDS;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const memberships = { ...OWN, ...ports.memberships };
  const connections = new Set<EventsConnection>();
  const unknown = new UnknownSockets(MOST_UNKNOWN);
  const listeners = new Map<string, Set<EventsConnection>>();

  /** Connections by group of the heartbeat. */
  const turns = Array.from({ length: TURNS }, () => new Set<EventsConnection>());
  let [turn, joined] = [0, 0];
  const heartbeat = setInterval(
    () => {
      const beating = turns[turn++ % TURNS]!;
      for (const connection of beating) connection.beat();
      void dismissEnded([...beating].filter(({ caller }) => caller !== undefined));
    },
    (heartbeatSeconds * 1000) / TURNS,
  );
  heartbeat.unref();

  /** Closes sockets of ended sessions, in case the session.ended envelope was lost. */
  async function dismissEnded(greeted: readonly EventsConnection[]): Promise<void> {
    if (greeted.length === 0) return;
    try {
      const running = await ports.sessions.running(greeted.flatMap(({ caller }) => caller ?? []));
      for (const connection of greeted) if (!running.has(connection.caller?.sessionId ?? "")) connection.dismiss();
    } catch {
      // The database is unavailable; the next heartbeat checks again.
    }
  }

  return {
    handleUpgrade: (request, socket, head) => {
      if (!mayOpenSocket(request.headers, ports.origins ?? [])) {
        refuseUpgrade(socket, "403 Forbidden");
        return;
      }
      server.handleUpgrade(request, socket, head, (ws) => {
        const ofTurn = turns[joined++ % TURNS]!;
        unknown.add(ws);
        const connection = new EventsConnection(ws, socket, {
          authenticate: (token) =>
            token === "" ? ports.sessions.ofHeaders(request.headers) : ports.sessions.ofToken(token),
          mayListen: (caller, topic) => mayListen(caller, topic, memberships),
          replay: ports.replay,
          heartbeatSeconds,
          helloSeconds: ports.helloSeconds,
          onHello: () => unknown.release(ws),
          onListen: (topic) => {
            const ofTopic = listeners.get(topic) ?? new Set();
            listeners.set(topic, ofTopic.add(connection));
          },
          onIgnore: (topic) => {
            const ofTopic = listeners.get(topic);
            ofTopic?.delete(connection);
            if (ofTopic?.size === 0) listeners.delete(topic);
          },
          onClose: () => {
            connections.delete(connection);
            ofTurn.delete(connection);
          },
        });
        connections.add(connection);
        ofTurn.add(connection);
      });
    },
    publish: (envelope) => {
      if (envelope.type === "session.ended") endSessions(connections, envelope);
      const ofTopic = listeners.get(envelope.topic);
      // Built once for all subscribers: each costs one write.
      const frame = ofTopic && textFrame(JSON.stringify(envelope));
      if (frame) for (const connection of ofTopic) connection.deliver(envelope, frame);
      const left = ports.whoLeft?.(envelope);
      if (left === undefined) return;
      for (const connection of connections) {
        if (connection.caller?.userId === left) connection.endListening(envelope.topic);
      }
    },
    reset: () => {
      for (const connection of [...connections]) connection.resetAll();
    },
    sayAll: (code, message) => {
      for (const connection of connections) connection.complain(code, message);
    },
    close: () => {
      clearInterval(heartbeat);
      for (const connection of [...connections]) connection.goAway();
    },
    connectionCount: () => connections.size,
    listeningCount: () => [...listeners.values()].reduce((sum, ofTopic) => sum + ofTopic.size, 0),
  };
}

/** Closes the sockets of a session; without `session_id`, of all sessions of the user. */
function endSessions(connections: Iterable<EventsConnection>, envelope: Envelope): void {
  const { user_id, session_id } = envelope.payload as { user_id?: unknown; session_id?: unknown };
  for (const connection of [...connections]) {
    const { caller } = connection;
    if (caller?.userId === user_id && (session_id === undefined || caller?.sessionId === session_id))
      connection.dismiss();
  }
}
