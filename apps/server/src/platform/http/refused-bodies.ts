import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** How much of a rejected request's body is still read, so that the response arrives before the connection closes. */
const LINGER = { bytes: 4 * 1024 * 1024, ms: 2000, lookMs: 5 };

/**
 * Reads a limited part of a rejected request's remaining body, so that the connection can serve the next request. Node
 * itself would read all of it, or none if reading has begun.
 */
export function limitRefusedBodies(app: FastifyInstance): void {
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request; // a stream that fails drops its socket
    response.once("finish", () => {
      if (response.statusCode < 400 || request.complete) return;
      request.resume();
      const endAt = performance.now() + LINGER.ms;
      const endAfter = socket.bytesRead + LINGER.bytes;
      const look = setInterval(() => {
        if (!request.complete && socket.bytesRead < endAfter && performance.now() < endAt && !socket.destroyed) return;
        clearInterval(look);
        if (!request.complete) socket.destroy();
      }, LINGER.lookMs);
      look.unref();
    });
  });
  // Closing a connection with unread bytes resets it and loses the response (RFC 9112 §9.6).
  app.addHook("onSend", async ({ raw }, reply) => {
    if (reply.statusCode >= 400 && hasBody(raw) && !raw.complete) reply.removeHeader("connection");
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
