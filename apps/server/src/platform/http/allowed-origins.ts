import { IDEMPOTENCY_KEY_HEADER, PLAYER_KEY_HEADER, REPLAYED_HEADER, STAGE_KEY_HEADER } from "@followspot/contract";
import type { FastifyInstance } from "fastify";

const METHODS = "GET, HEAD, POST";
/** Request headers of apps that need permission by CORS. */
const REQUEST_HEADERS = [
  "authorization",
  "content-type",
  "connect-protocol-version",
  "connect-timeout-ms",
  "if-none-match",
  "range",
  "x-file-name",
  IDEMPOTENCY_KEY_HEADER.toLowerCase(),
  STAGE_KEY_HEADER,
  PLAYER_KEY_HEADER,
].join(", ");
const RATE_LIMIT_HEADERS = "ratelimit-limit, ratelimit-remaining, ratelimit-reset";
/** Response headers that CORS makes readable for apps. */
const ANSWER_HEADERS = `retry-after, x-request-id, ${RATE_LIMIT_HEADERS}, content-disposition, content-range, etag, ${REPLAYED_HEADER}`;
/** Lifetime of a preflight response in browsers; Chromium's maximum, s. */
const PREFLIGHT_SECONDS = 7200;

/**
 * Enables CORS for pages of these origins. They authenticate with a bearer token; cookies are never accepted across
 * origins, and browsers are not asked to send any. All other requests are answered without CORS headers.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook("onRequest", async ({ method, headers }, reply) => {
    reply.header("vary", "origin");
    const { origin } = headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", ANSWER_HEADERS);
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return;
    // Before authentication: a preflight carries no token.
    return reply
      .status(204)
      .header("access-control-allow-methods", METHODS)
      .header("access-control-allow-headers", REQUEST_HEADERS)
      .header("access-control-max-age", PREFLIGHT_SECONDS)
      .send();
  });
}
