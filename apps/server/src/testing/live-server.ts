import type { Socket } from "node:net";
import { createEventsSocket } from "../realtime/events-socket.ts";
import { EventFeed } from "../realtime/event-feed.ts";
import { PassingEnvelopes } from "../realtime/passing-envelopes.ts";
import { listensToThread, whoLeftThread } from "../chat/membership.ts";
import { takesBack } from "../chat/taken-back.ts";
import { routeUpgrades } from "../platform/http-server.ts";
import { connectBroker, ensureStreams, leaveBroker } from "../platform/nats.ts";
import { OutboxRelay } from "../platform/outbox-relay.ts";
import { startTestServer, type TestServerOptions } from "./test-server.ts";

export type LiveServer = Awaited<ReturnType<typeof startLiveServer>>;

export interface LiveServerOptions extends Omit<TestServerOptions, "tellNow" | "broker"> {
  /** Broker to use instead of the tests' broker. */
  readonly natsUrl?: string;
}

/** Starts the test server with the whole path from a change to a socket: outbox, relay, broker, feed, `/ws/events`. */
export async function startLiveServer(options: LiveServerOptions = {}) {
  const broker = await connectBroker(options.natsUrl ?? process.env.NATS_URL ?? "", "live test");
  await ensureStreams(broker);
  const passing = new PassingEnvelopes((envelope) => events.publish(envelope));
  const server = await startTestServer({ ...options, broker, tellNow: passing.tell });
  const feed = new EventFeed(() => {}, takesBack);
  const events = createEventsSocket({
    sessions: server.sessions,
    memberships: { "chat.thread": listensToThread(server.sql) },
    whoLeft: whoLeftThread,
    replay: (topic, after) => feed.replay(topic, after),
  });
  routeUpgrades(server.http.app, (path) => (path === "/ws/events" ? events.handleUpgrade : undefined));
  const sockets = new Set<Socket>();
  server.http.app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const cutConnections = () => sockets.forEach((socket) => socket.destroy());
  const relay = new OutboxRelay(server.sql, broker, () => {});
  passing.join(broker.connection);
  feed.start(broker, { onEnvelope: events.publish, onGap: events.reset });
  relay.start();
  return {
    ...server,
    events,
    /** Closes every connection, as a restarting proxy does. */
    cutConnections,
    close: async () => {
      events.close();
      await relay.close();
      await feed.close();
      await leaveBroker(broker);
      cutConnections();
      await server.close();
    },
  };
}
