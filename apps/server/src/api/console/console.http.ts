import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { PLAYER_PATHS } from "@followspot/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isBelowBasePath } from "../../platform/http/base-path.ts";
import { ROOT } from "../../platform/settings.ts";
import type { PublicEventJson } from "@followspot/contract/guest";
import { eventDocument } from "./event-document.ts";
import { sendNotFoundPage, wantsPage } from "./not-found-page.ts";
import { documentOfScreen, withBasePath, withLinkAddress, withSession, withTheme } from "./screen-document.ts";

const PREFIX = "/admin";
/** Where `npm start` builds the console. */
const DIST = join(ROOT, "apps/console/dist");

/** Scripts only from us; styles may be set by components; nothing may frame the console. */
/** @param soundFrom an origin beside our own from which sound is played */
const policyFor = (soundFrom = "") =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob: ${soundFrom}`.trim(),
    `connect-src 'self' ${soundFrom}`.trim(),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Pages that are opened by a link: a stage screen on a projector, the player at the PA. Documents of their own, linked from no page. */
const LINKED_PAGES = { "/stage/:id": "stage.html", [PLAYER_PATHS.page]: "player.html" };

/** What a phone needs to put the guest page beside its apps (W3C Web Application Manifest). */
const guestManifest = (basePath: string) => ({
  id: `${basePath}/me`,
  name: "My night",
  short_name: "My night",
  start_url: `${basePath}/me`,
  scope: `${basePath}/me`,
  display: "standalone",
  background_color: "#101117",
  theme_color: "#101117",
  icons: [{ src: `${basePath}/me/icon.svg`, sizes: "any", type: "image/svg+xml", purpose: "any maskable" }],
});
/** The mark with the room around it that phones cut into shapes. */
const GUEST_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 32 32"><path fill="#101117" d="M-8-8h32v32H-8z"/><circle cx="5" cy="5" r="4" fill="#a99bff"/><path d="M8.6 7.2 15 11.5 11.5 15 7.2 8.6Z" fill="#7664c9"/></svg>`;

const NOT_BUILT = "The console is not built yet. Run `npm start`, which builds it.";

export interface ConsoleOptions {
  /** Where `/` sends a browser. */
  readonly publicSite?: string | undefined;
  /** An origin beside our own from which sound is played. */
  readonly soundFrom?: string | undefined;
  /** Path below which a proxy serves Followspot, such as "/lights"; none if absent. */
  readonly basePath?: string;
  /** The address for links that leave a page, by the Host header of its request; undefined: the page's own. */
  readonly linkAddressFor?: (host: string | undefined) => string | undefined;
  /** Who opens a page, as GetSession answers; undefined for strangers. */
  readonly sessionOf?: (headers: IncomingHttpHeaders) => Promise<JsonValue | undefined>;
  /** Name of the community, which titles of public pages carry. */
  readonly community?: string;
  /** The event of a public page that everybody may see; undefined for any other one. */
  readonly publicEvent?: (eventId: string) => Promise<PublicEventJson | undefined>;
  /** The built console, elsewhere in tests. */
  readonly dist?: string;
}

/**
 * The built console below /admin, and the way from `/` to the public site. A browser that takes Brotli or gzip gets
 * what the build has packed already.
 */
export async function registerConsole(
  app: FastifyInstance,
  {
    publicSite,
    soundFrom,
    basePath = "",
    linkAddressFor = () => undefined,
    sessionOf = async () => undefined,
    community = "Followspot",
    publicEvent = async () => undefined,
    dist = DIST,
  }: ConsoleOptions = {},
): Promise<void> {
  const policy = policyFor(soundFrom);
  app.get("/", (_request, reply) => reply.redirect(publicSite ?? `${basePath}/admin`, 302));
  app.addHook("onRequest", async (request, reply) => {
    if (!wantsPage(request)) return undefined;
    // A page that is opened at the server itself needs the address that its scripts and cookies expect.
    if (!isBelowBasePath(request.originalUrl, basePath)) return reply.redirect(basePath + request.originalUrl, 302);
    return request.is404 && !isBelow(request) ? sendNotFoundPage(reply, basePath) : undefined;
  });
  await app.register(
    async (scope) => {
      addPolicy(scope, policy);
      await scope.register(fastifyStatic, {
        root: dist,
        index: false,
        wildcard: true,
        preCompressed: true,
        immutable: true,
        maxAge: "365d",
      });
      // Every page of the console is the same document; its router reads the path.
      const page = async (request: FastifyRequest, reply: FastifyReply) => {
        const [document, session] = await Promise.all([
          documentOfScreen(dist, pathOf(request).slice(PREFIX.length)),
          sessionOf(request.headers),
        ]);
        if (document === undefined) return notBuilt(reply);
        const linked = withLinkAddress(withBasePath(document, basePath), linkAddressFor(request.headers.host));
        const themed = withTheme(linked, request.headers.cookie);
        const sent = session === undefined ? themed : withSession(themed, session);
        return reply.header("cache-control", "private, no-cache").type("text/html; charset=utf-8").send(sent);
      };
      scope.get("/", page);
      // An id cut out of an address leaves two strokes, which the file server takes for an attack.
      scope.addHook("onRequest", async (request, reply) => {
        if (isPage(request) && pathOf(request).includes("//")) return page(request, reply);
        return undefined;
      });
      scope.setNotFoundHandler((request, reply) =>
        isPage(request) ? page(request, reply) : reply.code(404).type("text/plain").send("Not found"),
      );
    },
    { prefix: PREFIX },
  );
  await app.register(async (scope) => {
    addPolicy(scope, policy);
    await scope.register(fastifyStatic, { root: dist, serve: false, preCompressed: true });
    const send = (reply: FastifyReply, document: string) => sendDocument(reply, dist, document, basePath);
    scope.get("/me", (_request, reply) => send(reply, "guest.html"));
    scope.get<{ Params: { eventId: string } }>("/e/:eventId", async (request, reply) => {
      const document = await readFile(join(dist, "event.html"), "utf8").catch(() => undefined);
      if (document === undefined) return notBuilt(reply);
      // If the database is unavailable, the page still loads and reports it.
      const event = await publicEvent(request.params.eventId).catch(() => undefined);
      const { host } = request.headers;
      const own = host === undefined ? undefined : `${request.protocol}://${host}${basePath}`;
      const address = linkAddressFor(host) ?? own;
      const sent = eventDocument(withBasePath(document, basePath), { event, community, address });
      // Without cookies and the key of the link: the same for all people, who may share a cache for seconds.
      return reply.header("cache-control", "public, max-age=5").type("text/html; charset=utf-8").send(sent);
    });
    scope.get("/me/worker.js", (_request, reply) =>
      send(reply.header("service-worker-allowed", `${basePath}/me`), "guest-worker.js"),
    );
    scope.get("/me/manifest.webmanifest", (_request, reply) =>
      reply.type("application/manifest+json").send(JSON.stringify(guestManifest(basePath))),
    );
    scope.get("/me/icon.svg", (_request, reply) => reply.type("image/svg+xml").send(GUEST_ICON));
    // A person who opens it without the key of a link sees an empty page: the key never comes this way.
    for (const [path, document] of Object.entries(LINKED_PAGES))
      scope.get(path, (_request, reply) => send(reply.header("x-robots-tag", "noindex, nofollow"), document));
  });
}

function addPolicy(scope: FastifyInstance, policy: string): void {
  scope.addHook("onSend", async (_request, reply) => {
    reply
      .header("content-security-policy", policy)
      .header("permissions-policy", "camera=(self), microphone=(self), geolocation=(), midi=(self)")
      .header("x-frame-options", "DENY");
  });
}

async function sendDocument(
  reply: FastifyReply,
  dist: string,
  document: string,
  basePath: string,
): Promise<FastifyReply> {
  if (!existsSync(join(dist, document))) return notBuilt(reply);
  reply.header("cache-control", "no-cache");
  if (basePath === "" || !document.endsWith(".html")) return reply.sendFile(document, { cacheControl: false });
  const text = await readFile(join(dist, document), "utf8");
  return reply.type("text/html; charset=utf-8").send(withBasePath(text, basePath));
}

const notBuilt = (reply: FastifyReply): FastifyReply => reply.code(503).type("text/plain").send(NOT_BUILT);

const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "";

const isBelow = (request: FastifyRequest): boolean => pathOf(request).startsWith(`${PREFIX}/`);

/** Names no file, so the console's router knows what to show. */
const isPage = (request: FastifyRequest): boolean => request.method === "GET" && !/\.[a-z0-9]+$/i.test(pathOf(request));
