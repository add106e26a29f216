import { PLAYER_KEY_HEADER, STAGE_KEY_HEADER } from "@followspot/contract";
import type { FastifyInstance } from "fastify";

const METHODS = "GET, HEAD, POST";
/** What apps send beside what browsers let every page send. */
const REQUEST_HEADERS = [
  "authorization",
  "content-type",
  "connect-protocol-version",
  "connect-timeout-ms",
  "if-none-match",
  "range",
  "x-file-name",
  STAGE_KEY_HEADER,
  PLAYER_KEY_HEADER,
].join(", ");
/** What apps may read of an answer beside what browsers let every page read. */
const ANSWER_HEADERS = "retry-after, x-request-id, content-disposition, content-range, etag";
/** Chromium keeps the answer to a preflight no longer. */
const PREFLIGHT_SECONDS = 7200;

/**
 * Lets pages of these origins call the API (CORS). They bring a bearer token: cookies of other origins count for nothing,
 * and browsers are not told to send any. Everybody else is answered as if there were no such pages.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook("onRequest", async ({ method, headers }, reply) => {
    reply.header("vary", "origin");
    const { origin } = headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", ANSWER_HEADERS);
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return;
    // Before the sign-in is checked: a preflight carries no token.
    return reply
      .status(204)
      .header("access-control-allow-methods", METHODS)
      .header("access-control-allow-headers", REQUEST_HEADERS)
      .header("access-control-max-age", PREFLIGHT_SECONDS)
      .send();
  });
}
