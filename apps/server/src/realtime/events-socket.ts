import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Envelope } from "@followspot/contract";
import { authenticateToken, isSameOrigin } from "../auth/authenticate.ts";
import { findCaller } from "../auth/sessions.store.ts";
import type { Caller } from "../platform/caller.ts";
import type { Sql } from "../platform/database.ts";
import { EventsConnection, type Replay } from "./events-connection.ts";

const MAX_MESSAGE_BYTES = 64 * 1024;
export const HEARTBEAT_SECONDS = 30;

export interface EventsSocketPorts {
  readonly sql: Sql;
  /** Signs tokens; at least 32 bytes. */
  readonly secret: Uint8Array;
  readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
  readonly replay: (topic: string, afterId: string) => Promise<Replay>;
  /** Pages of other hosts that may connect, as `https://host`. */
  readonly origins?: readonly string[];
  /** Shorter in tests. */
  readonly heartbeatSeconds?: number;
  readonly helloSeconds?: number;
}

export interface EventsSocket {
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Sends an envelope to everybody who listens to its topic. */
  readonly publish: (envelope: Envelope) => void;
  readonly close: () => void;
  readonly connectionCount: () => number;
}

/** The sockets of `/ws/events` in this process. */
export function createEventsSocket(ports: EventsSocketPorts): EventsSocket {
  const heartbeatSeconds = ports.heartbeatSeconds ?? HEARTBEAT_SECONDS;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const connections = new Set<EventsConnection>();
  const listeners = new Map<string, Set<EventsConnection>>();

  const heartbeat = setInterval(() => {
    for (const connection of connections) {
      connection.beat();
      void dismissIfEnded(connection);
    }
  }, heartbeatSeconds * 1000);
  heartbeat.unref();

  /** A lost session.ended must not leave a socket open for ever. */
  async function dismissIfEnded(connection: EventsConnection): Promise<void> {
    const { caller } = connection;
    if (!caller) return;
    try {
      if (!(await findCaller(ports.sql, caller.userId, caller.sessionId))) connection.dismiss();
    } catch {
      // The database is away; the next beat asks again.
    }
  }

  return {
    handleUpgrade: (request, socket, head) => {
      if (!isAllowedOrigin(request.headers, ports.origins ?? [])) {
        socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, (ws) => {
        const connection = new EventsConnection(ws, {
          authenticate: (token) =>
            token === "" ? ports.authenticate(request.headers) : authenticateToken(ports.sql, ports.secret, token),
          replay: ports.replay,
          heartbeatSeconds,
          helloSeconds: ports.helloSeconds,
          onListen: (topic) => {
            const those = listeners.get(topic) ?? new Set();
            listeners.set(topic, those.add(connection));
          },
          onIgnore: (topic) => {
            const those = listeners.get(topic);
            those?.delete(connection);
            if (those?.size === 0) listeners.delete(topic);
          },
          onClose: () => connections.delete(connection),
        });
        connections.add(connection);
      });
    },
    publish: (envelope) => {
      if (envelope.type === "session.ended") endSessions(connections, envelope);
      const those = listeners.get(envelope.topic);
      if (!those) return;
      const text = JSON.stringify(envelope);
      for (const connection of [...those]) connection.deliver(envelope, text);
    },
    close: () => {
      clearInterval(heartbeat);
      for (const connection of [...connections]) connection.goAway();
    },
    connectionCount: () => connections.size,
  };
}

/** `session_id` names one sign-in; without it all of the person's have ended. */
function endSessions(connections: Iterable<EventsConnection>, envelope: Envelope): void {
  const { user_id, session_id } = envelope.payload as { user_id?: unknown; session_id?: unknown };
  for (const connection of [...connections]) {
    const { caller } = connection;
    if (caller?.userId === user_id && (session_id === undefined || caller?.sessionId === session_id))
      connection.dismiss();
  }
}

/** Scripts send no Origin and must bring a token; browsers always name their page. */
function isAllowedOrigin(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  return headers.origin === undefined || origins.includes(headers.origin) || isSameOrigin(headers);
}
