import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** How much of a body is still read after a refusal, so that the answer arrives before the connection ends. */
const LINGER = { bytes: 4 * 1024 * 1024, ms: 2000, lookMs: 5 };

/**
 * Reads what is left of a refused request's body, so that the next request on this connection is answered, but
 * never more than a little: Node would read it to its end, or not at all where reading it has begun.
 */
export function limitRefusedBodies(app: FastifyInstance): void {
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request; // a stream that fails lets go of it
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
  // A connection that is ended at once with unread bytes is reset, and the answer lost with it (RFC 9112 §9.6).
  app.addHook("onSend", async ({ raw }, reply) => {
    if (reply.statusCode >= 400 && hasBody(raw) && !raw.complete) reply.removeHeader("connection");
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
