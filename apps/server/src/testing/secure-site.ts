import { createServer as createProxy, type RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** Public test key, and a self-signed certificate for example.org. For tests only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVvsIKb0A4e8LaI6t
gAewKrbl/DhGXAFYh1Jd2MOihNihRANCAAQsrEadJBsygB1a550e8lQULwRwoSXY
qdL96oXowVQYI8KvdET95cTqTGt5mQyr+38XkK3OnqWpp0hYeVv4v7CU
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQNWYrYAAtZYQiMBf9jzwYXsdy/EwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZXhhbXBsZS5vcmcwIBcNMjYxMTI0MjEyNTM0WhgPMjEyNjEw
MzEyMTI1MzRaMBYxFDASBgNVBAMMC2V4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAELKxGnSQbMoAdWuedHvJUFC8EcKEl2KnS/eqF6MFUGCPCr3RE
/eXE6kxreZkMq/t/F5Ctzp6lqadIWHlb+L+wlKNrMGkwHQYDVR0OBBYEFElPEWcg
c7ZeQ4lMtrpRb84s72/6MB8GA1UdIwQYMBaAFElPEWcgc7ZeQ4lMtrpRb84s72/6
MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILZXhhbXBsZS5vcmcwCgYIKoZI
zj0EAwIDSAAwRQIgEI4ke1h93/Ud5Pf8fbdOrT7I/ZwpQ0sKhIUf1Al0uA8CIQCq
4xfo5CWiMKKkpSUkRzZf/k+Ficm2JY1CDtmUwlfmuw==
-----END CERTIFICATE-----
`;

/** Loopback site that responds as https://example.org through its proxy. */
export interface SecureSite {
  /** Value for FOLLOWSPOT_PROXY: leads every address to the site. */
  readonly proxy: string;
  close(): Promise<void>;
}

/** Starts the site. While it is open, this process accepts every certificate. */
export async function startSecureSite(answer: RequestListener): Promise<SecureSite> {
  const believed = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const site: Server = createServer({ key: KEY, cert: CERTIFICATE }, answer).listen(0, "127.0.0.1");
  const proxy = createProxy().listen(0, "127.0.0.1");
  await Promise.all([site, proxy].map((server) => new Promise((up) => server.once("listening", up))));
  const port = (server: typeof site | typeof proxy) => (server.address() as AddressInfo).port;
  const tunnels = new Set<Duplex>();
  proxy.on("connect", (_request, socket) => {
    const there = connect(port(site), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
    for (const end of [there, socket]) {
      tunnels.add(end);
      end.on("error", () => end.destroy());
    }
  });
  return {
    proxy: `http://127.0.0.1:${port(proxy)}`,
    async close() {
      if (believed === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = believed;
      for (const end of tunnels) end.destroy();
      for (const server of [site, proxy]) server.closeAllConnections();
      await Promise.all([site, proxy].map((server) => new Promise((closed) => server.close(closed))));
    },
  };
}
