import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Settings } from "../settings.ts";

/** Errors of a machine without IPv6. */
const NO_IPV6 = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

/**
 * Addresses at which the server listens. Systems resolve `localhost` to 127.0.0.1, to ::1 or to both, and 0.0.0.0 does
 * not include ::1.
 */
function listenAddresses(HOST: string): readonly [string, ...string[]] {
  if (HOST === "localhost") return ["127.0.0.1", "::1"];
  return HOST === "0.0.0.0" ? [HOST, "::1"] : [HOST];
}

/** Listens at all addresses of HOST. Closing the app closes them. */
export async function listen(app: FastifyInstance, { HOST, PORT }: Pick<Settings, "HOST" | "PORT">): Promise<void> {
  const [first, ...others] = listenAddresses(HOST);
  const more: Server[] = [];
  app.addHook("onClose", async () => {
    for (const server of more) server.close();
  });
  await app.listen({ host: first, port: PORT });
  const { port } = app.server.address() as AddressInfo; // listens at a port
  for (const host of others) {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit("connection", socket),
    );
    server.on("timeout", (socket: Socket) => app.server.emit("timeout", socket));
    if (await opens(server, host, port)) more.push(server);
  }
}

/**
 * Checks that no other program listens at the addresses of HOST.
 *
 * @throws an error of the system, with the address
 */
export async function requireFreePort({ HOST, PORT }: Pick<Settings, "HOST" | "PORT">): Promise<void> {
  const [first, ...others] = listenAddresses(HOST);
  for (const host of [first, ...others]) {
    const probe = createServer();
    const isOpen = await opens(probe, host, PORT, host === first);
    if (isOpen) await new Promise((resolve) => probe.close(resolve));
  }
}

/** Returns false if the machine has no IPv6, unless the address is needed. */
async function opens(server: Server, host: string, port: number, isNeeded = false): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      !isNeeded && NO_IPV6.includes(error.code ?? "") ? resolve(false) : reject(error),
    );
    server.listen(port, host, () => resolve(true));
  });
}
