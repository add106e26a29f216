import type { Socket } from "node:net";
import { connectBroker, ensureStreams, leaveBroker } from "../platform/broker/nats.ts";
import { OutboxRelay } from "../platform/broker/outbox-relay.ts";
import { startTestServer, type TestServerOptions } from "./test-server.ts";

export type LiveServer = Awaited<ReturnType<typeof startLiveServer>>;

export interface LiveServerOptions extends Omit<TestServerOptions, "broker"> {
  /** Broker to use instead of the tests' broker. */
  readonly natsUrl?: string;
}

/** Starts the test server with the whole path from a change to a socket: outbox, relay, broker, feed, `/ws/events`. */
export async function startLiveServer(options: LiveServerOptions = {}) {
  const broker = await connectBroker(options.natsUrl ?? process.env.NATS_URL ?? "", "live test");
  await ensureStreams(broker);
  const server = await startTestServer({ ...options, broker: () => broker });
  const sockets = new Set<Socket>();
  server.http.app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const cutConnections = () => sockets.forEach((socket) => socket.destroy());
  const relay = new OutboxRelay(server.sql, broker, () => {});
  const stopFollowing = server.live.follow(broker);
  relay.start();
  return {
    ...server,
    broker,
    events: server.live.events,
    /** Closes every connection, as a restarting proxy does. */
    cutConnections,
    close: async () => {
      server.live.events.close();
      await relay.close();
      await stopFollowing();
      await leaveBroker(broker);
      cutConnections();
      await server.close();
    },
  };
}
