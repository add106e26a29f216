import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import { createServer, createSecureContext, type Server as TlsServer } from "node:tls";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { namesOfMachine, readOwnCertificate } from "./authority.ts";
import type { KeyedCertificate } from "./certificates.ts";
import { every } from "../every.ts";
import type { Settings } from "../settings.ts";

/** Interval between checks whether the certificate has changed or must be renewed, ms. */
const CHECK_MS = 60_000;
/** Time for the first byte of a connection, and for its handshake, ms. */
const FIRST_BYTE_MS = 10_000;
/** First byte of a TLS connection: a handshake record (RFC 8446, 5.1). */
const HANDSHAKE = 22;

type HttpsSettings = Pick<
  Settings,
  | "HOST"
  | "FOLLOWSPOT_ACME"
  | "FOLLOWSPOT_DATA_DIR"
  | "FOLLOWSPOT_PUBLIC_URL"
  | "FOLLOWSPOT_TLS_CERT"
  | "FOLLOWSPOT_TLS_KEY"
>;

interface UsedCertificate {
  /** Certificate of our own authority in PEM, which devices must trust; undefined with a certificate of the settings. */
  readonly authority: string | undefined;
  readonly server: KeyedCertificate;
}

export interface Https {
  readonly tls: TlsServer;
  readonly authority: UsedCertificate["authority"];
  close(): void;
}

/**
 * Checks the certificate of the settings, or creates our own.
 *
 * @returns SHA-256 fingerprint of our own authority; undefined if users open the console with another certificate
 * @throws Error if a file cannot be read, or certificate and key do not belong together
 */
export async function prepareCertificate(settings: HttpsSettings): Promise<string | undefined> {
  const { authority, server } = await readCertificate(settings);
  createSecureContext(server);
  return authority && !settings.FOLLOWSPOT_ACME ? new X509Certificate(authority).fingerprint256 : undefined;
}

/** Opens the server's certificate and follows its changes. @throws Error as {@link prepareCertificate} */
export async function openHttps(settings: HttpsSettings, warn: (message: string) => void): Promise<Https> {
  let current = await readCertificate(settings);
  const tls = createServer({ ...current.server, ALPNProtocols: ["http/1.1"], handshakeTimeout: FIRST_BYTE_MS });
  const look = async () => {
    const found = await readCertificate(settings);
    if (found.server.cert === current.server.cert && found.server.key === current.server.key) return;
    tls.setSecureContext(found.server);
    current = found;
  };
  const stop = every(CHECK_MS, "reading the certificate", look, warn);
  return { tls, authority: current.authority, close: stop };
}

async function readCertificate(settings: HttpsSettings): Promise<UsedCertificate> {
  const { FOLLOWSPOT_TLS_CERT, FOLLOWSPOT_TLS_KEY, FOLLOWSPOT_DATA_DIR } = settings;
  if (FOLLOWSPOT_TLS_CERT === undefined || FOLLOWSPOT_TLS_KEY === undefined)
    return readOwnCertificate(
      FOLLOWSPOT_DATA_DIR,
      namesOfMachine(settings),
      `Followspot on ${hostname()}`.slice(0, 64),
    );
  const [cert, key] = await Promise.all([readFile(FOLLOWSPOT_TLS_CERT, "utf8"), readFile(FOLLOWSPOT_TLS_KEY, "utf8")]);
  return { authority: undefined, server: { cert, key } };
}

/** Accepts TLS and plain connections at the ports of an HTTP server, by the first byte of each. */
export function acceptTls(http: Server, tls: TlsServer): void {
  const listeners = http.listeners("connection") as ((socket: Socket) => void)[]; // as Node declares the event
  const serve = (socket: Socket) => {
    for (const listener of listeners) listener.call(http, socket);
  };
  tls.on("secureConnection", serve);
  tls.on("timeout", (socket: Socket) => http.emit("timeout", socket));
  tls.on("tlsClientError", (_error, socket) => socket.destroy());
  http.removeAllListeners("connection");
  http.on("connection", (socket: Socket) => {
    const destroy = () => void socket.destroy();
    socket.on("error", destroy).on("timeout", destroy).setTimeout(FIRST_BYTE_MS);
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      socket.setTimeout(0).off("timeout", destroy).off("error", destroy);
      socket.unshift(bytes);
      if (bytes[0] === HANDSHAKE) {
        socket.allowHalfOpen = false; // otherwise a client that hangs up in the handshake is noticed 10 s later
        tls.emit("connection", socket);
      } else serve(socket);
      process.nextTick(() => socket.resume());
    });
  });
}

/**
 * Redirects plain requests of other machines to https. Those of this machine are answered, also those of a proxy on it;
 * a trusted proxy on another machine reports https by X-Forwarded-Proto.
 */
export function redirectToHttps(app: FastifyInstance, isExempt: (request: FastifyRequest) => boolean): void {
  app.addHook("onRequest", async (request, reply) => {
    const { protocol, raw, headers, originalUrl } = request;
    if (protocol === "https" || isFromThisMachine(raw.socket) || isExempt(request)) return undefined;
    return reply.redirect(`https://${headers.host ?? ""}${originalUrl}`, 308);
  });
}

const isFromThisMachine = ({ remoteAddress = "", localAddress }: Socket): boolean =>
  remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
