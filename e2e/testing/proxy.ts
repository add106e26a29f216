import { createServer, connect, type AddressInfo, type Socket } from "node:net";

/** Interval between health checks of each server, and the timeouts of a check and of a connection, ms. */
const ASK_MS = 100;
const ANSWER_MS = 4000;
const CONNECT_MS = 1000;

export interface ProxyOptions {
  /** Addresses of the servers, without a final slash. */
  readonly urls: readonly string[];
  /** Address to listen at; a free port on loopback by default. */
  readonly host?: string;
  readonly port?: number;
}

export interface Proxy {
  readonly url: string;
  /** Returns the result of the last health check per server. */
  takesCalls(): readonly boolean[];
  close(): Promise<void>;
}

/**
 * Starts a minimal TCP proxy. It distributes new connections in turn to servers whose /healthz returns 200, and tries the next
 * server if one is unreachable. It closes connections to a server that no longer responds.
 */
export async function openProxy({ urls, host = "127.0.0.1", port = 0 }: ProxyOptions): Promise<Proxy> {
  const backends = urls.map((url) => ({ at: new URL(url), takesCalls: true, sockets: new Set<Socket>() }));
  const sockets = new Set<Socket>();
  let next = 0;

  const server = createServer((client) => {
    keep(client);
    const from = next++;
    const ready = backends.filter(({ takesCalls }) => takesCalls);
    // If all checks fail, a server may only be slow.
    const some = ready.length > 0 ? ready : backends;
    const turns = some.map((_, i) => some[(from + i) % some.length]!);
    const tryNext = () => {
      const backend = turns.shift();
      if (!backend || client.destroyed) return void client.destroy();
      const { hostname, port: to } = backend.at;
      const socket = keep(connect(Number(to), hostname));
      const patience = setTimeout(() => socket.destroy(), CONNECT_MS);
      let isOpen = false;
      socket.once("connect", () => {
        clearTimeout(patience);
        isOpen = true;
        backend.sockets.add(socket);
        socket.pipe(client);
        client.pipe(socket);
      });
      socket.once("close", () => {
        clearTimeout(patience);
        backend.sockets.delete(socket);
        if (isOpen) client.end();
        else tryNext();
      });
      client.once("close", () => socket.end());
    };
    tryNext();
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));

  const asking = setInterval(() => {
    for (const backend of backends) void ask(backend);
  }, ASK_MS);

  async function ask(backend: (typeof backends)[number]): Promise<void> {
    const patience = AbortSignal.timeout(ANSWER_MS);
    try {
      const answer = await fetch(new URL("/healthz", backend.at), {
        headers: { connection: "close" },
        signal: patience,
      });
      backend.takesCalls = answer.ok;
    } catch {
      backend.takesCalls = false;
      // A server that is draining still responds; a hung one does not.
      if (patience.aborted) for (const socket of backend.sockets) socket.destroy();
    }
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => {}); // closes it
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    takesCalls: () => backends.map(({ takesCalls }) => takesCalls),
    close: async () => {
      clearInterval(asking);
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
