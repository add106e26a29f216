import type { FastifyInstance } from "fastify";
import type { Settings } from "../settings.ts";

/** One year, the shortest time that lists of HSTS hosts accept, s. */
const HSTS_SECONDS = 31_536_000;

/**
 * Adds headers to every response. Nothing is stored by caches unless a route sets its own cache-control.
 *
 * @param httpsOnlyHost host name that browsers open by https only from then on
 */
export function addResponseHeaders(app: FastifyInstance, httpsOnlyHost?: string): void {
  // Set immediately, not on sending: Connect's responses bypass the framework and copy these headers.
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff").header("referrer-policy", "no-referrer");
    reply.header("x-request-id", request.id).header("cache-control", "no-store");
    if (request.protocol !== "https") return;
    // Browsers ignore it over http, and warn.
    reply.header("cross-origin-opener-policy", "same-origin");
    if (request.hostname === httpsOnlyHost) reply.header("strict-transport-security", `max-age=${HSTS_SECONDS}`);
  });
}

/**
 * Returns the host name that only this server uses, with a certificate that every browser accepts; undefined if there is
 * none. A certificate of our own authority can be missing on a device, and a base path means that the host has other
 * pages.
 */
export function httpsOnlyHost(
  settings: Pick<
    Settings,
    "FOLLOWSPOT_PUBLIC_URL" | "FOLLOWSPOT_BASE_PATH" | "FOLLOWSPOT_HTTPS" | "FOLLOWSPOT_TLS_CERT" | "FOLLOWSPOT_ACME"
  >,
): string | undefined {
  const { FOLLOWSPOT_PUBLIC_URL: address, FOLLOWSPOT_BASE_PATH: basePath } = settings;
  const { FOLLOWSPOT_HTTPS: https, FOLLOWSPOT_TLS_CERT: file, FOLLOWSPOT_ACME: name } = settings;
  const hasOwnAuthority = https === "on" && file === undefined && name === undefined;
  if (address === undefined || basePath !== "" || hasOwnAuthority) return undefined;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" ? hostname : undefined;
}
