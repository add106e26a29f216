import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { SSL_REQUEST } from "../database/database-socket.ts";

/** Server replies to an SSLRequest (PostgreSQL protocol 3.0, SSL Session Encryption). */
const ANSWERS = { takes: "S", refuses: "N" };

export interface TlsProxy {
  /** Address through the proxy, without `sslmode`. */
  readonly url: string;
  /** Number of connections that switched to TLS. */
  readonly secured: number;
  close(): void;
}

/** Opens a proxy to a test database that accepts or refuses TLS, with a self-signed certificate for localhost. */
export async function openTlsProxy(serverUrl: string, tls: keyof typeof ANSWERS): Promise<TlsProxy> {
  const pem = await readFile(join(import.meta.dirname, "tls-for-tests.pem"));
  const behind = new URL(serverUrl);
  const connected = new Set<Socket>();
  let secured = 0;
  const server = createServer(async (near) => {
    connected.add(near);
    near.on("error", () => {});
    const [asked] = (await once(near, "data")) as [Buffer];
    if (!asked.equals(SSL_REQUEST)) return near.destroy();
    near.write(ANSWERS[tls]);
    const said = tls === "takes" ? new TLSSocket(near, { isServer: true, key: pem, cert: pem }) : near;
    said.on("secure", () => secured++);
    const far = connect(Number(behind.port), behind.hostname);
    for (const [one, other] of [[said, far], [far, said]] as const) one.on("error", () => other.destroy()).pipe(other); // prettier-ignore
    return;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(serverUrl);
  url.host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get secured() {
      return secured;
    },
    close: () => {
      for (const socket of connected) socket.destroy();
      server.close();
    },
  };
}
