import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import compress from "@fastify/compress";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { allowOrigins } from "./allowed-origins.ts";
import type { Caller, Role } from "../caller.ts";
import type { NoteFailure } from "../database/database-watch.ts";
import { denied, exhausted, invalid, overLimit, unauthenticated } from "../errors.ts";
import { newId } from "../database/ids.ts";
import { withoutBasePath } from "./base-path.ts";
import { networkOf } from "./network-of.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { limitRefusedBodies } from "./refused-bodies.ts";
import { addResponseHeaders } from "./response-headers.ts";
import { replyError, replyNotFound, routeName, toRefusal, type RpcPorts } from "./rpc.ts";

/** Time for a request's headers to arrive, ms. */
const HEADERS_MS = 10_000;
/** Time without traffic after which a connection is closed, ms; an upload of a large file may take hours in total. */
const SILENCE_MS = 20_000;
/** Rejected sign-ins per network and second after which authentication is skipped. */
const MAX_STRANGERS_PER_SECOND = 2000;
const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpPorts {
  readonly noteFailure: NoteFailure;
  readonly authenticate: RpcPorts["authenticate"];
  /** Proxies whose X-Forwarded-For is trusted: addresses or networks. */
  readonly trustProxy: readonly string[];
  /** Path below which a proxy serves Followspot, such as "/lights"; none if absent. */
  readonly basePath?: string;
  /** Other origins that may call, as `https://host`; none if absent. */
  readonly allowedOrigins?: readonly string[];
  /** Host name that browsers open by https only; none if absent. */
  readonly httpsOnlyHost?: string | undefined;
  /** Shorter in tests. */
  readonly headersMs?: number;
  /** See {@link MAX_STRANGERS_PER_SECOND}; fewer in tests. */
  readonly maxStrangers?: number;
}

/** Checks access before the body is read. An admin may do everything. */
export type Guard = (...roles: readonly Role[]) => (request: FastifyRequest) => Promise<void>;

export interface HttpServer {
  readonly app: FastifyInstance;
  readonly guard: Guard;
  /** Authenticates WebSocket upgrades, which bypass guards. @throws unauthenticated or permission_denied */
  readonly admit: (request: Pick<FastifyRequest, "headers">, ...roles: readonly Role[]) => Promise<Caller>;
  /** Returns the caller that a guard admitted. */
  readonly callerOf: (request: FastifyRequest) => Caller;
}

/** Creates the API's HTTP server: limits, errors in Connect's format, headers; contains no routes. */
export async function createHttpServer(ports: HttpPorts): Promise<HttpServer> {
  const { noteFailure, authenticate, trustProxy, basePath = "", allowedOrigins = [] } = ports;
  const { headersMs = HEADERS_MS, maxStrangers = MAX_STRANGERS_PER_SECOND } = ports;
  const app = Fastify({
    genReqId: newId,
    bodyLimit: MAX_BODY_BYTES,
    rewriteUrl: ({ url = "" }) => withoutBasePath(url, basePath),
    routerOptions: { maxParamLength: 200 },
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    // Paths that cannot be decoded never reach a route.
    frameworkErrors: (_error, _request, reply) =>
      void replyError(reply as FastifyReply, invalid("The address of this request is malformed")),
    clientErrorHandler: refuseBrokenRequest,
    connectionTimeout: SILENCE_MS,
    // During shutdown, requests that still arrive are answered; the responses close their connections.
    return503OnClosing: false,
    http: {
      headersTimeout: headersMs,
      requestTimeout: 0,
      connectionsCheckingInterval: 1000,
      // An offer of another protocol, such as HTTP/2, is ignored (RFC 9110 §7.8).
      shouldUpgradeCallback: ({ headers }) => /\bwebsocket\b/i.test(headers.upgrade ?? ""),
    },
  });
  app.server.prependListener("upgrade", (request: IncomingMessage) => {
    request.url = withoutBasePath(request.url ?? "", basePath);
  });
  await app.register(compress, {
    threshold: 2048,
    encodings: ["br", "gzip"],
    brotliOptions: BROTLI,
    // Each route decompresses its requests itself, within its own limits.
    globalDecompression: false,
  });

  const callers = new WeakMap<FastifyRequest, Caller>();
  const admit: HttpServer["admit"] = async ({ headers }, ...roles) => {
    const caller = await authenticate(headers);
    if (!caller) throw unauthenticated();
    if (!caller.roles.some((role) => role === "Admin" || roles.includes(role))) throw denied();
    return caller;
  };
  const guard: Guard =
    (...roles) =>
    async (request) =>
      void callers.set(request, await admit(request, ...roles));
  const callerOf = (request: FastifyRequest): Caller => {
    const caller = callers.get(request);
    if (!caller) throw unauthenticated();
    return caller;
  };

  addResponseHeaders(app, ports.httpsOnlyHost);
  allowOrigins(app, allowedOrigins);
  app.addHook("onRequest", async ({ raw }) => {
    if (!namesOneHost(raw)) throw invalid("A request names one host");
  });
  limitStrangers(app, maxStrangers);
  limitSilence(app);
  limitRefusedBodies(app);
  app.setErrorHandler((error, request, reply) => {
    const { statusCode, code } = error as { statusCode?: number; code?: unknown };
    // A reset database connection has the same code.
    if (code === "ECONNRESET" && request.raw.errored === error)
      return replyError(reply, invalid("The request was cut off on its way. Send it again."));
    // The client disconnected: no response would arrive, and there is no fault to log.
    if (code === "ERR_STREAM_PREMATURE_CLOSE" && request.raw.socket.destroyed) return reply.hijack();
    // Fastify's own errors (length, type) are caused by the caller and have a suitable message.
    if (statusCode && statusCode < 500 && !(error instanceof ConnectError)) {
      return replyError(reply, invalid((error as Error).message), statusCode);
    }
    const isRead = request.method === "GET" || request.method === "HEAD";
    return replyError(reply, toRefusal(routeName(request), error, noteFailure, request.id, isRead));
  });
  app.setNotFoundHandler(replyNotFound);
  return { app, guard, admit, callerOf };
}

/**
 * Routes each upgrade to the handler of its path. Node removes its own listener from an upgraded socket; a reset
 * without a listener would end the process.
 */
export function routeUpgrades(
  app: FastifyInstance,
  serve: (path: string) => ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined,
): void {
  app.server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    if (!namesOneHost(request)) return refuseUpgrade(socket, "400 Bad Request");
    const handle = serve((request.url ?? "").split("?", 1)[0] ?? "");
    if (handle) handle(request, socket, head);
    else refuseUpgrade(socket, "404 Not Found");
  });
}

/** A proxy may have checked the one of two hosts that Node discards (RFC 9112 §3.2). */
const namesOneHost = ({ headersDistinct }: IncomingMessage): boolean => (headersDistinct.host?.length ?? 0) <= 1;

/** Quality 4 of 11: a third smaller than gzip at the same cost. */
const BROTLI = { params: { 1: 4 } };

/**
 * Adds a coarse limit per network for unauthenticated requests, in addition to the sign-in limits, so that one caller
 * cannot overload the server, not even from all addresses of an IPv6 network.
 */
function limitStrangers(app: FastifyInstance, most: number): void {
  let second = 0;
  const refused = new Map<string, number>();
  const countOf = (network: string): number => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) refused.clear();
    second = now;
    return refused.get(network) ?? 0;
  };
  app.addHook("onRequest", async ({ headers, ip }) => {
    const isStranger = headers.authorization === undefined && headers.cookie === undefined;
    if (isStranger && countOf(networkOf(ip)) >= most) throw overLimit("Too many requests. Wait a second.", most, 1);
  });
  app.addHook("onResponse", async ({ ip }, reply) => {
    if (reply.statusCode !== 401) return;
    const network = networkOf(ip);
    refused.set(network, countOf(network) + 1);
  });
}

/** Closes a connection whose request stops arriving, but not one that waits for a slow response. */
function limitSilence(app: FastifyInstance): void {
  const atWork = new WeakMap<Socket, IncomingMessage>();
  app.addHook("onRequest", async ({ raw }) => void atWork.set(raw.socket, raw));
  app.addHook("onResponse", async ({ raw }) => void atWork.delete(raw.socket));
  app.server.on("timeout", (socket: Socket) => {
    if (!atWork.get(socket)?.complete) socket.destroy();
  });
}

/** Answers input that is not HTTP, has too large headers, or sends them too slowly. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, refusal] =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ["408 Request Timeout", new ConnectError("The request did not arrive in time", Code.DeadlineExceeded)]
      : error.code === "HPE_HEADER_OVERFLOW"
        ? ["431 Request Header Fields Too Large", exhausted("The request's headers are too large")]
        : ["400 Bad Request", invalid("This is not an HTTP request we understand")];
  const body = JSON.stringify(errorToJson(refusal, undefined));
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
